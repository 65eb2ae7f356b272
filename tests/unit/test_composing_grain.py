"""No row is counted twice: metrics meet only after each is aggregated at its own grain."""

from collections.abc import Iterator
from typing import Any

import pytest

from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.reading import ReadDimension, ReadFilter, Reading, ReadMetric, ReadTime
from data_agent.errors import CannotAnswer, NeedsClarification
from tests.cases.shop import Engine, as_rows, composed, duckdb_engine, link, mysql_engine, span, table
from tests.servers import own_database, run_sql

ROWS = """
CREATE TABLE regions (id INT PRIMARY KEY, name VARCHAR(20));
INSERT INTO regions VALUES (1,'north'),(2,'south'),(3,'empty');
CREATE TABLE customers (id INT PRIMARY KEY, region_id INT, level VARCHAR(10), age INT);
INSERT INTO customers VALUES (1,1,'gold',30),(2,2,'plain',41),(3,NULL,NULL,50);
CREATE TABLE products (id INT PRIMARY KEY, brand VARCHAR(20), cost DECIMAL(8,2));
INSERT INTO products VALUES (1,'A',1),(2,'B',2),(3,'C',3);
CREATE TABLE tags (id INT PRIMARY KEY, name VARCHAR(20));
INSERT INTO tags VALUES (1,'new'),(2,'sale');
CREATE TABLE product_tags (product_id INT, tag_id INT);
INSERT INTO product_tags VALUES (1,1),(1,2),(2,2);
CREATE TABLE orders (id INT PRIMARY KEY, customer_id INT, region_id INT, status INT, amount DECIMAL(10,2), at DATETIME);
INSERT INTO orders VALUES (1,1,1,1,100,'2025-01-05 10:00:00'),(2,1,2,1,50,'2025-02-05 23:59:59');
INSERT INTO orders VALUES (3,2,2,2,70,'2025-02-06 00:00:00'),(4,NULL,NULL,1,10,'2025-03-01 00:00:00');
INSERT INTO orders VALUES (5,3,1,1,NULL,'2025-03-02 00:00:00');
CREATE TABLE items (id INT PRIMARY KEY, order_id INT, product_id INT, quantity INT, amount DECIMAL(10,2));
INSERT INTO items VALUES (1,1,1,1,60),(2,1,2,2,40),(3,2,1,1,50),(4,3,3,1,70),(5,4,NULL,1,10);
CREATE TABLE refunds (id INT PRIMARY KEY, order_id INT, amount DECIMAL(10,2), at DATETIME);
INSERT INTO refunds VALUES (1,1,20,'2025-02-01 00:00:00'),(2,1,5,'2025-04-01 00:00:00'),(3,3,70,'2025-02-10 00:00:00');
CREATE TABLE stock (at DATE, product_id INT, quantity INT);
INSERT INTO stock VALUES ('2025-01-30',1,5),('2025-01-31',1,4),('2025-01-31',2,7),('2025-02-28',1,9);
INSERT INTO stock VALUES ('2025-02-28',2,NULL);
CREATE TABLE islands (id INT PRIMARY KEY, name VARCHAR(20));
INSERT INTO islands VALUES (1,'x')
"""
TABLES = (
    table("regions", "id int pk, name varchar(20)"),
    table("customers", "id int pk, region_id int fk, level varchar(10), age int m"),
    table("products", "id int pk, brand varchar(20), cost decimal(8,2) m"),
    table("tags", "id int pk, name varchar(20)"),
    table("product_tags", "product_id int fk, tag_id int fk", "bridge"),
    table(
        "orders", "id int pk, customer_id int fk, region_id int fk, status int, amount decimal(10,2) m, at datetime t"
    ),
    table("items", "id int pk, order_id int fk, product_id int fk, quantity int m, amount decimal(10,2) m", "fact"),
    table("refunds", "id int pk, order_id int fk, amount decimal(10,2) m, at datetime t", "fact"),
    table("stock", "at date t, product_id int fk, quantity int m", "snapshot"),
    table("islands", "id int pk, name varchar(20)"),
)
METRICS = (
    Metric(
        name="sales",
        table="orders",
        expression="SUM(amount)",
        filters=("status = 1 OR status = 2",),
        finer="item_sales",
    ),
    Metric(name="paid", table="orders", expression="SUM(amount)", filters=("status = 1",)),
    Metric(name="order_count", table="orders", expression="COUNT(id)"),
    Metric(name="buyers", table="orders", expression="COUNT(DISTINCT customer_id)", additivity="non_additive"),
    Metric(name="mean", table="orders", expression="AVG(amount)", additivity="non_additive"),
    Metric(name="largest", table="orders", expression="MAX(amount)", additivity="non_additive"),
    Metric(name="item_sales", table="items", expression="SUM(items.amount)", time_column="orders.at"),
    Metric(name="cost", table="items", expression="SUM(items.quantity * products.cost)", time_column="orders.at"),
    Metric(name="margin", expression="({item_sales} - {cost}) / {item_sales}", format="percent"),
    Metric(name="per_order", expression="{sales} / {order_count}"),
    Metric(name="refunded", table="refunds", expression="SUM(amount)"),
    Metric(name="refund_share", expression="{refunded} / {sales}", format="percent"),
    Metric(name="left", expression="{sales} - {refunded}"),
    Metric(name="stock", table="stock", expression="SUM(quantity)", additivity="semi_additive"),
    Metric(name="people", table="customers", expression="COUNT(*)"),
    Metric(name="loop", expression="{loop} + 1"),
)
LINKS = (
    link("customers.region_id", "regions.id", "home"),
    link("orders.customer_id", "customers.id"),
    link("orders.region_id", "regions.id", "shipping"),
    link("items.order_id", "orders.id"),
    link("items.product_id", "products.id"),
    link("product_tags.product_id", "products.id"),
    link("product_tags.tag_id", "tags.id"),
    link("refunds.order_id", "orders.id"),
    link("stock.product_id", "products.id"),
)
CATALOG = Catalog(name="grain", version="1", tables=TABLES, metrics=METRICS, relationships=LINKS)


