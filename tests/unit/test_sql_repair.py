"""Statements mended from the catalog alone; every mended one is admitted."""

import pytest

from data_agent.options import Limits
from data_agent.sql.admit import admit
from data_agent.sql.repair import repair
from tests.cases.sql_shop import sql_shop


@pytest.mark.parametrize(
    ("broken", "mended"),
    [
        ("SELECT customers.name FROM customers c", "SELECT c.name FROM customers AS c"),
        (
            "SELECT c.pay_amount FROM customers c JOIN orders o ON o.customer_id = c.id",
            "SELECT o.pay_amount FROM customers AS c JOIN orders AS o ON o.customer_id = c.id",
        ),
        (
            "SELECT T2.name FROM orders AS T1",
            "SELECT customers.name FROM orders AS T1 JOIN customers ON T1.customer_id = customers.id",
        ),
        (
            "SELECT category, SUM(qty) FROM order_items GROUP BY category",
            "SELECT products.category, SUM(qty) FROM order_items JOIN products ON order_items.product_id = products.id "
            "GROUP BY category",
        ),
        ("SELECT total_price FROM orders", "SELECT pay_amount FROM orders"),
        ("SELECT order_id FROM order_item", "SELECT order_id FROM order_items AS order_item"),
        (
            "SELECT id FROM orders o JOIN customers c ON o.customer_id = c.id",
            "SELECT o.id FROM orders AS o JOIN customers AS c ON o.customer_id = c.id",
        ),
        ("SELECT channel, COUNT(*) FROM orders", "SELECT channel, COUNT(*) FROM orders GROUP BY channel"),
        (
            "SELECT channel FROM orders ORDER BY COUNT(*) DESC LIMIT 1",
            "SELECT channel FROM orders GROUP BY channel ORDER BY COUNT(*) DESC LIMIT 1",
        ),
    ],
)
def test_a_name_or_group_the_catalog_decides_is_mended(broken: str, mended: str) -> None:
    found = repair(broken, catalog=sql_shop(), dialect="mysql")
    assert found is not None
    assert found[0] == mended
    assert found[1]
    admit(found[0], catalog=sql_shop(), dialect="mysql", limits=Limits())


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM orders",
        "SELECT SLEEP(1)",
        "DROP TABLE orders",
        "SELECT zzz FROM visits",
        "no SQL at all",
        "SELECT COUNT(c.id), MAX(c.pay_amount) FROM customers c",
    ],
)
def test_nothing_is_done_where_nothing_is_certain(sql: str) -> None:
    assert repair(sql, catalog=sql_shop(), dialect="mysql") is None


def test_a_join_is_never_a_table_with_itself() -> None:
    found = repair("SELECT name FROM orders", catalog=sql_shop(), dialect="mysql")
    assert found is not None
    assert "orders.customer_id = customers.id" in found[0]
