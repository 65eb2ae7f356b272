"""A small star with NULLs, a policy for it, and the copy in which what the policy hides is physically gone.

The copy is made in plain Python, so that it knows nothing of how statements are rewritten.
"""

import hashlib
import random
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Catalog
from data_agent.domain.policy import Mask, Policy, Role, RowFilter
from data_agent.domain.schema import Column, Relationship, Table

Row = dict[str, Any]
Rows = dict[str, list[Row]]

KINDS = {"id": "INTEGER", "num": "INTEGER", "dec": "DECIMAL(10,2)", "text": "VARCHAR(80)", "date": "DATE"}
TABLES = {
    "regions": "region_id:id area:text manager:text",
    "customers": "customer_id:id region_id:id name:text phone:text level:text secret:text born:date",
    "products": "product_id:id name:text category:text cost:dec price:dec",
    "orders": "order_id:id customer_id:id region_id:id status:num amount:dec note:text created:date",
    "items": "order_id:id product_id:id qty:num price:dec cost:dec",
    "salaries": "person:id amount:dec",
}
SALT = "a salt that is long enough"
HIDDEN = {"customers.secret", "products.cost", "items.cost", "regions.manager", "salaries.person", "salaries.amount"}
CALLER = Caller(role="east", attributes={"area": "East", "regions": '["1", "3", "4"]', "level": "gold"})
POLICY = Policy(
    salt=SALT,
    roles=(
        Role(
            name="east",
            allow=("*",),
            deny=("salaries", "customers.secret", "products.cost", "items.cost", "regions.manager"),
            filters=(
                RowFilter(
                    table="orders",
                    where="region_id IN (SELECT r.region_id FROM regions r WHERE r.area = :caller.area)",
                    says="own area",
                ),
                RowFilter(table="customers", where="region_id IN (:caller.regions) OR region_id IS NULL"),
                RowFilter(table="customers", where="level = :caller.level OR secret IS NULL OR customer_id > 9"),
                RowFilter(
                    table="items",
                    where="EXISTS (SELECT 1 FROM orders o WHERE o.order_id = items.order_id AND o.status > 1)",
                ),
            ),
            masks=(
                Mask(column="customers.name", kind="hash"),
                Mask(column="customers.phone", kind="partial", keep_first=2, keep_last=3),
                Mask(column="customers.born", kind="bucket", by="quarter"),
                Mask(column="orders.note", kind="null"),
                Mask(column="orders.created", kind="bucket", by="month"),
                Mask(column="items.price", kind="bucket", size=10),
                Mask(column="products.price", kind="bucket", size=7),
            ),
        ),
    ),
)


def columns_of(table: str) -> dict[str, str]:
    """Column name → kind."""
    return dict(pair.split(":") for pair in TABLES[table].split())


def star() -> Catalog:
    """The whole catalog."""
    tables = tuple(
        Table(name=name, columns=tuple(Column(table=name, name=c, type=kind) for c, kind in columns_of(name).items()))
        for name in TABLES
    )
    keys = (("orders", "customer_id", "customers"), ("orders", "region_id", "regions"), ("items", "order_id", "orders"))
    links = tuple(Relationship(from_table=a, from_columns=(k,), to_table=b, to_columns=(k,)) for a, k, b in keys)
    return Catalog(name="star", version="1", tables=tables, relationships=links)


def full_rows(seed: int = 7) -> Rows:
    """Every row, a good part of the cells NULL."""
    rng = random.Random(seed)

    def cell(kind: str, name: str) -> Any:
        if rng.random() < 0.2:
            return None
        if kind in {"id", "num"}:
            return rng.randint(1, 5 if name in {"region_id", "status", "qty"} else 18)
        if kind == "dec":
            return Decimal(rng.randint(-3000, 9000)) / 100
        if kind == "date":
            return date(2025, 1, 1) + timedelta(days=rng.randrange(500))
        words = {"level": ["gold", "silver", "iron"], "area": ["East", "West"], "category": ["toy", "tea", "ink"]}
        return rng.choice(words.get(name, ["a", "bb", "1380000", "13812345678", "x'y", "z\\", "中文名字很长", "50%_"]))

    def row(table: str, number: int) -> Row:
        made = {name: cell(kind, name) for name, kind in columns_of(table).items()}
        first = next(iter(made))
        return {**made, first: number + 1} if table != "items" else made

    sizes = {"regions": 5, "customers": 20, "products": 8, "orders": 30, "items": 45, "salaries": 4}
    return {table: [row(table, n) for n in range(sizes[table])] for table in TABLES}


def _kept(full: Rows) -> dict[str, Callable[[Row], bool]]:
    east = {row["region_id"] for row in full["regions"] if row["area"] == "East"}
    shipped = {row["order_id"] for row in full["orders"] if (row["status"] or 0) > 1}
    return {
        "orders": lambda row: row["region_id"] in east,
        "customers": lambda row: (
            (row["region_id"] in (1, 3, 4, None))
            and (row["level"] == "gold" or row["secret"] is None or row["customer_id"] > 9)
        ),
        "items": lambda row: row["order_id"] in shipped,
        "salaries": lambda _: False,
    }


def _bucket(size: int) -> Callable[[Decimal], Decimal]:
    return lambda value: value - (value - size * (value // size) if value >= 0 else _above(value, size))


def _above(value: Decimal, size: int) -> Decimal:
    """How far a negative value lies above the multiple of `size` under it."""
    rest = (-value) % size
    return size - rest if rest else Decimal(0)


def _partial(text: str) -> str:
    return f"{text[:2]}****{text[-3:]}" if len(text) > 5 else "****"


MASKED: dict[str, Callable[[Any], Any]] = {
    "customers.name": lambda text: hashlib.sha256((SALT + text).encode()).hexdigest(),
    "customers.phone": _partial,
    "customers.born": lambda day: day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1),
    "orders.note": lambda _: None,
    "orders.created": lambda day: day.replace(day=1),
    "items.price": _bucket(10),
    "products.price": _bucket(7),
}


def cut_rows(full: Rows) -> Rows:
    """The rows, columns and values that the policy leaves, and nothing else."""
    kept = _kept(full)
    return {
        table: [_cut(table, row) for row in rows if kept.get(table, lambda _: True)(row)]
        for table, rows in full.items()
        if table != "salaries"
    }


def _cut(table: str, row: Row) -> Row:
    return {
        name: value if value is None else MASKED.get(f"{table}.{name}", lambda same: same)(value)
        for name, value in row.items()
        if f"{table}.{name}" not in HIDDEN
    }


def create_statements(rows: Rows) -> list[str]:
    """CREATE TABLE for whatever columns the rows have."""
    return [
        f"CREATE TABLE {table} ({', '.join(f'{c} {k}' for c, k in _kinds(table, held).items())})"
        for table, held in rows.items()
    ]


def _kinds(table: str, held: list[Row]) -> dict[str, str]:
    names = held[0].keys() if held else columns_of(table).keys()
    return {name: KINDS[columns_of(table)[name]] for name in names}
