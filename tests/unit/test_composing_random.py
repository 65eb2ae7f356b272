"""Composed statements agree with plain Python on random small stars, in both engines."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import duckdb
import pymysql
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import make_url

from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.reading import ReadDimension, ReadFilter, Reading, ReadMetric, ReadOrder
from tests.cases.shop import as_rows, composed, link, plain, span, table
from tests.servers import own_database

TABLES = (
    table("shops", "id int pk, name varchar(8)"),
    table("kinds", "id int pk, kind varchar(8)"),
    table("labels", "id int pk, label varchar(8)"),
    table("sales", "id int pk, shop_id int fk, kind_id int fk, amount decimal(8,2) m, sold_at datetime t", "fact"),
    table("goods", "id int pk, sale_id int fk, label_id int fk, quantity int m", "fact"),
)
METRICS = (
    Metric(name="total", table="sales", expression="SUM(amount)"),
    Metric(name="big", table="sales", expression="SUM(amount)", filters=("amount >= 3",)),
    Metric(name="number", table="sales", expression="COUNT(id)"),
    Metric(name="shops", table="sales", expression="COUNT(DISTINCT shop_id)", additivity="non_additive"),
    Metric(name="mean", expression="{total} / {number}"),
    Metric(name="pieces", table="goods", expression="SUM(quantity)", time_column="sales.sold_at"),
    Metric(name="pieces_each", expression="{pieces} / {number}"),
)
LINKS = (
    link("sales.shop_id", "shops.id"),
    link("sales.kind_id", "kinds.id"),
    link("goods.sale_id", "sales.id"),
    link("goods.label_id", "labels.id"),
)
CATALOG = Catalog(name="random", version="1", tables=TABLES, metrics=METRICS, relationships=LINKS)
COLUMNS = {
    "shops": ("INT", "VARCHAR(8)"),
    "kinds": ("INT", "VARCHAR(8)"),
    "labels": ("INT", "VARCHAR(8)"),
    "sales": ("INT", "INT", "INT", "DECIMAL(8,2)", "DATETIME"),
    "goods": ("INT", "INT", "INT", "INT"),
}
Row = dict[str, Any]
Data = dict[str, list[Row]]


def names_of(table_name: str) -> list[str]:
    found = CATALOG.table(table_name)
    assert found is not None
    return [column.name for column in found.columns]


def some(ids: int) -> st.SearchStrategy[int | None]:
    return st.one_of(st.none(), st.integers(1, ids))


@st.composite
def stars(draw: st.DrawFn) -> Data:
    names = st.one_of(st.none(), st.sampled_from(["p", "q", "r"]))
    data: Data = {
        each: [{"id": number, column: draw(names)} for number in (1, 2, 3)]
        for each, column in (("shops", "name"), ("kinds", "kind"), ("labels", "label"))
    }
    count = draw(st.sampled_from([7, 4, 2, 1, 0]))
    data["sales"] = [
        {
            "id": number,
            "shop_id": draw(some(4)),
            "kind_id": draw(some(3)),
            "amount": draw(st.one_of(st.none(), st.integers(-2, 5))),
            "sold_at": datetime(2025, 1, 1)
            + timedelta(days=draw(st.integers(0, 89)), hours=draw(st.sampled_from([0, 23]))),
        }
        for number in range(1, count + 1)
    ]
    data["goods"] = [
        {
            "id": n,
            "sale_id": draw(st.sampled_from([1, 1, 2, 3, 8, None])),
            "label_id": draw(st.sampled_from([1, 1, 2, None])),
            "quantity": draw(st.integers(1, 4)),
        }
        for n in range(1, draw(st.sampled_from([8, 5, 3, 0])) + 1)
    ]
    return data


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    below = draw(st.booleans())
    known = ["number", "shops", "pieces", "pieces_each"] if below else [metric.name for metric in METRICS]
    metrics = draw(st.lists(st.sampled_from(known), min_size=1, max_size=3, unique=True))
    cuts = st.sampled_from(["shops.name", "kinds.kind", "month"])
    dimensions = (["labels.label"] if below else []) + draw(st.lists(cuts, max_size=2 - below, unique=True))
    filters = draw(
        st.lists(
            st.builds(
                ReadFilter,
                words=st.just(""),
                column=st.sampled_from(["kinds.kind", "shops.name"]),
                operator=st.sampled_from(["in", "not_in"]),
                values=st.sampled_from([("p",), ("p", "q"), ("none such",)]),
            ),
            max_size=2,
            unique_by=lambda each: each.column,
        )
    )
    limit = draw(st.sampled_from([None, None, 1, 2])) if dimensions else None
    return Reading(
        question="?",
        language="en",
        metrics=tuple(ReadMetric(words="", metric=name) for name in metrics),
        dimensions=tuple(
            ReadDimension(words="", column="", grain="month")
            if each == "month"
            else ReadDimension(words="", column=each)
            for each in dimensions
        ),
        filters=tuple(filters),
        times=draw(st.sampled_from([(), (span("2025-01-15", "2025-03-01"),)])),
        order=(ReadOrder(metric=0, descending=draw(st.booleans())),),
        limit=limit,
    )


@dataclass(frozen=True)
class Oracle:
    """The answer by loops over Python rows: slow, plain and easy to believe."""

    data: Data
    reading: Reading

    def rows(self) -> list[tuple[Any, ...]]:
        parts = {name: self.part(name) for name in self.measures()}
        keys = {key for part in parts.values() for key in part} if self.reading.dimensions else {()}
        rows = [(*key, *(self.value(each.metric or "", parts, key) for each in self.reading.metrics)) for key in keys]
        return self.first([tuple(plain(value) for value in row) for row in rows])

    def measures(self) -> set[str]:
        parts = {"mean": {"total", "number"}, "pieces_each": {"pieces", "number"}}
        return set().union(*(parts.get(each.metric or "", {each.metric or ""}) for each in self.reading.metrics))

    def part(self, name: str) -> dict[tuple[Any, ...], float | int | None]:
        groups: dict[tuple[Any, ...], dict[int, Row]] = defaultdict(dict)
        home = "goods" if name == "pieces" else "sales"
        for row in self.data[home]:
            for key in self.keys(home, row):
                if name != "big" or (row["amount"] is not None and row["amount"] >= 3):
                    groups[key][row["id"]] = row
        if not self.reading.dimensions:
            groups.setdefault((), {})
        return {key: self.fold(name, list(rows.values())) for key, rows in groups.items()}

    def keys(self, home: str, row: Row) -> Iterable[tuple[Any, ...]]:
        sale = row if home == "sales" else self.one("sales", row["sale_id"])
        if not self.counts(sale):
            return
        lines = [row] if home == "goods" else self.below(row)
        yield from {tuple(self.cut(each, sale, line) for each in self.reading.dimensions) for line in lines}

    def below(self, sale: Row) -> list[Row | None]:
        found: list[Row | None] = [line for line in self.data["goods"] if line["sale_id"] == sale["id"]]
        return found or [None]

    def one(self, name: str, key: int | None) -> Row | None:
        return next((row for row in self.data[name] if row["id"] == key), None)

    def named(self, name: str, column: str, key: int | None) -> Any:
        row = self.one(name, key)
        return row[column] if row else None

    def cut(self, asked: ReadDimension, sale: Row | None, line: Row | None) -> Any:
        if asked.column == "labels.label":
            return self.named("labels", "label", line["label_id"] if line else None)
        if asked.grain:
            return f"{sale['sold_at']:%Y-%m}" if sale else None
        return self.of_sale(asked.column, sale)

    def of_sale(self, column: str, sale: Row | None) -> Any:
        if sale is None:
            return None
        name, field = column.split(".")
        return self.named(name, field, sale["shop_id" if name == "shops" else "kind_id"])

    def counts(self, sale: Row | None) -> bool:
        for each in self.reading.times:
            start, end = each.range.start or date.min, each.range.end or date.max
            if sale is None or not start <= sale["sold_at"].date() < end:
                return False
        for asked in self.reading.filters:
            found = self.of_sale(asked.column, sale) in asked.values
            if found != (asked.operator == "in"):
                return False
        return True

    def fold(self, name: str, rows: list[Row]) -> float | int | None:
        if name == "number":
            return len(rows)
        if name == "shops":
            return len({row["shop_id"] for row in rows} - {None})
        found = [row["quantity" if name == "pieces" else "amount"] for row in rows]
        known = [each for each in found if each is not None]
        return sum(known) if known else None

    def value(self, name: str, parts: dict[str, dict[tuple[Any, ...], Any]], key: tuple[Any, ...]) -> Any:
        if name == "mean":
            return self.ratio(parts["total"].get(key), parts["number"].get(key, 0))
        if name == "pieces_each":
            return self.ratio(parts["pieces"].get(key) or 0, parts["number"].get(key, 0))
        return parts[name].get(key, 0 if name in {"number", "shops"} else None)

    def ratio(self, above: Any, below: Any) -> float | None:
        return above / below if above is not None and below else None

    def first(self, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        limit = self.reading.limit
        if limit is None:
            return rows
        place, down = len(self.reading.dimensions), self.reading.order[0].descending

        def key(row: tuple[Any, ...]) -> tuple[bool, float]:
            return row[place] is None, 0 if row[place] is None else (-row[place] if down else row[place])

        return [row for row in rows if sum(key(other) < key(row) for other in rows) < limit]


def fill(execute: Callable[[str, tuple[Any, ...]], Any], data: Data, mark: str) -> None:
    for name, rows in data.items():
        execute(f"DELETE FROM {name}", ())
        if rows:
            row = f"({', '.join([mark] * len(rows[0]))})"
            values = tuple(value for each in rows for value in each.values())
            execute(f"INSERT INTO {name} VALUES {', '.join([row] * len(rows))}", values)


def create(execute: Callable[[str], Any]) -> None:
    for name, types in COLUMNS.items():
        columns = ", ".join(f"{column} {kind}" for column, kind in zip(names_of(name), types, strict=True))
        execute(f"CREATE TABLE {name} ({columns})")


def comparable(rows: Iterable[tuple[Any, ...]]) -> list[str]:
    return sorted(repr(tuple(_loose(value) for value in row)) for row in rows)


def _loose(value: Any) -> Any:
    return round(value, 5) if isinstance(value, float) else value


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(":memory:") as connection:
        connection.execute("SET threads = 1")
        create(connection.execute)
        yield connection


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=stars(), reading=readings())
def test_duckdb_agrees_with_plain_loops(connection: duckdb.DuckDBPyConnection, data: Data, reading: Reading) -> None:
    fill(connection.execute, data, "?")
    sql = composed(reading, "duckdb", CATALOG).sql
    found = as_rows(connection.execute(sql).fetchall())
    assert comparable(found) == comparable(Oracle(data, reading).rows()), sql


@pytest.fixture(scope="module")
def cursor(mysql_url: str) -> Iterator[Any]:
    with own_database(mysql_url) as url:
        place = make_url(url)
        connection = pymysql.connect(
            host=place.host or "127.0.0.1",
            port=place.port or 3306,
            user=place.username or "root",
            password=place.password or "",
            database=place.database,
        )
        with connection, connection.cursor() as cursor:
            create(cursor.execute)
            yield cursor


@pytest.mark.mysql
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=stars(), reading=readings())
def test_mysql_agrees_with_plain_loops(cursor: Any, data: Data, reading: Reading) -> None:
    fill(cursor.execute, data, "%s")
    sql = composed(reading, "mysql", CATALOG).sql
    cursor.execute(sql)
    assert comparable(as_rows(cursor.fetchall())) == comparable(Oracle(data, reading).rows()), sql
