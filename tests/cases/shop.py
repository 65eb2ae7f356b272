"""The small shop of `fixture.sql` as a catalog, and two engines that hold it."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
import pymysql
import sqlglot
from sqlalchemy import make_url

from data_agent.composing.compose import compose
from data_agent.composing.composed import Composed
from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.reading import ReadDimension, Reading, ReadTime
from data_agent.domain.schema import Column, ColumnRole, Relationship, Table, TableRole
from data_agent.domain.time import CalendarSettings, Grain, TimeRange
from tests.servers import FIXTURE

NOW = datetime(2026, 3, 31, 9, tzinfo=ZoneInfo("Asia/Shanghai"))


@dataclass(frozen=True)
class Engine:
    """A database that runs a statement and gives rows of plain values."""

    dialect: str
    run: Callable[[str], list[tuple[Any, ...]]]


def table(name: str, columns: str, role: TableRole = "dim", **fields: Any) -> Table:
    """A table from a text of columns, `name type [role [alias]]`, separated by comma and space."""
    found = tuple(_column(name, part.split()) for part in columns.split(", "))
    keys = tuple(each.name for each in found if each.role == "primary_key")
    return Table(name=name, role=role, columns=found, primary_key=keys, **fields)


def _column(table_name: str, words: list[str]) -> Column:
    roles: dict[str, ColumnRole] = {"pk": "primary_key", "fk": "foreign_key", "m": "measure", "t": "time"}
    aliases = tuple(words[3:])
    role = roles.get(words[2], "dimension") if len(words) > 2 else "dimension"
    return Column(table=table_name, name=words[0], type=words[1], role=role, aliases=aliases)


def link(near: str, far: str, name: str = "") -> Relationship:
    """`orders.customer_id` refers to `customers.id`."""
    (from_table, column), (to_table, key) = near.split("."), far.split(".")
    return Relationship(from_table=from_table, from_columns=(column,), to_table=to_table, to_columns=(key,), name=name)


TABLES = (
    table(
        "customers",
        "id int pk, name varchar d 客户名称, region varchar d 大区, city varchar, level char, is_test tinyint",
    ),
    table("products", "id int pk, name varchar, category varchar d 品类, brand varchar d 品牌"),
    table(
        "orders",
        "id int pk, order_no varchar, customer_id int fk, status tinyint, pay_amount decimal(12,2) m 实付金额, "
        "discount decimal(5,2) m, channel varchar d 渠道, created_at datetime t, "
        "paid_at datetime t, rank int, group varchar",
        "fact",
        time_column="created_at",
        aliases=("订单",),
    ),
    table("order_items", "order_id int fk, product_id int fk, qty int m, price decimal(12,2) m", "fact"),
    table("payments", "id int pk, order_id int fk, amount decimal(12,2) m", "fact"),
    table("refunds", "id int pk, order_id int fk, amount decimal(12,2) m, refunded_at datetime t", "fact"),
    table("stock_snapshot", "stat_date date t, sku int, qty int m", "snapshot"),
    table("visits", "stat_date date t, user_id int", "fact"),
    table("region_rate", "month char(7) t, region varchar, converted int m, visitors int m", "fact"),
    table("departments", "id int pk, name varchar", aliases=("部门",)),
    table("employees", "id int pk, name varchar, dept_id int fk, manager_id int fk, score varchar(10)"),
    table("order", "id int pk, desc varchar"),
    table("events_ms", "id int, ts_ms bigint t", "fact"),
)
PAID = "orders.status = 1"
REAL = "COALESCE(customers.is_test, 0) = 0"
METRICS = (
    Metric(
        name="paid",
        aliases=("已支付金额",),
        table="orders",
        expression="SUM(pay_amount)",
        filters=(PAID,),
        format="currency",
        unit="元",
        finer="item_paid",
    ),
    Metric(
        name="real_paid",
        aliases=("实收", "real sales"),
        table="orders",
        expression="SUM(orders.pay_amount)",
        filters=(PAID, REAL),
    ),
    Metric(
        name="orders",
        aliases=("订单数", "order count"),
        table="orders",
        expression="COUNT(orders.id)",
        format="integer",
    ),
    Metric(
        name="paid_orders",
        aliases=("已支付订单数",),
        table="orders",
        expression="COUNT(orders.id)",
        filters=(PAID,),
        format="integer",
    ),
    Metric(
        name="buyers",
        aliases=("下单客户数",),
        table="orders",
        expression="COUNT(DISTINCT orders.customer_id)",
        format="integer",
        additivity="non_additive",
    ),
    Metric(name="average_order", aliases=("客单价",), expression="{real_paid} / {real_orders}"),
    Metric(
        name="real_orders", aliases=("有效订单数",), table="orders", expression="COUNT(orders.id)", filters=(PAID, REAL)
    ),
    Metric(
        name="item_paid",
        aliases=("商品金额",),
        table="order_items",
        expression="SUM(order_items.qty * order_items.price)",
    ),
    Metric(name="units", aliases=("销量",), table="order_items", expression="SUM(qty)"),
    Metric(name="payment", aliases=("支付",), table="payments", expression="SUM(amount)"),
    Metric(
        name="refund", aliases=("退款",), table="refunds", expression="SUM(amount)", time_column="refunds.refunded_at"
    ),
    Metric(name="net", aliases=("净收入",), expression="{payment} - {refund}"),
    Metric(name="net_sales", aliases=("净销售额",), expression="{paid} - {refund}"),
    Metric(name="refund_rate", aliases=("退款率",), expression="{refund} / {paid}", format="percent"),
    Metric(
        name="conversion",
        aliases=("转化率",),
        table="region_rate",
        expression="SUM(converted) / SUM(visitors)",
        additivity="non_additive",
        format="percent",
    ),
    Metric(
        name="visitors",
        aliases=("访问用户数",),
        table="visits",
        expression="COUNT(DISTINCT user_id)",
        additivity="non_additive",
    ),
    Metric(name="stock", aliases=("库存",), table="stock_snapshot", expression="SUM(qty)", additivity="semi_additive"),
    Metric(
        name="customers", aliases=("客户数",), table="customers", expression="COUNT(customers.id)", format="integer"
    ),
    Metric(
        name="average_paid",
        aliases=("平均实付",),
        table="orders",
        expression="AVG(orders.pay_amount)",
        filters=(PAID, REAL),
        additivity="non_additive",
    ),
    Metric(name="events", aliases=("埋点数",), table="events_ms", expression="COUNT(*)"),
)
LINKS = (
    link("orders.customer_id", "customers.id"),
    link("order_items.order_id", "orders.id"),
    link("order_items.product_id", "products.id"),
    link("payments.order_id", "orders.id"),
    link("refunds.order_id", "orders.id"),
    link("employees.dept_id", "departments.id"),
    link("employees.manager_id", "employees.id"),
)
CATALOG = Catalog(name="shop", version="1", tables=TABLES, metrics=METRICS, relationships=LINKS)


def span(start: str, end: str, grain: Grain = "day", label: str = "") -> ReadTime:
    """A time range on each metric's own time column; `end` is not part of it."""
    held = TimeRange(
        words="",
        start=date.fromisoformat(start) if start else None,
        end=date.fromisoformat(end) if end else None,
        grain=grain,
        label=label,
    )
    return ReadTime(range=held)


