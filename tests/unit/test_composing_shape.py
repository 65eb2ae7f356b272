"""Labels, units, order, ranks, shares, running totals, periods and lists, as people ask for them."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlglot import exp

from data_agent.composing.compose import compose
from data_agent.composing.periods import Stored, base_range, bound, label, period_start, periods, shifted
from data_agent.composing.shape import scale_of
from data_agent.composing.tree import identifier
from data_agent.domain.catalog import Catalog
from data_agent.domain.reading import ReadDimension, ReadFilter, ReadHaving, Reading, ReadMetric, ReadOrder
from data_agent.domain.time import CalendarSettings, TimeRange
from data_agent.errors import CannotAnswer
from tests.cases.shop import CATALOG, NOW, Engine, by, composed, mysql_engine, shop_in_duckdb, span

MARCH = span("2026-03-01", "2026-04-01", "month")
CALENDAR = CalendarSettings()


@pytest.fixture(scope="module", params=["duckdb", pytest.param("mysql", marks=pytest.mark.mysql)])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    if request.param == "duckdb":
        with shop_in_duckdb() as found:
            yield found
    else:
        with mysql_engine(request.getfixturevalue("fixture_database")) as found:
            yield found


def ask(*names: str, **parts: Any) -> Reading:
    metrics = tuple(ReadMetric(words=name, metric=name) for name in names)
    return Reading(question="?", language=parts.pop("language", "zh"), metrics=metrics, **parts)


def where(column: str, operator: Any, *values: Any) -> ReadFilter:
    return ReadFilter(words="", column=column, operator=operator, values=values)


def rows(engine: Engine, reading: Reading, catalog: Catalog = CATALOG) -> list[tuple[Any, ...]]:
    return engine.run(composed(reading, engine.dialect, catalog).sql)


def labels(reading: Reading) -> list[str]:
    return [column.label for column in composed(reading, "duckdb").columns]


def with_labels() -> Catalog:
    """The shop with names for the codes of orders.status."""
    names = {"1": "已支付", "2": "已退款"}
    tables = tuple(
        table.model_copy(
            update={
                "columns": tuple(
                    column.model_copy(update={"labels": names}) if column.id == "orders.status" else column
                    for column in table.columns
                )
            }
        )
        for table in CATALOG.tables
    )
    return CATALOG.model_copy(update={"tables": tables})


def test_labels_are_in_the_askers_language() -> None:
    assert labels(ask("real_paid", dimensions=by("month"))) == ["月份", "实收"]
    assert labels(ask("real_paid", dimensions=by("month"), language="en")) == ["month", "real sales"]


def test_notes_are_in_the_askers_language() -> None:
    assert (
        composed(ask("paid", dimensions=by("products.brand"), language="en"), "duckdb")
        .notes[0]
        .startswith("paid cannot")
    )
    assert "不能按该维度拆分" in composed(ask("paid", dimensions=by("products.brand")), "duckdb").notes[0]


def test_the_columns_say_what_the_engine_returns(engine: Engine) -> None:
    reading = ask("paid", "orders", dimensions=by("orders.channel"), share=True, comparison="yoy", times=(MARCH,))
    found = composed(reading, engine.dialect)
    assert all(len(row) == len(found.columns) for row in engine.run(found.sql))


def test_columns_of_the_same_name_stay_apart(engine: Engine) -> None:
    reading = ask("orders", dimensions=by("orders.id", "customers.id"))
    assert [column.name for column in composed(reading, engine.dialect).columns] == ["id", "id_2", "订单数"]
    assert len(rows(engine, reading)) == 9


def test_codes_come_out_as_their_names_and_unnamed_codes_as_themselves(engine: Engine) -> None:
    found = rows(engine, ask("orders", dimensions=by("orders.status")), with_labels())
    assert found[0] == ("已支付", 7)
    assert sorted(found[1:]) == [("3", 1), ("已退款", 1)]


def test_a_labelled_code_may_be_sorted_by(engine: Engine) -> None:
    first = (ReadOrder(dimension=0, descending=False),)
    found = rows(engine, ask("orders", dimensions=by("orders.status"), order=first), with_labels())
    assert [row[0] for row in found] == ["3", "已支付", "已退款"]


def test_reserved_words_are_quoted(engine: Engine) -> None:
    assert rows(engine, ask("orders", dimensions=by("orders.group"), limit=1)) == [("c", 3)]
    assert rows(engine, ask(dimensions=by("order.desc"))) == [("x",)]
    assert identifier("rank").quoted
    assert not identifier("amount").quoted


def test_the_bottom_is_ranked_from_below(engine: Engine) -> None:
    lowest = (ReadOrder(metric=0, descending=False),)
    assert rows(engine, ask("paid", dimensions=by("orders.channel"), order=lowest, limit=1)) == [("", 20)]


def test_empty_values_sort_last_either_way(engine: Engine) -> None:
    for down in (True, False):
        found = rows(
            engine, ask("orders", dimensions=by("customers.city"), order=(ReadOrder(dimension=0, descending=down),))
        )
        assert found[-1][0] is None
        paid = rows(
            engine, ask("paid", "orders", dimensions=by("orders.status"), order=(ReadOrder(metric=0, descending=down),))
        )
        assert paid[0][0] == 1


def test_the_latest_periods_are_counted_as_periods(engine: Engine) -> None:
    latest = (ReadOrder(dimension=0, descending=True),)
    found = rows(engine, ask("orders", dimensions=by("month", "orders.channel"), order=latest, limit=2))
    assert {row[0] for row in found} == {"2026-03", "2026-02"}


def test_a_share_is_of_all_groups_even_when_few_are_shown(engine: Engine) -> None:
    over = ReadHaving(words="", metric=0, operator=">", values=(300,))
    found = rows(engine, ask("paid", dimensions=by("orders.channel"), share=True, having=(over,), limit=1))
    assert found == [("天猫", 10299, 0.942355)]


def test_the_share_of_a_condition_is_of_the_whole(engine: Engine) -> None:
    assert rows(engine, ask("paid", filters=(where("orders.channel", "=", "天猫"),), share=True)) == [(10299, 0.942355)]


def test_shares_of_distinct_counts_are_of_the_recounted_whole(engine: Engine) -> None:
    found = rows(engine, ask("buyers", dimensions=by("orders.channel"), share=True))
    assert found[0] == ("天猫", 2, 0.4)


def test_shares_within_periods_add_up_to_one_each(engine: Engine) -> None:
    found = rows(engine, ask("orders", dimensions=by("year", "orders.channel"), share=True))
    for year in ("2025", "2026"):
        assert sum(row[3] for row in found if row[0] == year) == pytest.approx(1)


def test_a_ratio_has_no_share() -> None:
    with pytest.raises(CannotAnswer, match="没有占比"):
        composed(ask("average_order", dimensions=by("orders.channel"), share=True), "duckdb")


def test_a_running_total_grows_with_time(engine: Engine) -> None:
    found = rows(engine, ask("paid", dimensions=by("month"), running=True, times=(span("2026-01-01", "2026-04-01"),)))
    assert found == [("2026-01", 20, 20), ("2026-02", 100, 120), ("2026-03", 10499, 10619)]


def test_distinct_counts_have_no_running_total() -> None:
    with pytest.raises(CannotAnswer, match="累计"):
        composed(ask("buyers", dimensions=by("month"), running=True), "duckdb")


def test_a_comparison_keeps_groups_of_either_side(engine: Engine) -> None:
    found = rows(engine, ask("real_paid", dimensions=by("orders.channel"), times=(MARCH,), comparison="yoy"))
    assert set(found) == {("天猫", 200, None, None), ("京东", 300, None, None), ("线下", None, 300, None)}


def test_a_comparison_by_period_and_group_meets_the_same_group(engine: Engine) -> None:
    reading = ask("paid", dimensions=by("month", "orders.channel"), times=(MARCH,), comparison="mom")
    assert ("2026-03", "天猫", 10199, 100, 100.99) in rows(engine, reading)


def test_a_given_base_is_the_base(engine: Engine) -> None:
    january = TimeRange(words="", start=date(2026, 1, 1), end=date(2026, 2, 1))
    reading = ask("paid", times=(MARCH,), comparison="mom", base=january)
    assert rows(engine, reading) == [(10499, 20, 523.95)]


def test_growth_is_what_is_sorted_by_when_growth_is_asked(engine: Engine) -> None:
    fastest = (ReadOrder(words="增长最快", metric=0),)
    reading = ask("paid", dimensions=by("orders.channel"), times=(MARCH,), comparison="mom", order=fastest, limit=1)
    assert rows(engine, reading)[0][0] == "天猫"


def test_a_comparison_without_time_is_refused() -> None:
    with pytest.raises(CannotAnswer, match="时间"):
        composed(ask("paid", dimensions=by("orders.channel"), comparison="yoy"), "duckdb")


def test_filling_shows_every_period_of_every_member(engine: Engine) -> None:
    months = span("2026-01-01", "2026-03-01")
    found = rows(engine, ask("orders", dimensions=by("month", "orders.channel"), times=(months,), fill=True))
    assert len(found) == 8
    assert ("2026-02", "京东", 0) in found


@pytest.mark.parametrize(
    ("grain", "expected"),
    [("day", "2026-01-01"), ("week", "2026-W01"), ("month", "2026-01"), ("quarter", "2026-Q1"), ("year", "2026")],
)
def test_periods_have_the_same_names_in_both_engines(engine: Engine, grain: str, expected: str) -> None:
    found = rows(engine, ask("orders", dimensions=by(grain), times=(span("2026-01-01", "2026-01-02"),)))
    assert [str(row[0]) for row in found] == [expected]


@pytest.mark.parametrize("grain", ["day", "week", "month", "quarter", "year"])
def test_an_open_calendar_works_in_every_grain(engine: Engine, grain: str) -> None:
    found = rows(engine, ask("orders", dimensions=by(grain), fill=True))
    assert sum(row[1] for row in found) == 9
    assert [row[0] for row in found] == sorted(str(row[0]) for row in found)
    assert len({row[0] for row in found}) == len(found) >= 2


def test_a_week_that_starts_on_sunday_takes_its_sunday(engine: Engine) -> None:
    american = CalendarSettings(week_start=6)
    reading = ask("orders", dimensions=by("week"), times=(span("2026-03-15", "2026-03-16"),))
    sql = compose(reading, catalog=CATALOG, dialect=engine.dialect, now=NOW, calendar=american).sql
    assert engine.run(sql) == [("2026-W12", 1)]


def test_a_condition_on_a_day_covers_the_whole_day(engine: Engine) -> None:
    for operator, values, expected in (
        ("=", ("2026-03-31",), 1),
        ("<=", ("2026-02-28",), 4),
        (">", ("2026-03-20",), 1),
        ("between", ("2026-03-15", "2026-03-20"), 2),
    ):
        found = rows(engine, ask("orders", filters=(where("orders.created_at", operator, *values),)))
        assert found == [(expected,)], operator


def test_text_that_holds_numbers_is_compared_as_numbers(engine: Engine) -> None:
    found = rows(engine, ask(dimensions=by("employees.name"), filters=(where("employees.score", ">", 9),)))
    assert set(found) == {("员工三",), ("员工二",)}


def test_a_word_inside_a_text_is_found(engine: Engine) -> None:
    assert rows(engine, ask("customers", filters=(where("customers.name", "like", "公司"),))) == [(5,)]


def test_quotes_and_backslashes_in_values_stay_values(engine: Engine) -> None:
    for text in ("x' OR 1=1 -- ", "\\' OR 1=1 -- ", 'a"b', "a`b", "%' OR '1'='1"):
        assert rows(engine, ask("orders", filters=(where("orders.channel", "=", text),))) == [(0,)]


def test_a_list_shows_each_member_once(engine: Engine) -> None:
    assert len(rows(engine, ask(dimensions=by("customers.region")))) == 3


def test_a_list_of_rows_shows_every_row(engine: Engine) -> None:
    newest = (ReadOrder(dimension=1),)
    reading = ask(dimensions=by("orders.order_no", "orders.created_at", "orders.pay_amount"), order=newest, limit=2)
    assert [row[0] for row in rows(engine, reading)] == ["N3", "N5"]
    assert len(rows(engine, ask(dimensions=by("orders.pay_amount")))) == 9


def test_a_list_is_cut_without_an_order_too(engine: Engine) -> None:
    assert len(rows(engine, ask(dimensions=by("customers.name"), limit=2))) == 2


def test_the_number_of_rows_and_plain_aggregates(engine: Engine) -> None:
    plain: Any = (
        ReadMetric(words="", aggregate="count", column="orders.*"),
        ReadMetric(words="", aggregate="avg", column="orders.pay_amount"),
        ReadMetric(words="", aggregate="count_distinct", column="orders.customer_id"),
        ReadMetric(words="", aggregate="max", column="orders.pay_amount"),
    )
    reading = ask().model_copy(update={"metrics": plain})
    assert rows(engine, reading) == [(9, 1228.777778, 5, 9999)]
    assert labels(reading)[:2] == ["订单数", "平均实付金额"]


def test_two_conditions_around_a_range_both_hold(engine: Engine) -> None:
    both = (where("orders.pay_amount", ">=", 50), where("orders.pay_amount", "<", 200))
    assert rows(engine, ask("orders", filters=both)) == [(3,)]


def test_several_ranges_are_taken_together_unless_asked_apart(engine: Engine) -> None:
    two = (MARCH, span("2025-03-01", "2025-04-01"))
    assert rows(engine, ask("paid", times=two)) == [(10799,)]
    apart = ask("paid", times=two, dimensions=(ReadDimension(words="", column=""),))
    assert [row[1] for row in rows(engine, apart)] == [10499, 300]


def test_an_average_member_has_its_own_label() -> None:
    metrics = (ReadMetric(words="", metric="paid", per=by("month")[0]),)
    assert labels(ask().model_copy(update={"metrics": metrics})) == ["已支付金额（按月份平均）"]


def test_unknown_names_are_refused() -> None:
    for reading in (
        ask("no such"),
        ask(dimensions=by("orders.nothing")),
        ask(),
        ask("orders", dimensions=by("nowhere.x")),
    ):
        with pytest.raises(CannotAnswer):
            composed(reading, "duckdb")


@pytest.mark.parametrize(
    ("unit", "factor"),
    [
        ("万元", 10_000),
        ("亿元", 100_000_000),
        ("万", 10_000),
        ("元", 1),
        ("million", 1_000_000),
        ("thousand", 1_000),
        ("", 1),
        ("meters", 1),
        ("百万", 1_000_000),
    ],
)
def test_units_scale_by_their_word(unit: str, factor: int) -> None:
    assert scale_of(unit) == factor


def test_bounds_are_written_as_the_column_stores_time() -> None:
    day = date(2026, 4, 1)
    for how, expected in (
        (Stored("datetime"), "'2026-04-01'"),
        (Stored("epoch_ms"), "1774972800000"),
        (Stored("epoch_s"), "1774972800"),
        (Stored("pattern", "%Y-%m"), "'2026-04'"),
        (Stored("pattern", "%Y%m%d", number=True), "20260401"),
    ):
        assert bound(day, how, CALENDAR).sql() == expected


def test_29_february_is_compared_with_28_february() -> None:
    today = TimeRange(words="", start=date(2024, 2, 29), end=date(2024, 3, 1))
    base = base_range(today, "year", -1)
    assert (base.start, base.end) == (date(2023, 2, 28), date(2023, 3, 1))


def test_a_whole_month_is_compared_with_a_whole_month() -> None:
    base = base_range(MARCH.range, "month", -1)
    assert (base.start, base.end) == (date(2026, 2, 1), date(2026, 3, 1))


def test_periods_are_counted_to_the_last_one_touched() -> None:
    assert periods(date(2025, 12, 15), date(2026, 3, 2), "month", CALENDAR) == (date(2025, 12, 1), date(2026, 3, 1), 4)
    assert period_start(date(2026, 3, 31), "week", CALENDAR) == date(2026, 3, 30)
    assert shifted(date(2026, 3, 31), "month", -1) == date(2026, 2, 28)


def test_a_quarter_of_nothing_is_nothing(engine: Engine) -> None:
    quarter = label(exp.Null(), "quarter", engine.dialect, CALENDAR).sql(dialect=engine.dialect)
    nothing = quarter.replace("NULL", "CAST(NULL AS DATE)")
    assert engine.run(f"SELECT {nothing}") == [(None,)]


def test_the_clock_may_stand_in_any_zone() -> None:
    utc = datetime(2026, 3, 31, 1, tzinfo=ZoneInfo("UTC"))
    reading = ask("events", dimensions=by("day"))
    assert composed(reading, "duckdb", now=utc).sql == composed(reading, "duckdb").sql


def test_a_plain_question_is_one_plain_select() -> None:
    sql = composed(ask("paid", dimensions=by("orders.channel")), "mysql").sql
    assert sql == (
        "SELECT orders.channel AS `渠道`, SUM(orders.pay_amount) AS `已支付金额` FROM orders WHERE orders.status = 1 "
        "GROUP BY 1 ORDER BY `已支付金额` DESC, orders.channel IS NULL, orders.channel ASC"
    )


def test_a_period_that_is_not_over_is_compared_with_as_many_days(engine: Engine) -> None:
    middle = datetime(2026, 3, 15, 18, tzinfo=ZoneInfo("Asia/Shanghai"))
    year = span("2026-01-01", "2027-01-01")
    found = composed(ask("orders", dimensions=by("month"), times=(year,), comparison="yoy"), engine.dialect, now=middle)
    assert engine.run(found.sql) == [("2026-01", 1, 0, None), ("2026-02", 1, 0, None), ("2026-03", 3, 1, 2)]
    assert any("2026-03-15" in note for note in found.notes)


def test_a_month_that_begins_today_is_not_compared_yet(engine: Engine) -> None:
    first = datetime(2026, 2, 1, 9, tzinfo=ZoneInfo("Asia/Shanghai"))
    year = span("2026-01-01", "2027-01-01")
    found = composed(ask("orders", dimensions=by("month"), times=(year,), comparison="mom"), engine.dialect, now=first)
    assert engine.run(found.sql) == [("2026-01", 1, 1, 0)]


def test_the_future_is_not_filled(engine: Engine) -> None:
    early = datetime(2026, 1, 2, 9, tzinfo=ZoneInfo("Asia/Shanghai"))
    days = span("2026-01-01", "2026-02-01")
    found = composed(ask("orders", dimensions=by("day"), times=(days,), fill=True), engine.dialect, now=early)
    assert engine.run(found.sql) == [("2026-01-01", 1)]


def test_a_default_condition_is_told_in_words() -> None:
    names = {"0": "正式账号"}
    tables = tuple(
        table.model_copy(
            update={
                "columns": tuple(
                    column.model_copy(update={"labels": names, "aliases": ("测试账号",)})
                    if column.name == "is_test"
                    else column
                    for column in table.columns
                )
            }
        )
        for table in CATALOG.tables
    )
    found = composed(ask("real_paid"), "duckdb", CATALOG.model_copy(update={"tables": tables}))
    assert found.notes == ("实收 的口径：status = 1，测试账号 = 正式账号",)
