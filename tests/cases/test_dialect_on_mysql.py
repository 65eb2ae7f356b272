"""Statements that other products got wrong on MySQL: as written, and as our parser renders them, on a real server."""

from typing import Any

import pytest
import sqlglot

from data_agent.domain.admitted import AdmittedSql
from data_agent.errors import StatementFailed, WarehouseTimeout
from data_agent.options import Limits
from repositories.sql.warehouse import MySQLWarehouse
from tests.cases.conftest import Ask

pytestmark = pytest.mark.mysql

CASES: list[tuple[str, str, list[tuple[Any, ...]]]] = [
    ("Q005 a percent sign is no placeholder", "SELECT COUNT(*) FROM customers WHERE city LIKE '%北京%'", [(2,)]),
    (
        "Q074 double quotes hold a text",
        'SELECT COUNT(*) FROM customers WHERE city = "北京市"',
        [(2,)],
    ),
    (
        "Q080 dividing by zero gives NULL",
        "SELECT region, converted/visitors AS r FROM region_rate WHERE region='华南'",
        [("华南", None)],
    ),
    (
        "Q123 Chinese names need no quotes",
        "WITH t AS (SELECT 1 AS `销售额`, '北京' AS 城市) SELECT 城市, `销售额` FROM t",
        [("北京", 1)],
    ),
    (
        "Q145 DATE() inside DATE_ADD stays",
        "SELECT DATE_ADD(DATE(created_at), INTERVAL 9 HOUR) FROM orders WHERE id = 3",
        [("2026-03-31 09:00:00",)],
    ),
    (
        "Q171 a colon in a text is no parameter",
        "SELECT '时段 :上午' AS a, '{\"ok\":true}' AS b, '12:30:00' AS c",
        [("时段 :上午", '{"ok":true}', "12:30:00")],
    ),
    ("Q174 a regular expression matches", "SELECT COUNT(*) FROM orders WHERE order_no REGEXP '^N[12]$'", [(2,)]),
    (
        "Q175 date formats keep their letters",
        "SELECT DATE_FORMAT(created_at,'%Y-%m-%d %H:%i:%s'), DATE_FORMAT(created_at,'%x-%v'), "
        "DATE_FORMAT(created_at,'%X-%V %a %W') FROM orders WHERE id = 3",
        [("2026-03-31 18:30:00", "2026-14", "2026-13 Tue Tuesday")],
    ),
    (
        "Q041 Q271 weeks of the calendar of weeks go with its year",
        "SELECT YEARWEEK('2024-12-30'), YEARWEEK('2024-12-30', 3), DATE_FORMAT('2024-12-30', '%x-%v'), "
        "DATE_FORMAT('2027-01-01', '%x-%v')",
        [(202452, 202501, "2025-01", "2026-53")],
    ),
    ("Q221 a slash keeps decimals, DIV does not", "SELECT 1/3, 1 DIV 3, 5/2", [("0.3333", 0, "2.5000")]),
    (
        "Q223 an empty text is a group of its own",
        "SELECT channel, COUNT(*) FROM orders GROUP BY channel ORDER BY channel",
        [("", 1), ("京东", 2), ("天猫", 3), ("线下", 3)],
    ),
    (
        "reserved words work as names when quoted",
        "SELECT `desc` FROM `order` UNION ALL SELECT `group` FROM orders WHERE `rank` = 1",
        [("x",), ("a",)],
    ),
]


