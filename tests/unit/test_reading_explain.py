"""The reading told back in plain words, in both languages."""

from data_agent.reading.explain import explain
from tests.unit.reading_shop import SHOP, ask


def test_tells_a_reading_in_chinese() -> None:
    told = explain(ask("2025年第一季度华东各渠道的销售额"), SHOP, "zh")
    assert told == "销售额，按渠道分组，大区为 华东，2025-01-01 至 2025-03-31。"


def test_tells_the_same_reading_in_english() -> None:
    told = explain(ask("2025年第一季度华东各渠道的销售额"), SHOP, "en")
    assert told == "GMV, by channel, region is 华东, 2025-01-01 to 2025-03-31."


def test_shows_the_label_of_a_code() -> None:
    assert "订单状态为 已取消" in explain(ask("已取消的订单数"), SHOP, "zh")


def test_tells_ranking_within_groups() -> None:
    told = explain(ask("每个渠道销售额最高的品牌"), SHOP, "zh")
    assert "每个渠道内销售额最高的前 1 名（并列都算）" in told
    assert "不为空" not in told


def test_tells_growth_with_its_base() -> None:
    told = explain(ask("2026年3月销售额同比"), SHOP, "zh")
    assert "与去年同期比较 (2025-03-01 至 2025-03-31)" in told


def test_tells_what_was_not_understood_and_what_is_asked() -> None:
    assert "没有读懂：“预测”" in explain(ask("预测销售额"), SHOP, "zh")
    assert "需要您确认：“苹果”" in explain(ask("苹果的销量"), SHOP, "zh")


def test_tells_when_nothing_was_understood() -> None:
    assert explain(ask("🙂"), SHOP, "en") == "Nothing of the question was understood."


def test_every_kind_of_reading_can_be_told() -> None:
    questions = [
        "月均销售额",
        "销售额超过20万的品牌",
        "标价在100到300元之间的商品有几个",
        "平均标价",
        "各渠道销售额占比",
        "2025年每月累计销售额",
        "从未下单的客户数",
        "2024年和2025年的销售额",
        "销售额是多少万元",
        "有没有销售额超过1000万的品牌",
        "按销售额从高到低排列的各品牌",
    ]
    for question in questions:
        for language in ("zh", "en"):
            told = explain(ask(question), SHOP, language)
            assert "{" not in told
            assert "None" not in told