@pytest.fixture(scope="module", params=["duckdb", pytest.param("mysql", marks=pytest.mark.mysql)])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    if request.param == "duckdb":
        with duckdb_engine(ROWS) as found:
            yield found
        return
    with own_database(request.getfixturevalue("mysql_url")) as url:
        run_sql(url, ROWS)
        with mysql_engine(url) as found:
            yield found


def ask(*names: str, by: tuple[str, ...] = (), **parts: Any) -> Reading:
    metrics = tuple(ReadMetric(words=name, metric=name) for name in names)
    grains: Any = {"day", "week", "month", "quarter", "year"}
    dimensions = tuple(
        ReadDimension(words=each, column="", grain=each)  # type: ignore[arg-type]
        if each in grains
        else ReadDimension(words=each, column=each)
        for each in by
    )
    return Reading(question="?", language="en", metrics=metrics, dimensions=dimensions, **parts)


def where(column: str, operator: Any, *values: Any) -> ReadFilter:
    return ReadFilter(words="", column=column, operator=operator, values=values)


def answer(engine: Engine, reading: Reading, catalog: Catalog = CATALOG) -> set[tuple[Any, ...]]:
    found = engine.run(composed(reading, engine.dialect, catalog).sql)
    assert len(found) == len(set(found))
    return set(found)


def test_a_sum_cut_below_its_grain_is_measured_by_the_finer_metric(engine: Engine) -> None:
    reading = ask("sales", by=("products.brand",))
    assert answer(engine, reading) == {("A", 110), ("B", 40), ("C", 70), (None, 10)}
    notes = composed(reading, engine.dialect, CATALOG).notes
    assert any("item_sales stands in" in note for note in notes)


def test_a_filter_below_the_grain_is_measured_by_the_finer_metric_too(engine: Engine) -> None:
    assert answer(engine, ask("sales", filters=(where("products.brand", "=", "A"),))) == {(110,)}


