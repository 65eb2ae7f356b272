"""The tables and keys of the small shop in fixture.sql, as the guard's catalog."""

from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Relationship, Table

TABLES = {
    "customers": "id name region city level is_test",
    "products": "id name category brand",
    "orders": "id order_no customer_id status pay_amount discount channel created_at paid_at rank group",
    "order_items": "order_id product_id qty price",
    "payments": "id order_id amount",
    "refunds": "id order_id amount refunded_at",
    "stock_snapshot": "stat_date sku qty",
    "visits": "stat_date user_id",
    "region_rate": "month region converted visitors",
    "departments": "id name",
    "employees": "id name dept_id manager_id score",
    "order": "id desc",
    "events_ms": "id ts_ms",
    "big_ids": "id note",
    "odd_types": "id flag payload dur raw ratio emo",
}
LINKS = (
    ("orders", "customer_id", "customers", "id"),
    ("order_items", "order_id", "orders", "id"),
    ("order_items", "product_id", "products", "id"),
    ("payments", "order_id", "orders", "id"),
    ("refunds", "order_id", "orders", "id"),
    ("employees", "dept_id", "departments", "id"),
)


def sql_shop() -> Catalog:
    """The shop's catalog: names and keys, which is all the guard looks at."""
    tables = tuple(
        Table(name=name, columns=tuple(Column(table=name, name=column) for column in columns.split()))
        for name, columns in TABLES.items()
    )
    links = tuple(
        Relationship(from_table=one, from_columns=(key,), to_table=other, to_columns=(target,))
        for one, key, other, target in LINKS
    )
    return Catalog(name="shop", version="1", tables=tables, relationships=links)
