"""Questions that other systems answered wrongly, composed and run on real engines. Names start with the case id."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from data_agent.composing.periods import base_range
from data_agent.domain.reading import ReadDimension, ReadFilter, ReadHaving, Reading, ReadMetric
from data_agent.domain.time import TimeRange
from data_agent.errors import CannotAnswer
from tests.cases.shop import Engine, by, composed, mysql_engine, shop_in_duckdb, span

MARCH = span("2026-03-01", "2026-04-01", "month")


@pytest.fixture(scope="module", params=["duckdb", pytest.param("mysql", marks=pytest.mark.mysql)])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    if request.param == "duckdb":
        with shop_in_duckdb() as found:
            yield found
    else:
        with mysql_engine(request.getfixturevalue("fixture_database")) as found:
            yield found


def metric(*names: str) -> tuple[ReadMetric, ...]:
    return tuple(ReadMetric(words=name, metric=name) for name in names)


def where(column: str, *values: Any, operator: Any = "in") -> ReadFilter:
    return ReadFilter(words="", column=column, operator=operator, values=values)


def reading(question: str, *names: str, **parts: Any) -> Reading:
    return Reading(question=question, language="zh", metrics=metric(*names), **parts)


def rows(engine: Engine, asked: Reading) -> list[tuple[Any, ...]]:
    return engine.run(composed(asked, engine.dialect).sql)


def test_q008_sales_by_category_are_line_amounts(engine: Engine) -> None:
    asked = reading("各品类销售额（已支付）", "paid", dimensions=by("products.category"))
    assert rows(engine, asked) == [("手机", 10859), ("配件", 70)]
    assert "商品金额" in composed(asked, engine.dialect).notes[0]


def test_q035_an_overall_rate_is_not_the_mean_of_rates(engine: Engine) -> None:
    assert rows(engine, reading("3月整体转化率", "conversion", times=(MARCH,))) == [(0.827273,)]


def test_q036_a_visitor_of_two_days_is_one_visitor(engine: Engine) -> None:
    days = span("2026-03-30", "2026-04-01")
    assert rows(engine, reading("3月30日到31日的访问用户数", "visitors", times=(days,))) == [(2,)]


def test_q037_stock_is_the_last_snapshot(engine: Engine) -> None:
    assert rows(engine, reading("3月末库存是多少", "stock", times=(MARCH,))) == [(140,)]


def test_q038_unrelated_tables_are_not_joined_by_equal_ids(engine: Engine) -> None:
    with pytest.raises(CannotAnswer, match="没有关联"):
        composed(reading("各部门订单数", "orders", dimensions=by("departments.name")), engine.dialect)


def test_q039_month_to_date_is_compared_with_as_many_days() -> None:
    so_far = TimeRange(words="", start=date(2026, 3, 1), end=date(2026, 3, 16))
    base = base_range(so_far, "year", -1)
    assert (base.start, base.end) == (date(2025, 3, 1), date(2025, 3, 16))


def test_q040_march_is_the_march_of_one_year(engine: Engine) -> None:
    assert rows(engine, reading("3月已支付金额（不含测试账号）", "real_paid", times=(MARCH,))) == [(500,)]


def test_q075_an_order_with_two_lines_is_one_order(engine: Engine) -> None:
    lines = where("products.category", "手机", "配件")
    assert rows(engine, reading("有多少笔已支付订单包含手机或配件", "paid_orders", filters=(lines,))) == [(7,)]


def test_q076_orders_without_a_customer_are_kept(engine: Engine) -> None:
    found = rows(engine, reading("各大区订单数（含未归属）", "orders", dimensions=by("customers.region")))
    assert sum(count for _, count in found) == 9
    assert (None, 1) in found


def test_q077_customers_without_cancelled_orders_are_shown_with_0(engine: Engine) -> None:
    asked = reading(
        "每个客户的取消订单数，没有的显示0",
        "orders",
        dimensions=by("customers.id"),
        filters=(where("orders.status", 3),),
        fill=True,
    )
    assert rows(engine, asked) == [(3, 1), (1, 0), (2, 0), (4, 0), (5, 0), (6, 0)]


def test_q078_customers_who_never_ordered_are_found_despite_empty_keys(engine: Engine) -> None:
    never = where("orders.*", operator="no_rows")
    assert rows(engine, reading("从未下单的客户数", "customers", filters=(never,))) == [(1,)]


def test_q080_a_rate_of_nobody_is_empty(engine: Engine) -> None:
    south = where("region_rate.region", "华南")
    asked = reading("华南转化率", "conversion", dimensions=by("region_rate.region"), filters=(south,))
    assert rows(engine, asked) == [("华南", None)]


def test_q081_the_best_of_each_channel_is_not_the_best_of_all(engine: Engine) -> None:
    asked = reading(
        "每个渠道实付金额最高的订单", "paid", dimensions=by("orders.channel", "orders.id"), limit=1, limit_per=(0,)
    )
    assert [row[:2] for row in rows(engine, asked)] == [("", 8), ("京东", 3), ("天猫", 6), ("线下", 7)]


def test_q082_a_condition_on_a_total_comes_after_adding_up(engine: Engine) -> None:
    over = ReadHaving(words="超过250", metric=0, operator=">", values=(250,))
    asked = reading("累计实付超过250的客户", "paid", dimensions=by("orders.customer_id"), having=(over,))
    assert sorted(row[0] for row in rows(engine, asked)) == [1, 2, 3, 4]


def test_q083_the_metrics_own_conditions_are_applied_and_told(engine: Engine) -> None:
    asked = reading("天猫渠道已支付金额", "real_paid", filters=(where("orders.channel", "天猫"),))
    assert rows(engine, asked) == [(300,)]
    assert "is_test" in " ".join(composed(asked, engine.dialect).notes)


def test_q086_a_unit_scales_once_and_stands_in_the_label(engine: Engine) -> None:
    asked = reading("已支付总金额是多少万元", "paid", unit="万元")
    assert rows(engine, asked) == [(1.0929,)]
    (column,) = composed(asked, engine.dialect).columns
    assert (column.label, column.unit) == ("已支付金额(万元)", "万元")


def test_q086_a_threshold_is_in_the_base_unit(engine: Engine) -> None:
    over = ReadHaving(words="超过1万", metric=0, operator=">", values=(10000,))
    asked = reading("超过1万的渠道", "paid", dimensions=by("orders.channel"), having=(over,), unit="万元")
    assert rows(engine, asked) == [("天猫", 1.0299)]


@pytest.mark.parametrize(("comparison", "base", "growth"), [("yoy", 300, 0.666667), ("mom", 100, 4)])
def test_q087_year_and_month_before_are_told_apart(engine: Engine, comparison: Any, base: int, growth: float) -> None:
    asked = reading("2026年3月已支付金额同比", "real_paid", times=(MARCH,), comparison=comparison)
    assert rows(engine, asked) == [(500, base, growth)]


def test_q126_a_tie_for_the_first_place_is_shown(engine: Engine) -> None:
    asked = reading("实付金额最高的订单（不含测试账号）", "real_paid", dimensions=by("orders.id"), limit=1)
    assert [row[0] for row in rows(engine, asked)] == [3, 7]


def test_q127_columns_say_which_table_they_are_of(engine: Engine) -> None:
    asked = reading("各客户订单数", "orders", dimensions=by("customers.id", "customers.name"))
    assert "customers.id" in composed(asked, engine.dialect).sql
    assert rows(engine, asked)


def test_q128_days_without_orders_are_shown(engine: Engine) -> None:
    found = rows(engine, reading("3月每天订单数", "orders", dimensions=by("day"), times=(MARCH,), fill=True))
    assert (len(found), sum(count == 0 for _, count in found)) == (31, 26)
    assert (found[0][0], found[-1][0]) == ("2026-03-01", "2026-03-31")


def test_q180_an_average_is_not_a_total(engine: Engine) -> None:
    assert rows(engine, reading("平均每单实付多少", "average_paid")) == [(155,)]


def test_q181_a_difference_of_two_facts_keeps_both_sides(engine: Engine) -> None:
    assert rows(engine, reading("净收入（支付减退款）", "net")) == [(250,)]


def test_q182_two_channels_are_alternatives(engine: Engine) -> None:
    two = (where("orders.channel", "天猫", operator="="), where("orders.channel", "京东", operator="="))
    asked = reading("天猫或京东渠道的退款订单数", "orders", filters=(*two, where("orders.status", 2)))
    assert rows(engine, asked) == [(1,)]


def test_q189_a_day_of_epoch_milliseconds_is_a_local_day(engine: Engine) -> None:
    day = span("2026-04-01", "2026-04-02")
    asked = reading("4月1日的埋点数", "events", times=(day,), dimensions=by("day"))
    assert rows(engine, asked) == [("2026-04-01", 2)]


def test_q223_an_empty_name_is_a_group_of_its_own(engine: Engine) -> None:
    found = rows(engine, reading("各渠道订单数", "orders", dimensions=by("orders.channel")))
    assert sorted(found) == [("", 1), ("京东", 2), ("天猫", 3), ("线下", 3)]


def test_q224_months_without_data_are_not_skipped(engine: Engine) -> None:
    months = span("2025-12-01", "2026-04-01")
    asked = reading("按月环比（已支付）", "paid", dimensions=by("month"), times=(months,), comparison="mom")
    assert rows(engine, asked) == [
        ("2025-12", 10, None, None),
        ("2026-01", 20, 10, 1),
        ("2026-02", 100, 20, 4),
        ("2026-03", 10499, 100, 103.99),
    ]


def test_q224_with_no_range_the_calendar_spans_the_data(engine: Engine) -> None:
    found = rows(engine, reading("按月环比（已支付）", "paid", dimensions=by("month"), comparison="mom"))
    assert [row[0] for row in found[:3]] == ["2025-03", "2025-04", "2025-05"]
    assert len(found) == 13
    assert found[1] == ("2025-04", None, 300, None)


def test_two_ranges_asked_apart_are_two_rows(engine: Engine) -> None:
    ranges = (ReadDimension(words="", column=""),)
    asked = reading("", "paid", dimensions=ranges, times=(MARCH, span("2025-03-01", "2025-04-01", label="2025年3月")))
    assert rows(engine, asked) == [("2026-03-01 – 2026-03-31", 10499), ("2025年3月", 300)]
