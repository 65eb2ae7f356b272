"""One statement out of a model's reply; text inside strings and quoted names is left alone."""

import pytest

from data_agent.errors import NoSql, ReplyTruncated
from data_agent.sql.replies import clean


@pytest.mark.parametrize(
    ("reply", "statement"),
    [
        (
            "好的，查询如下：\n```sql\nSELECT COUNT(*) FROM orders WHERE status = 1;\n```\n这条语句统计已支付订单数。",
            "SELECT COUNT(*) FROM orders WHERE status = 1",
        ),
        (
            "WITH a AS (SELECT 1 s), b AS (SELECT s FROM a) SELECT s FROM b;",
            "WITH a AS (SELECT 1 s), b AS (SELECT s FROM a) SELECT s FROM b",
        ),
        ("probe:\n```sql\nSELECT DISTINCT channel FROM orders\n```\nfinal:\n```sql\nSELECT 1\n```", "SELECT 1"),
        ("```sql\nSELECT 1\n```\n```\nthe result is 1\n```", "SELECT 1"),
        ("SELECT COUNT(*) FROM orders；", "SELECT COUNT(*) FROM orders"),
        (
            "SELECT region，COUNT(*) FROM customers GROUP BY region",
            "SELECT region,COUNT(*) FROM customers GROUP BY region",
        ),
        (
            "SELECT * FROM products WHERE name = '苹果（红），大；箱'",
            "SELECT * FROM products WHERE name = '苹果（红），大；箱'",
        ),
        ("SELECT 1 AS `占比（％）`", "SELECT 1 AS `占比（％）`"),
        ("SELECT COUNT（*） FROM orders", "SELECT COUNT(*) FROM orders"),
        (
            "SELECT COUNT(*) FROM customers WHERE city = ‘北京市’",
            "SELECT COUNT(*) FROM customers WHERE city = '北京市'",
        ),
        ("SELECT id FROM t WHERE a = ‘红，大’", "SELECT id FROM t WHERE a = '红，大'"),
        ("SELECT SUM(x) AS 销售额（元） FROM orders", "SELECT SUM(x) AS `销售额（元）` FROM orders"),
        ('{"thoughts":"ok","sql":"SELECT id\nFROM orders\nLIMIT 10"}', "SELECT id\nFROM orders\nLIMIT 10"),
        ('```json\n{"sql": "SELECT 1 AS \\"a\\""}\n```', 'SELECT 1 AS "a"'),
        (
            '先看表结构，草稿是 SELECT * FROM customers\n</think>\n{"sql": "SELECT COUNT(*) FROM customers"}',
            "SELECT COUNT(*) FROM customers",
        ),
        ("<think>SELECT draft FROM t</think>SELECT 1", "SELECT 1"),
        ("SELECT \\`name\\` FROM \\`customers\\`", "SELECT `name` FROM `customers`"),
        ("SELECT * FROM orders\\G", "SELECT * FROM orders"),
        ("Here it is: select a from t\n\nThis query selects a.", "select a from t"),
        ("SQL: SELECT 1\nExplanation: one", "SELECT 1"),
        ("SELECT * FROM t WHERE name = 'a；b' ；\n以上", "SELECT * FROM t WHERE name = 'a；b'"),
        ("SELECT a\n\nFROM t", "SELECT a\n\nFROM t"),
        ("```sql\nSELECT a FROM t\n", "SELECT a FROM t"),
        ("SELECT 1; DROP TABLE orders", "SELECT 1; DROP TABLE orders"),
        ("DELETE FROM orders", "DELETE FROM orders"),
    ],
)
def test_the_statement_is_found_and_nothing_else(reply: str, statement: str) -> None:
    assert clean(reply) == statement


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("I cannot answer this because the schema has no salary data.", "no salary data"),
        ("抱歉，无法回答这个问题，因为没有工资数据。", "没有工资数据"),
        ("with this schema I cannot select anything", "with this schema"),
        ('{"sql": null, "reason": "没有数据"}', "没有数据"),
        ('{"tables":["Orders"]}', "Orders"),
        ("<think>还没想完 SELECT * FROM orders", "thinking"),
        ("", "empty"),
    ],
)
def test_a_reply_without_sql_keeps_the_models_reason(reply: str, reason: str) -> None:
    with pytest.raises(NoSql, match=reason):
        clean(reply)


@pytest.mark.parametrize(
    "reply",
    [
        '{"tables": ["orders", "custo',
        '{"sql": "SELECT id FROM ord',
        "```sql\nSELECT id FROM orders WHERE city = '",
        "```sql\nSELECT COUNT(id FROM orders",
        "```sql\nSELECT id FROM orders WHERE",
    ],
)
def test_a_reply_cut_in_the_middle_is_no_answer(reply: str) -> None:
    with pytest.raises(ReplyTruncated):
        clean(reply)
