"""What a statement uses and does not show, and the wholes that shares are of: on both engines."""

from collections.abc import Iterator
from typing import Any

import pytest

from data_agent.domain.reading import ReadDimension, ReadFilter, Reading, ReadMetric, ReadOrder
from tests.cases.shop import Engine, by, composed, mysql_engine, shop_in_duckdb, span


@pytest.fixture(scope="module", params=["duckdb", pytest.param("mysql", marks=pytest.mark.mysql)])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    if request.param == "duckdb":
        with shop_in_duckdb() as found:
            yield found
    else:
        with mysql_engine(request.getfixturevalue("fixture_database")) as found:
            yield found


def ask(*metrics: ReadMetric, **parts: Any) -> Reading:
    return Reading(question="?", language=parts.pop("language", "zh"), metrics=metrics, **parts)


def metric(name: str, **more: Any) -> ReadMetric:
    return ReadMetric(words=name, metric=name, **more)


def rows(engine: Engine, reading: Reading) -> list[tuple[Any, ...]]:
    return engine.run(composed(reading, engine.dialect).sql)


def where(column: str, operator: Any, *values: Any, **more: Any) -> ReadFilter:
    return ReadFilter(words="", column=column, operator=operator, values=values, **more)


def test_a_number_that_only_ranks_is_not_shown(engine: Engine) -> None:
    first = ReadOrder(words="", metric=0)
    asked = ask(metric("orders", hidden=True), dimensions=by("orders.channel"), order=(first,), limit=1)
    assert rows(engine, asked) == [("天猫",), ("线下",)]
    assert [column.name for column in composed(asked, engine.dialect).columns] == ["渠道"]


def test_a_number_that_only_limits_is_not_shown(engine: Engine) -> None:
    asked = ask(metric("orders", hidden=True), metric("paid"), dimensions=by("orders.channel"))
    assert [column.name for column in composed(asked, engine.dialect).columns] == ["渠道", "已支付金额"]
    assert len(rows(engine, asked)[0]) == 2


def test_groups_told_apart_by_a_hidden_key_stay_apart(engine: Engine) -> None:
    key = ReadDimension(words="", column="customers.id", hidden=True)
    asked = ask(metric("customers"), dimensions=(key, *by("customers.region")))
    found = rows(engine, asked)
    assert len(found) == 6
    assert sorted({region for region, _ in found}) == ["华东", "华北", "华南"]


def test_rows_are_put_in_an_order_that_is_not_shown(engine: Engine) -> None:
    latest = ReadOrder(words="", column="orders.created_at", descending=True)
    asked = ask(dimensions=by("orders.order_no"), order=(latest,), rows=True, limit=2)
    assert rows(engine, asked) == [("N3",), ("N5",)]


def test_the_order_may_be_that_of_a_table_that_is_looked_up(engine: Engine) -> None:
    key = ReadOrder(words="", column="customers.id")
    asked = ask(dimensions=by("orders.order_no"), order=(key,), rows=True, limit=1)
    assert rows(engine, asked) == [("N8",)]


def test_the_share_of_one_value_is_of_everything_else_that_was_asked(engine: Engine) -> None:
    march = span("2026-03-01", "2026-04-01")
    part = where("orders.channel", "=", "京东", part=True)
    asked = ask(metric("paid"), filters=(part, where("customers.is_test", "=", 0)), times=(march,), share=True)
    assert rows(engine, asked) == [(300, 0.6)]


def test_the_share_of_one_value_is_worked_out_for_each_period(engine: Engine) -> None:
    months = span("2026-01-01", "2026-04-01")
    part = where("orders.channel", "=", "天猫", part=True)
    asked = ask(metric("real_paid"), dimensions=by("month"), filters=(part,), times=(months,), share=True)
    assert rows(engine, asked) == [("2026-01", None, None), ("2026-02", 100, 1), ("2026-03", 200, 0.4)]


def test_a_rule_of_the_metric_can_be_left_out_for_once(engine: Engine) -> None:
    march = (span("2026-03-01", "2026-04-01"),)
    assert rows(engine, ask(metric("real_paid"), times=march)) == [(500,)]
    assert rows(engine, ask(metric("real_paid", without=("customers.is_test",)), times=march)) == [(10499,)]


def test_the_difference_is_told_instead_of_the_rate(engine: Engine) -> None:
    march = span("2026-03-01", "2026-04-01", "month")
    asked = ask(metric("real_paid"), times=(march,), comparison="yoy", difference=True)
    assert rows(engine, asked) == [(500, 300, 200)]
    assert composed(asked, engine.dialect).columns[-1].label == "实收比去年同期增减"


def test_an_empty_text_is_not_filled_in_either(engine: Engine) -> None:
    asked = ask(metric("orders"), filters=(where("orders.channel", "is_null"),))
    assert rows(engine, asked) == [(1,)]
    assert rows(engine, ask(metric("orders"), filters=(where("orders.channel", "not_null"),))) == [(8,)]