def test_with_nothing_finer_a_sum_below_its_grain_is_refused(engine: Engine) -> None:
    with pytest.raises(CannotAnswer, match="cannot be cut or filtered by products") as caught:
        composed(ask("paid", by=("products.brand",)), engine.dialect, CATALOG)
    assert "finer" in caught.value.hint


def test_an_average_below_its_grain_is_refused(engine: Engine) -> None:
    with pytest.raises(CannotAnswer):
        composed(ask("mean", by=("products.brand",)), engine.dialect, CATALOG)


def test_a_count_below_its_grain_counts_each_row_once_per_group(engine: Engine) -> None:
    reading = ask("order_count", "buyers", "largest", by=("products.brand",))
    assert answer(engine, reading) == {("A", 2, 1, 100), ("B", 1, 1, 100), ("C", 1, 1, 70), (None, 2, 1, 10)}
    assert any("may add up to more" in note for note in composed(reading, engine.dialect, CATALOG).notes)


def test_a_bridge_counts_each_row_once_in_each_of_its_groups(engine: Engine) -> None:
    assert answer(engine, ask("item_sales", by=("tags.name",))) == {("new", 110), ("sale", 150), (None, 80)}


def test_a_condition_across_a_bridge_repeats_nothing(engine: Engine) -> None:
    either = where("tags.name", "in", "new", "sale")
    assert answer(engine, ask("item_sales", filters=(either,))) == {(150,)}


def test_what_may_not_be_across_a_bridge_is_denied_for_every_row_there(engine: Engine) -> None:
    assert answer(engine, ask("item_sales", filters=(where("tags.name", "!=", "new"),))) == {(120,)}


def test_two_conditions_on_lines_hold_for_the_same_line(engine: Engine) -> None:
    same = (where("products.brand", "=", "A"), where("items.quantity", "=", 2))
    assert answer(engine, ask("order_count", filters=same)) == {(0,)}


def test_two_facts_keep_the_groups_of_either_side(engine: Engine) -> None:
    found = answer(engine, ask("sales", "refunded", "left", "refund_share", by=("month",)))
    assert found == {
        ("2025-01", 100, None, 100, 0),
        ("2025-02", 120, 90, 30, 0.75),
        ("2025-03", 10, None, 10, 0),
        ("2025-04", None, 5, -5, None),
    }


def test_two_facts_meet_in_the_empty_group(engine: Engine) -> None:
    found = answer(engine, ask("order_count", "item_sales", by=("regions.name",)))
    assert found == {("north", 2, 100), ("south", 2, 120), (None, 1, 10)}


def test_without_groups_two_facts_stand_side_by_side(engine: Engine) -> None:
    assert answer(engine, ask("sales", "refunded", "left")) == {(230, 95, 135)}


def test_a_ratio_is_computed_at_the_asked_grain(engine: Engine) -> None:
    assert answer(engine, ask("margin")) == {(0.96087,)}
    found = {row[0]: row[1] for row in answer(engine, ask("margin", by=("products.brand",)))}
    assert found == {"A": 0.981818, "B": 0.9, "C": 0.957143, None: None}


def test_a_part_of_a_ratio_may_be_finer_than_the_other(engine: Engine) -> None:
    found = {row[0]: row[1] for row in answer(engine, ask("per_order", by=("products.brand",)))}
    assert found == {"A": 55, "B": 40, "C": 70, None: 5}


def test_no_rows_count_0_and_sum_to_nothing(engine: Engine) -> None:
    nowhere = (where("orders.status", "=", 99),)
    assert answer(engine, ask("order_count", "paid", "mean", "per_order", filters=nowhere)) == {(0, None, None, None)}


def test_an_or_in_a_metrics_filter_stays_in_its_brackets(engine: Engine) -> None:
    assert answer(engine, ask("sales", filters=(where("orders.id", "=", 1),))) == {(100,)}


