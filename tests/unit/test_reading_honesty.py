"""What the reader does not know it says: left-over words, choices, doubts. A wrong number is worse."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data_agent.domain.reading import Reading
from data_agent.domain.value import Value
from tests.unit.reading_shop import ask, gist, left, values

UNRELATED = [
    "明天北京会下雨吗",
    "讲个笑话",
    "what is the weather in Paris",
    "SELECT 1",
    "🙂🙂",
    "为什么天是蓝的",
]
NOT_YET = [
    "销售额下降的原因",
    "预测下个月的销售额",
    "最好的商品",
    "top customers",
    "平均销售额",
    "各大区的平均销售额",
    "销售额不是很高的品牌",
    "购买过手机但没买过配件的客户",
    "how are we doing",
    "revenue without forecasts",
    "天猫或华东的销售额",
    "毛利率最高的品牌",
    "各地区的情况",
    "2025年有多少客户",
    "销售额增长率",
    "销售额前的品牌",
    "大客户有多少",
    "退款率高于30的渠道",
    "列出客户的手机号",
    "customers' phone number",
    "天猫的华东销售额占比",
    "各大区天猫的销售额占比",
    "average number of items per order",
    "含已取消的订单数",
    "天猫和华东以外的销售额",
    "订单超过5000元的客户",
]


@pytest.mark.parametrize("question", UNRELATED)
def test_a_question_about_nothing_we_know_is_left_over_whole(question: str) -> None:
    reading = ask(question)
    assert not reading.complete
    assert not reading.metrics and not reading.dimensions


@pytest.mark.parametrize(
    "question", ["为什么销售额最高的品牌是华为", "why is revenue highest on Tmall", "各部门员工的平均工资"]
)
def test_causes_and_strangers_are_not_explained_away(question: str) -> None:
    assert not ask(question).complete


def test_every_content_word_of_an_unrelated_question_is_named() -> None:
    assert left(ask("明天北京会下雨吗", values("北京市"))) == ("明天", "北京", "会下雨")


@pytest.mark.parametrize("question", NOT_YET)
def test_does_not_pretend_to_understand(question: str) -> None:
    assert not ask(question).complete


def test_names_what_is_known_near_a_word_it_cannot_place() -> None:
    reading = ask("各大区的销售金额")
    (word,) = [item for item in reading.unplaced if item.nearest]
    assert "销售额" in word.nearest


def test_asks_which_when_a_value_stands_in_two_columns() -> None:
    reading = ask("苹果的销量")
    assert not reading.complete
    (asked,) = reading.ambiguities
    assert {choice.id for choice in asked.choices} == {"column:products.brand=苹果", "column:products.category=苹果"}
    assert all("商品" in choice.label or "products" in choice.label for choice in asked.choices)


def test_a_remembered_choice_settles_the_word() -> None:
    reading = ask("苹果的销量", choices={"苹果": "column:products.category=苹果"})
    assert gist(reading) == "units_sold | products.category = 苹果"


@pytest.mark.parametrize("question", ["苹果品牌的销量", "品牌苹果的销量", "品牌是苹果的销量"])
def test_the_column_word_beside_a_value_settles_it(question: str) -> None:
    assert gist(ask(question)) == "units_sold | products.brand = 苹果"


def test_a_remembered_choice_that_no_longer_exists_asks_again() -> None:
    assert ask("苹果的销量", choices={"苹果": "column:gone.away=苹果"}).ambiguities


def test_a_condition_the_metric_can_never_meet_is_not_answered_with_an_empty_sum() -> None:
    assert not ask("已取消订单的销售额").complete


def test_a_count_the_question_overrules_counts_all_rows_and_says_so() -> None:
    reading = ask("已取消的订单数")
    assert gist(reading) == "count(orders.*) | orders.status = 3"
    assert any("订单状态为 已支付" in note for note in reading.notes)


def test_a_rate_below_the_grain_of_one_of_its_parts_is_doubted() -> None:
    assert not ask("各品牌的客单价").complete
    assert ask("各渠道的客单价").complete


def test_what_is_quoted_is_one_name() -> None:
    reading = ask("品牌是“各渠道”的销量")
    assert not reading.complete
    assert "各渠道" in left(reading)


def test_a_value_that_only_looks_like_a_function_word_is_not_taken_for_it() -> None:
    assert "customers.level" not in gist(ask("give me a list of brands"))


def _filters(reading: Reading) -> list[str]:
    return [condition.column for condition in reading.filters]


def test_a_column_word_with_its_own_marker_is_no_carrier_of_a_value() -> None:
    reading = ask("华东各大区的销售额")
    assert [place.column for place in reading.dimensions] == ["regions.region"]
    assert _filters(reading) == ["regions.region"]


@pytest.mark.parametrize(
    "question",
    [
        "which brands have the highest revenue, and how much revenue is there for each brand",
        "customers without orders cancelled",
        "没有已取消订单的客户",
    ],
)
def test_phrases_that_pull_in_two_directions_are_doubted(question: str) -> None:
    assert not ask(question).complete


def test_an_average_across_all_is_no_grouping() -> None:
    assert gist(ask("average list price across all products")) == "avg(products.list_price)"


@given(st.text(alphabet="销售额各按的最高前天猫不是超过和或 abc revenue by top 5%0.，?'\"“”（", max_size=60))
@settings(max_examples=150, deadline=None)
def test_no_text_breaks_the_reader(text: str) -> None:
    assert ask(text).question == text


def test_a_long_question_is_read_in_reasonable_time() -> None:
    assert not ask("各大区的销售额和订单数不知所云" * 130).complete


@pytest.mark.parametrize(
    "question", ["天猫、京东之外的销售额", "天猫和京东以外渠道的销售额", "天猫和京东渠道以外的销售额"]
)
def test_a_list_closed_by_a_word_of_exclusion_is_left_out_and_never_kept(question: str) -> None:
    (condition,) = ask(question).filters
    assert (condition.operator, condition.values) == ("not_in", ("天猫", "京东"))


def test_the_beginning_of_another_name_is_not_the_value() -> None:
    # an index finds 华为 by its other name Huawei, of which "hua" is three letters
    found = (Value(table="products", column="brand", text="华为", word="hua", score=0.8),)
    reading = ask("hua revenue in 2025", found)
    assert not reading.filters and "hua" in left(reading)
    sure = (Value(table="products", column="brand", text="华为", word="huawei", score=0.99),)
    assert [each.values for each in ask("huawei revenue in 2025", sure).filters] == [("华为",)]
