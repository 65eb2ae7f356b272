"""Replies of language models that broke such systems elsewhere, by the id of the report, and what must come of each."""

import pytest

from data_agent.catalog.choose import chosen_tables
from data_agent.domain.schema import Table
from data_agent.errors import NoSql, ReplyTruncated, UnsafeSql
from data_agent.options import Limits
from data_agent.sql.admit import admit
from data_agent.sql.replies import clean
from tests.cases.shop import CATALOG

CLEANED = {
    "Q001": (
        "好的，查询如下：\n```sql\nSELECT COUNT(*) FROM orders WHERE status = 1;\n```\n这条语句统计已支付订单数。",
        "SELECT COUNT(*) FROM orders WHERE status = 1",
    ),
    "Q053": (
        "intermediate:\n```sql\nSELECT DISTINCT channel FROM orders\n```\nfinal:\n"
        "```sql\nSELECT COUNT(*) FROM orders WHERE channel='天猫'\n```",
        "SELECT COUNT(*) FROM orders WHERE channel='天猫'",
    ),
    "Q055": ("SELECT COUNT(*) FROM orders；", "SELECT COUNT(*) FROM orders"),
    "Q056": (
        "SELECT region，COUNT(*) FROM customers GROUP BY region",
        "SELECT region,COUNT(*) FROM customers GROUP BY region",
    ),
    "Q057": (
        "SELECT * FROM products WHERE name = '苹果（红），大；箱'",
        "SELECT * FROM products WHERE name = '苹果（红），大；箱'",
    ),
    "Q059": ('{"thoughts":"ok","sql":"SELECT id\nFROM orders\nLIMIT 10"}', "SELECT id\nFROM orders\nLIMIT 10"),
    "Q155": (
        '先看表结构，草稿是 SELECT * FROM customers\n</think>\n{"sql": "SELECT COUNT(*) FROM customers"}',
        "SELECT COUNT(*) FROM customers",
    ),
    "Q157": ("SELECT COUNT（*） FROM orders", "SELECT COUNT(*) FROM orders"),
    "Q158": (
        "SELECT COUNT(*) FROM customers WHERE city = ‘北京市’",
        "SELECT COUNT(*) FROM customers WHERE city = '北京市'",
    ),
    "Q215": ("SELECT \\`name\\` FROM \\`customers\\`", "SELECT `name` FROM `customers`"),
    "Q282": ("SELECT * FROM orders\\G", "SELECT * FROM orders"),
}


@pytest.mark.parametrize(("reply", "sql"), CLEANED.values(), ids=CLEANED)
def test_a_reply_is_cleaned_to_its_one_statement(reply: str, sql: str) -> None:
    assert clean(reply) == sql


def test_q030_the_head_of_a_statement_with_several_with_queries_is_kept() -> None:
    reply = (
        "WITH a AS (SELECT customer_id, SUM(pay_amount) s FROM orders GROUP BY customer_id), b AS (SELECT customer_id "
        "FROM a WHERE s > 100) SELECT c.name FROM customers c JOIN b ON b.customer_id = c.id;"
    )
    sql = clean(reply)
    assert sql.startswith("WITH a AS (") and sql.endswith("= c.id")
    assert admitted(sql).tables


@pytest.mark.parametrize(
    "reply", ["I cannot answer this because the schema has no salary data.", "<think>还没想完 SELECT * FROM orders"]
)
def test_q054_q155_a_refusal_or_an_unfinished_thought_is_no_statement(reply: str) -> None:
    with pytest.raises(NoSql) as caught:
        clean(reply)
    assert "salary" in caught.value.message or "salary" not in reply


def test_q058_a_reply_cut_in_the_middle_is_never_closed_by_guessing() -> None:
    with pytest.raises((NoSql, ReplyTruncated)):
        clean('{"sql": "SELECT id FROM orders WHERE chan')


def test_q060_invented_tables_select_nothing_and_letter_case_or_schema_do_not_matter() -> None:
    tables = [Table(name=name) for name in ("orders", "customers", "products")]
    kept = chosen_tables(tables, ["Orders", "sales_order_2025", "qa.customers"], [], (), ())
    assert [table.name for table in kept] == ["orders", "customers"]


def test_q159_an_empty_choice_selects_nothing_so_that_the_candidates_stay() -> None:
    assert chosen_tables([Table(name="orders")], [], [], (), ()) == ()


def test_q019_an_invented_column_is_refused_with_the_nearest_real_one() -> None:
    with pytest.raises(UnsafeSql) as caught:
        admitted("SELECT total_price FROM orders")
    assert "total_price" in caught.value.message
    assert caught.value.unknown.endswith("total_price")


def test_q061_an_alias_that_nothing_defines_is_named() -> None:
    with pytest.raises(UnsafeSql, match=r"\bp\b"):
        admitted("SELECT c.name, p.category FROM customers c JOIN orders o ON o.customer_id = c.id")


def test_q065_another_dialects_functions_never_reach_mysql_as_they_are() -> None:
    foreign = (
        "SELECT TOP 5 order_no, created_at::date FROM orders "
        "WHERE order_no ILIKE '%a%' AND created_at > NOW() - INTERVAL '7 days'"
    )
    try:
        sql = admitted(foreign).sql
    except UnsafeSql as error:
        assert error.message
    else:
        assert not any(mark in sql.upper() for mark in ("TOP ", "::", "ILIKE", "'7 DAYS'"))


def test_q282_two_statements_behind_a_delimiter_are_refused() -> None:
    with pytest.raises((NoSql, UnsafeSql)):
        admitted(clean("DELIMITER //\nSELECT 1 //"))


def admitted(sql: str):
    return admit(sql, catalog=CATALOG, dialect="mysql", limits=Limits(), version="9.7.0")