def by(*columns: str) -> tuple[ReadDimension, ...]:
    """Dimensions from texts: `table.column`, or a grain for each metric's own time."""
    grains = {"day", "week", "month", "quarter", "year"}
    return tuple(
        ReadDimension(words=each, column="", grain=each) if each in grains else ReadDimension(words=each, column=each)  # type: ignore[arg-type]
        for each in columns
    )


def composed(reading: Reading, dialect: str, catalog: Catalog = CATALOG, now: datetime = NOW) -> Composed:
    """The reading as one statement."""
    return compose(reading, catalog=catalog, dialect=dialect, now=now, calendar=CalendarSettings())


def plain(value: Any) -> Any:
    """A value as both engines agree on it: numbers as rounded decimals, whole ones as int."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float | Decimal):
        number = round(Decimal(str(value)), 6)
        return int(number) if number == number.to_integral_value() else float(number)
    return str(value)


def as_rows(found: Any) -> list[tuple[Any, ...]]:
    """Rows of plain values."""
    return [tuple(plain(value) for value in row) for row in found]


@contextlib.contextmanager
def duckdb_engine(statements: str) -> Iterator[Engine]:
    """An in-process DuckDB that ran these MySQL statements; those it has no type for are left out."""
    connection = duckdb.connect(":memory:")
    for statement in sqlglot.parse(statements, read="mysql"):
        if statement is not None and "odd_types" not in statement.sql() and statement.key != "set":
            connection.execute(_without_comments(statement.sql(dialect="duckdb")))
    with contextlib.closing(connection):
        yield Engine("duckdb", lambda sql: as_rows(connection.execute(sql).fetchall()))


def _without_comments(sql: str) -> str:
    return sqlglot.parse_one(sql, read="duckdb").sql(dialect="duckdb", comments=False)


@contextlib.contextmanager
def mysql_engine(url: str) -> Iterator[Engine]:
    """A MySQL database, in the strict mode that it starts with."""
    place = make_url(url)
    connection = pymysql.connect(
        host=place.host or "127.0.0.1",
        port=place.port or 3306,
        user=place.username or "root",
        password=place.password or "",
        database=place.database,
        charset="utf8mb4",
        autocommit=True,
    )

    def run(sql: str) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return as_rows(cursor.fetchall())

    with contextlib.closing(connection):
        yield Engine("mysql", run)


@contextlib.contextmanager
def shop_in_duckdb() -> Iterator[Engine]:
    """The shop in DuckDB."""
    with duckdb_engine(FIXTURE.read_text(encoding="utf-8")) as engine:
        yield engine