def test_a_snapshot_is_the_last_one_of_each_period(engine: Engine) -> None:
    assert answer(engine, ask("stock", by=("month",))) == {("2025-01", 11), ("2025-02", 9)}
    assert answer(engine, ask("stock", by=("products.brand",))) == {("A", 9), ("B", None)}
    assert answer(engine, ask("stock", times=(span("2025-01-01", "2025-02-01"),))) == {(11,)}


def test_an_average_per_period_is_a_mean_of_totals(engine: Engine) -> None:
    monthly = ReadDimension(words="monthly", column="", grain="month")
    reading = ask().model_copy(update={"metrics": (ReadMetric(words="", metric="order_count", per=monthly),)})
    assert answer(engine, reading) == {(1.666667,)}


def test_an_average_per_member_leaves_nobody_out_but_the_nameless(engine: Engine) -> None:
    each = ReadDimension(words="customer", column="customers.id")
    metrics = (ReadMetric(words="", metric="order_count", per=each), ReadMetric(words="", metric="order_count"))
    reading = ask(by=("orders.status",)).model_copy(update={"metrics": metrics})
    assert answer(engine, reading) == {(1, 1.5, 4), (2, 1, 1)}


def test_the_shortest_way_to_a_dimension_is_taken(engine: Engine) -> None:
    assert answer(engine, ask("order_count", by=("regions.name",))) == {("north", 2), ("south", 2), (None, 1)}


def test_a_chosen_way_is_taken_instead(engine: Engine) -> None:
    reading = ask("order_count", by=("regions.name",), paths=("home",))
    assert answer(engine, reading) == {("north", 2), ("south", 1), (None, 2)}


def test_equally_short_ways_are_asked_about_by_name() -> None:
    links = (*LINKS, link("orders.status", "regions.id", "billing"))
    catalog = CATALOG.model_copy(update={"relationships": links})
    with pytest.raises(NeedsClarification) as caught:
        composed(ask("order_count", by=("regions.name",)), "duckdb", catalog)
    (ambiguity,) = caught.value.choices
    assert [choice.id for choice in ambiguity.choices] == ["path:billing", "path:shipping"]  # type: ignore[attr-defined]


def test_no_way_is_said(engine: Engine) -> None:
    with pytest.raises(CannotAnswer, match="orders and islands are not related"):
        composed(ask("order_count", by=("islands.name",)), engine.dialect, CATALOG)


def test_a_metric_that_refers_to_itself_is_refused() -> None:
    with pytest.raises(CannotAnswer, match="refers to itself"):
        composed(ask("loop"), "duckdb", CATALOG)


def test_members_with_and_without_rows_elsewhere(engine: Engine) -> None:
    assert answer(engine, ask("people", filters=(where("orders.*", "has_rows"),))) == {(3,)}
    assert answer(engine, ask("people", filters=(where("refunds.*", "no_rows"),))) == {(1,)}


def test_conditions_on_the_missing_rows_belong_to_them(engine: Engine) -> None:
    since = ReadTime(range=span("2025-02-01", "2025-03-01").range, column="orders.at")
    idle = ask("people", filters=(where("orders.*", "no_rows"),), times=(since,))
    assert answer(engine, idle) == {(1,)}
    without = ask("people", filters=(where("items.*", "no_rows"), where("products.brand", "=", "A")))
    assert answer(engine, without) == {(2,)}


def test_except_keeps_rows_without_a_value(engine: Engine) -> None:
    found = answer(
        engine, ask("order_count", by=("customers.level",), filters=(where("customers.level", "!=", "gold"),))
    )
    assert found == {("plain", 1), (None, 2)}


def test_a_period_of_the_dimension_table_cuts_by_that_time(engine: Engine) -> None:
    of_order = ReadDimension(words="", column="orders.at", grain="month")
    reading = ask("refunded").model_copy(update={"dimensions": (of_order,)})
    assert answer(engine, reading) == {("2025-01", 25), ("2025-02", 70)}


def test_rows_compare_as_plain_values() -> None:
    assert as_rows([(1.0, True, None, "x")]) == [(1, True, None, "x")]