@pytest.mark.parametrize("rendered", [False, True], ids=["as written", "as rendered"])
@pytest.mark.parametrize(("sql", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
async def test_gives_the_rows_that_are_right(
    ask: Ask, sql: str, expected: list[tuple[Any, ...]], rendered: bool
) -> None:
    asked = sqlglot.parse_one(sql, read="mysql").sql(dialect="mysql") if rendered else sql
    assert list((await ask(asked)).rows) == expected


COMPLAINTS = [
    (
        "Q023 a column outside GROUP BY",
        "SELECT channel, created_at, SUM(pay_amount) FROM orders GROUP BY channel",
        1055,
        "created_at",
    ),
    (
        "Q124 an aggregate in WHERE",
        "SELECT customer_id, SUM(pay_amount) s FROM orders WHERE SUM(pay_amount) > 100 GROUP BY customer_id",
        1111,
        "group function",
    ),
    (
        "Q127 a name two tables have",
        "SELECT id, name FROM customers c JOIN orders o ON o.customer_id = c.id",
        1052,
        "id",
    ),
    (
        "Q172 grouping by a text instead of a name",
        'SELECT city AS "城市", COUNT(*) FROM customers GROUP BY "城市"',
        1055,
        "city",
    ),
    (
        "Q269 a join MySQL does not have",
        "SELECT * FROM customers c FULL OUTER JOIN orders o ON o.customer_id = c.id",
        1064,
        "OUTER JOIN",
    ),
    ("an unknown column", "SELECT amount FROM orders", 1054, "amount"),
    ("an unknown table", "SELECT 1 FROM sales", 1146, "sales"),
    ("an unknown function", "SELECT TO_CHAR(created_at) FROM orders", 1305, "TO_CHAR"),
]


@pytest.mark.parametrize(
    ("sql", "code", "named"), [case[1:] for case in COMPLAINTS], ids=[case[0] for case in COMPLAINTS]
)
async def test_complains_exactly_enough_to_correct_from(shop: MySQLWarehouse, sql: str, code: int, named: str) -> None:
    plan = await shop.explain(AdmittedSql(sql=sql, dialect="mysql", tables=()))
    assert plan.code == code
    assert named in (plan.complaint or "")


async def test_q073_aliases_may_hold_brackets_digits_and_percent_signs(ask: Ask) -> None:
    rows = await ask("SELECT SUM(pay_amount)/10000 AS `销售额(万元)`, 1 AS `7日均值`, 2 AS `占比%` FROM orders")
    assert [column.name for column in rows.columns] == ["销售额(万元)", "7日均值", "占比%"]


async def test_q283_an_alias_may_start_with_a_digit(ask: Ask) -> None:
    rows = await ask("SELECT SUM(pay_amount) AS 2026年销售额 FROM orders")
    assert rows.columns[0].name == "2026年销售额"


async def test_q266_the_rollup_row_has_no_label_and_the_empty_channel_keeps_its_own(ask: Ask) -> None:
    rows = await ask("SELECT channel, SUM(pay_amount) FROM orders GROUP BY channel WITH ROLLUP")
    assert len(rows.rows) == 5
    assert (None, "11059.00") in rows.rows
    assert ("", "20.00") in rows.rows


async def test_q267_a_long_list_is_not_cut(ask: Ask) -> None:
    rows = await ask("SELECT GROUP_CONCAT(REPEAT('x',600) SEPARATOR '、') FROM orders")
    assert len(rows.rows[0][0]) == 5408
    assert not rows.notices


async def test_q267_a_list_that_is_cut_after_all_says_so(ask: Ask) -> None:
    rows = await ask("SELECT LENGTH(GROUP_CONCAT(REPEAT('x', 600000))) FROM orders")
    assert any("cut by GROUP_CONCAT" in notice for notice in rows.notices)


async def test_q268_a_date_that_could_not_be_read_is_told(ask: Ask) -> None:
    rows = await ask("SELECT STR_TO_DATE('2026/03/01', '%Y-%m-%d')")
    assert rows.rows == ((None,),)
    assert any("2026/03/01" in notice for notice in rows.notices)


async def test_the_same_warning_of_many_rows_is_told_once(ask: Ask) -> None:
    rows = await ask("SELECT pay_amount / 0 FROM orders")
    assert len(rows.notices) == 1


async def test_q212_a_join_without_a_condition_is_estimated_as_what_it_is(shop: MySQLWarehouse) -> None:
    names = ", ".join(f"orders {letter}" for letter in "abcdefgh")
    plan = await shop.explain(AdmittedSql(sql=f"SELECT COUNT(*) FROM {names}", dialect="mysql", tables=()))
    assert (plan.estimated_rows or 0) >= 9**8 * 0.5


async def test_q212_the_time_limit_stops_what_the_estimate_let_through(shop: MySQLWarehouse) -> None:
    names = ", ".join(f"orders {letter}" for letter in "abcdefghij")
    sql = AdmittedSql(sql=f"SELECT COUNT(*) FROM {names} WHERE a.id + b.id <> j.id", dialect="mysql", tables=())
    with pytest.raises(WarehouseTimeout):
        await shop.fetch(sql, Limits(seconds=0.3))


async def test_q256_an_endless_recursion_ends_with_a_reason(shop: MySQLWarehouse) -> None:
    sql = "WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n+1 FROM r) SELECT COUNT(*) FROM r"
    with pytest.raises(StatementFailed, match=r"(?i)recursi"):
        await shop.fetch(AdmittedSql(sql=sql, dialect="mysql", tables=()), Limits(seconds=5))
