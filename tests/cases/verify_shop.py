"""A small catalog and a role with every kind of rule, for the verifier."""

from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Catalog
from data_agent.domain.policy import Mask, Policy, Role, RowFilter
from data_agent.domain.schema import Column, Table

TABLES = {
    "orders": "id customer_id region channel pay_amount created_at",
    "customers": "id name phone email sex id_card born level_points region",
    "products": "id name brand cost",
    "tags": "id tag phone",
    "refunds": "id order_id amount",
    "managers": "name region",
    "salaries": "id name amount",
    "archive.events": "id kind",
    "old_orders": "id region",
}
SALT = "0123456789abcdef"
POLICY = Policy(
    salt=SALT,
    roles=(
        Role(
            name="analyst",
            allow=("*",),
            deny=("customers.id_card", "customers.sex", "products.cost", "managers", "salaries"),
            filters=(
                RowFilter(table="orders", where="region = :caller.region"),
                RowFilter(
                    table="refunds",
                    where="EXISTS (SELECT 1 FROM managers AS m WHERE m.region = :caller.region AND m.name = 'a')",
                ),
                RowFilter(table="refunds", where="amount > 0 OR order_id IN (:caller.orders)"),
            ),
            masks=(
                Mask(column="customers.phone", kind="partial", keep_first=3, keep_last=2),
                Mask(column="customers.email", kind="hash"),
                Mask(column="customers.name", kind="null"),
                Mask(column="customers.level_points", kind="bucket", size=100),
                Mask(column="customers.born", kind="bucket", by="year"),
            ),
        ),
        Role(name="everything", allow=("*",)),
        Role(name="clerk", allow=("orders.id", "orders.region", "tags")),
    ),
)
CALLER = Caller(name="li", role="analyst", attributes={"region": "华东", "orders": '["7", "8"]'})

# Written in both dialects alike: `<orders>` in a statement stands for the table as its role has it.
RELATIONS = {
    "orders": "(SELECT orders.id AS id, orders.customer_id AS customer_id, orders.region AS region, "
    "orders.pay_amount AS pay_amount, orders.created_at AS created_at FROM orders WHERE (orders.region = '华东'))",
    "refunds": "(SELECT refunds.id AS id, refunds.order_id AS order_id, refunds.amount AS amount FROM refunds WHERE "
    "(EXISTS(SELECT 1 FROM managers AS m WHERE m.region = '华东' AND m.name = 'a')) "
    "AND (refunds.amount > 0 OR refunds.order_id IN ('7', '8')))",
    "customers": "(SELECT customers.id AS id, CASE WHEN CHAR_LENGTH(customers.phone) > 5 THEN "
    "CONCAT(LEFT(customers.phone, 3), '****', RIGHT(customers.phone, 2)) WHEN NOT customers.phone IS NULL THEN '****' "
    "END AS phone, SHA2(CONCAT('0123456789abcdef', customers.email), 256) AS email, NULL AS name, "
    "customers.region AS region FROM customers)",
}


def verify_shop() -> Catalog:
    """The whole catalog, hidden tables and columns included."""
    tables = tuple(
        Table(
            name=name,
            columns=tuple(Column(table=name, name=column) for column in columns.split()),
            retired=name == "old_orders",
        )
        for name, columns in TABLES.items()
    )
    return Catalog(name="shop", version="1", tables=tables)


def spelled(sql: str) -> str:
    """The statement with its relations written out."""
    for name, relation in RELATIONS.items():
        sql = sql.replace(f"<{name}>", relation)
    return sql
