"""Tables that nothing joins are found; those that something joins, or that have one row, are not."""

import pytest
import sqlglot

from data_agent.options import Limits
from data_agent.sql.admit import admit
from data_agent.sql.joined import unjoined
from tests.cases.sql_shop import sql_shop

APART = {
    "a comma and nothing else": ("SELECT 1 FROM orders o, customers c", ("c",)),
    "a cross join": ("SELECT 1 FROM orders o CROSS JOIN customers c WHERE o.id > 5", ("c",)),
    "an ON that names one table": ("SELECT 1 FROM orders o JOIN customers c ON c.id = 3", ("c",)),
    "a constant ON": ("SELECT 1 FROM orders o JOIN customers c ON 1 = 1", ("c",)),
    "the third of three": (
        "SELECT 1 FROM orders o JOIN customers c ON c.id = o.customer_id JOIN refunds r ON r.amount > 0",
        ("r",),
    ),
    "inside a subquery": ("SELECT id FROM orders WHERE id IN (SELECT a.id FROM refunds a, payments b)", ("b",)),
    "an arm of a union": ("SELECT 1 FROM orders o UNION ALL SELECT 1 FROM refunds a, payments b", ("b",)),
    "unequal only": ("SELECT 1 FROM orders o JOIN customers c ON o.customer_id <> c.id", ("c",)),
    "a derived table of many rows": (
        "SELECT 1 FROM orders o, (SELECT region, COUNT(*) n FROM customers GROUP BY region) x",
        ("x",),
    ),
}
JOINED = {
    "by key": "SELECT 1 FROM orders o JOIN customers c ON c.id = o.customer_id",
    "in WHERE": "SELECT 1 FROM orders o, customers c WHERE (c.id = o.customer_id) AND o.id > 3",
    "by USING": "SELECT 1 FROM refunds r JOIN payments p USING (order_id)",
    "by a range": "SELECT 1 FROM orders o JOIN visits v ON v.stat_date BETWEEN o.created_at AND o.paid_at",
    "a total beside each row": "SELECT o.pay_amount / t.s FROM orders o, (SELECT SUM(pay_amount) s FROM orders) t",
    "a total in WITH": "WITH t AS (SELECT SUM(amount) s FROM refunds) SELECT 1 FROM orders o CROSS JOIN t",
    "a constant row": "SELECT 1 FROM orders o CROSS JOIN (SELECT 5 n) x",
    "lateral": "SELECT 1 FROM orders o, LATERAL (SELECT r.id FROM refunds r WHERE r.order_id = o.id) x",
    "through a third": (
        "SELECT 1 FROM customers c, refunds r, orders o WHERE o.customer_id = c.id AND r.order_id = o.id"
    ),
    "one table": "SELECT 1 FROM orders",
}


@pytest.mark.parametrize(("sql", "expected"), APART.values(), ids=APART)
def test_a_table_that_nothing_joins_is_named(sql: str, expected: tuple[str, ...]) -> None:
    assert unjoined(sqlglot.parse_one(sql, read="mysql")) == expected
    assert admit(sql, catalog=sql_shop(), dialect="mysql", limits=Limits()).unjoined == expected


@pytest.mark.parametrize("sql", JOINED.values(), ids=JOINED)
def test_what_is_joined_or_has_one_row_is_fine(sql: str) -> None:
    assert unjoined(sqlglot.parse_one(sql, read="mysql")) == ()
    assert admit(sql, catalog=sql_shop(), dialect="mysql", limits=Limits()).unjoined == ()
