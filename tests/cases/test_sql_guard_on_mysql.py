"""What the guard writes, run on a real server: the rows are those of the statement that came in, or better ones."""

import pytest

from data_agent.options import Limits
from data_agent.sql.admit import admit
from repositories.sql.warehouse import MySQLWarehouse
from tests.cases.sql_shop import sql_shop

pytestmark = pytest.mark.mysql


async def rows_of(shop: MySQLWarehouse, sql: str, most: int = 1000) -> list[tuple[object, ...]]:
    admitted = admit(
        sql, catalog=sql_shop(), dialect="mysql", limits=Limits(max_rows=most), version=await shop.version()
    )
    plan = await shop.explain(admitted)
    assert plan.complaint is None, f"{plan.complaint} in {admitted.sql}"
    return [tuple(row) for row in (await shop.fetch(admitted, Limits())).rows]


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT name || city FROM customers WHERE id = 1", [("甲公司北京市",)]),
        ("SELECT COUNT(*) FROM orders WHERE order_no REGEXP '^N[12]$'", [(2,)]),
        ("SELECT DATE_ADD(DATE(created_at), INTERVAL 9 HOUR) FROM orders WHERE id = 3", [("2026-03-31 09:00:00",)]),
        ("SELECT TO_CHAR(created_at, 'YYYY-MM') FROM orders WHERE id = 3", [("2026-03",)]),
        ("SELECT COUNT(*) FROM orders", [(9,)]),
        ("SELECT COUNT(*) FROM CUSTOMERS C WHERE c.CITY LIKE '%北京%'", [(2,)]),
        ("SELECT `desc` FROM `order`", [("x",)]),
        ("SELECT '/*! 促销 */ -- 备注' AS t", [("/*! 促销 */ -- 备注",)]),
        ("SELECT id FROM orders ORDER BY created_at DESC LIMIT 1, 1", [(5,)]),
    ],
)
async def test_the_rendered_statement_gives_the_meant_rows(
    shop: MySQLWarehouse, sql: str, rows: list[tuple[object, ...]]
) -> None:
    """The first is the case q173: pipes put texts together."""
    assert await rows_of(shop, sql, most=3) == rows


@pytest.mark.parametrize(
    ("sql", "most", "count"),
    [
        ('SELECT city AS "城市", COUNT(*) FROM customers GROUP BY "城市"', 1000, 5),
        ("SELECT * FROM customers c FULL OUTER JOIN orders o ON o.customer_id = c.id", 1000, 10),
        ("SELECT a.id, b.id FROM (SELECT id FROM orders LIMIT 5) a JOIN customers b ON 1=1", 10, 10),
        ("SELECT a.id, b.id FROM orders a JOIN customers b ON b.id = a.customer_id", 2, 2),
        ("SELECT channel, SUM(pay_amount) FROM orders GROUP BY channel WITH ROLLUP", 1000, 5),
        ("SELECT p.id FROM orders o JOIN refunds r JOIN payments p ON p.order_id = o.id", 1000, 9),
        ("SELECT * FROM visits NATURAL JOIN stock_snapshot", 1000, 8),
    ],
)
async def test_the_number_of_rows_is_right(shop: MySQLWarehouse, sql: str, most: int, count: int) -> None:
    assert len(await rows_of(shop, sql, most)) == count
