"""What the guard admits, what it writes out, and what it says when it refuses."""

import pytest

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.catalog import Catalog
from data_agent.errors import NotPermitted, UnsafeSql
from data_agent.options import Limits
from data_agent.sql import shape
from data_agent.sql.admit import admit
from tests.cases.sql_shop import sql_shop


def let(sql: str, dialect: str = "mysql", rows: int = 1000, version: str = "9.7.0") -> AdmittedSql:
    return admit(sql, catalog=sql_shop(), dialect=dialect, limits=Limits(max_rows=rows), version=version)


def refused(sql: str, dialect: str = "mysql", version: str = "9.7.0") -> UnsafeSql:
    with pytest.raises(UnsafeSql) as refusal:
        let(sql, dialect, version=version)
    return refusal.value


@pytest.mark.parametrize(
    ("sql", "rows", "written", "limit"),
    [
        ("SELECT id FROM orders ORDER BY id", 3, "SELECT id FROM orders ORDER BY id LIMIT 3", 3),
        ("SELECT id FROM orders LIMIT 5", 1000, "SELECT id FROM orders LIMIT 5", 5),
        ("SELECT id FROM orders LIMIT 1000000", 1000, "SELECT id FROM orders LIMIT 1000", 1000),
        ("SELECT id FROM orders LIMIT 0", 10, "SELECT id FROM orders LIMIT 0", 0),
        ("SELECT id FROM orders LIMIT 10, 5", 1000, "SELECT id FROM orders LIMIT 5 OFFSET 10", 5),
        ("SELECT id FROM orders LIMIT 99999999999999999999999999", 7, "SELECT id FROM orders LIMIT 7", 7),
        ("SELECT COUNT(*) FROM orders", 3, "SELECT COUNT(*) FROM orders LIMIT 3", 3),
        ("SELECT id FROM orders FETCH FIRST 3 ROWS ONLY", 9, "SELECT id FROM orders LIMIT 3", 3),
        ("SELECT TOP 5 id FROM orders", 9, "SELECT id FROM orders LIMIT 5", 5),
        ("(SELECT id FROM orders LIMIT 4)", 9, "SELECT id FROM orders LIMIT 4", 4),
        ("(SELECT id FROM orders LIMIT 4) LIMIT 2", 9, "(SELECT id FROM orders LIMIT 4) LIMIT 2", 2),
        (
            "SELECT id FROM (SELECT id FROM orders LIMIT 5) t",
            3,
            "SELECT id FROM (SELECT id FROM orders LIMIT 5) AS t LIMIT 3",
            3,
        ),
        (
            "SELECT id FROM orders UNION SELECT id FROM refunds LIMIT 50",
            9,
            "SELECT id FROM orders UNION SELECT id FROM refunds LIMIT 9",
            9,
        ),
        (
            "(SELECT id FROM orders LIMIT 50) UNION ALL (SELECT id FROM refunds)",
            9,
            "(SELECT id FROM orders LIMIT 50) UNION ALL (SELECT id FROM refunds) LIMIT 9",
            9,
        ),
    ],
)
def test_the_cap_is_on_the_outermost_query_and_never_raises_a_limit(
    sql: str, rows: int, written: str, limit: int
) -> None:
    admitted = let(sql, rows=rows)
    assert (admitted.sql, admitted.limit) == (written, limit)


@pytest.mark.parametrize(
    ("sql", "capped"), [("SELECT 1", True), ("SELECT 1 LIMIT 5", False), ("SELECT 1 LIMIT 5000", True)]
)
def test_says_whether_the_cap_is_ours(sql: str, capped: bool) -> None:
    assert let(sql).capped is capped


@pytest.mark.parametrize(
    ("sql", "written"),
    [
        ("-- 已支付\nSELECT /* 数量 */ COUNT(*) FROM orders # end\n", "SELECT COUNT(*) FROM orders LIMIT 1000"),
        ("SELECT '/*! 促销 */ -- 备注; @a' AS t", "SELECT '/*! 促销 */ -- 备注; @a' AS t LIMIT 1000"),
        (
            "SELECT GROUP_CONCAT(name SEPARATOR ';') AS `a;b` FROM customers",
            "SELECT GROUP_CONCAT(name SEPARATOR ';') AS `a;b` FROM customers LIMIT 1000",
        ),
        ("SELECT rank, `group` FROM Orders", "SELECT `rank`, `group` FROM orders LIMIT 1000"),
        ("SELECT O.ID FROM ORDERS o", "SELECT o.id FROM orders AS o LIMIT 1000"),
        ("SELECT ORDERS.ID FROM Orders", "SELECT orders.id FROM orders LIMIT 1000"),
        ("SELECT shop.orders.id FROM shop.orders", "SELECT orders.id FROM orders LIMIT 1000"),
        ("SELECT 1 FROM dual", "SELECT 1 LIMIT 1000"),
        (
            "SELECT p.id FROM orders o JOIN refunds r JOIN payments p ON p.order_id = o.id",
            "SELECT p.id FROM orders AS o CROSS JOIN refunds AS r JOIN payments AS p ON p.order_id = o.id LIMIT 1000",
        ),
        (
            "SELECT COUNT(*) FROM orders WHERE order_no REGEXP '^N'",
            "SELECT COUNT(*) FROM orders WHERE order_no REGEXP '^N' LIMIT 1000",
        ),
        (
            "SELECT SUM(pay_amount) AS 2026年销售额 FROM orders",
            "SELECT SUM(pay_amount) AS 2026年销售额 FROM orders LIMIT 1000",
        ),
        (
            "SELECT SUM(pay_amount) AS 销售额（元） FROM orders",
            "SELECT SUM(pay_amount) AS `销售额（元）` FROM orders LIMIT 1000",
        ),
        ("SELECT * FROM departments", "SELECT departments.id, departments.name FROM departments LIMIT 1000"),
        (
            "SELECT d.* FROM departments d, visits v",
            "SELECT d.id, d.name FROM departments AS d, visits AS v LIMIT 1000",
        ),
        (
            "SELECT * FROM visits NATURAL JOIN stock_snapshot",
            "SELECT stat_date, visits.user_id, stock_snapshot.sku, stock_snapshot.qty "
            "FROM visits JOIN stock_snapshot USING (stat_date) LIMIT 1000",
        ),
        (
            "SELECT * FROM (SELECT COUNT(*) FROM orders) t",
            "SELECT t.* FROM (SELECT COUNT(*) FROM orders) AS t LIMIT 1000",
        ),
    ],
)
def test_what_runs_is_the_rendered_tree_in_the_catalogs_spelling(sql: str, written: str) -> None:
    assert let(sql).sql == written


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a.id, b.id FROM orders a JOIN customers b ON b.id = a.customer_id",
        "SELECT id FROM orders o JOIN customers c USING (id)",
        "WITH t AS (SELECT 1 AS `销售额`, '北京' AS 城市) SELECT 城市, `销售额` FROM t",
        "WITH orders AS (SELECT id FROM orders WHERE status = 1) SELECT id FROM orders",
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n",
        "SELECT id, (SELECT COUNT(*) FROM order_items i WHERE i.order_id = o.id) n FROM orders o ORDER BY n",
        "SELECT o.id FROM orders o JOIN LATERAL (SELECT name FROM customers c WHERE c.id = o.customer_id) x ON TRUE",
        "SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = o.id AND o.status = 1)",
        "SELECT channel c, SUM(pay_amount) s FROM orders GROUP BY c HAVING s > 1 ORDER BY s",
        "SELECT o.id AS id FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY id ORDER BY id",
        "SELECT channel, SUM(pay_amount) FROM orders GROUP BY channel WITH ROLLUP",
        "SELECT SUM(id) OVER w FROM orders WINDOW w AS (ORDER BY created_at)",
        "SELECT id FROM orders UNION SELECT id FROM refunds ORDER BY id",
        "SELECT t.a FROM (SELECT id AS a FROM orders UNION SELECT id FROM refunds) t",
        "SELECT name FROM customers WHERE id = ANY (SELECT customer_id FROM orders)",
        "SELECT * FROM (SELECT ORDERS.ID FROM Orders) q",
        "SELECT * FROM (SELECT TO_CHAR(created_at, 'YYYY-MM') FROM orders) q",
        "SELECT DATE_FORMAT(created_at, '%Y年%m月'), TIMESTAMPDIFF(DAY, created_at, paid_at) FROM orders",
        "SELECT payload ->> '$.a', JSON_EXTRACT(payload, '$.\"x'') ,(\"') FROM odd_types",
    ],
)
def test_admitting_an_admitted_statement_changes_nothing(sql: str) -> None:
    once = let(sql)
    again = let(once.sql)
    assert again.sql == once.sql
    assert (again.tables, again.columns, again.limit, again.repairs) == (once.tables, once.columns, once.limit, ())


@pytest.mark.parametrize(
    ("sql", "part", "repair"),
    [
        ("SELECT name || city FROM customers", "CONCAT(name, city)", "|| -> CONCAT"),
        ("SELECT name || '-' || city FROM customers", "CONCAT(name, '-', city)", "|| -> CONCAT"),
        ("SELECT id FROM customers WHERE name || city = 'x'", "CONCAT(name, city) = 'x'", "|| -> CONCAT"),
        ('SELECT city AS "城市", COUNT(*) FROM customers GROUP BY "城市"', "GROUP BY 1", '"城市" -> `城市`'),
        ("SELECT created_at::date FROM orders", "CAST(created_at AS DATE)", "x::type -> CAST(x AS type)"),
        (
            "SELECT id FROM orders WHERE channel ILIKE '%a%'",
            "LOWER(channel) LIKE LOWER('%a%')",
            "ILIKE -> LOWER(..) LIKE LOWER(..)",
        ),
        (
            "SELECT TO_CHAR(created_at, 'YYYY-MM') FROM orders",
            "DATE_FORMAT(created_at, '%Y-%m')",
            "TO_CHAR -> DATE_FORMAT",
        ),
        (
            "SELECT c.id FROM customers c FULL JOIN orders o ON o.customer_id = c.id",
            "UNION ALL SELECT c.id FROM customers AS c RIGHT JOIN",
            "FULL OUTER JOIN -> LEFT JOIN UNION ALL the rows without partner",
        ),
    ],
)
def test_habits_of_other_dialects_are_rewritten_and_told(sql: str, part: str, repair: str) -> None:
    admitted = let(sql)
    assert part in admitted.sql
    assert repair in admitted.repairs


def test_pipes_between_conditions_stay_or() -> None:
    assert "id = 1 OR id = 2" in let("SELECT id FROM orders WHERE id = 1 || id = 2").sql


def test_a_quoted_interval_becomes_mysqls() -> None:
    assert "INTERVAL '7' DAY" in let("SELECT id FROM orders WHERE created_at > NOW() - INTERVAL '7 days'").sql


@pytest.mark.parametrize(
    ("sql", "code", "part"),
    [
        ("SELECT total_price FROM orders", "unknown_column", '"orders.total_price". Nearest: pay_amount'),
        (
            "SELECT c.name, p.category FROM customers c",
            "unknown_alias",
            'alias "p". FROM has: c (customers). The column "category" is in: products.category',
        ),
        ("SELECT c.pay_amount FROM customers c", "unknown_column", 'The column "pay_amount" is in: orders.pay_amount'),
        ("SELECT id FROM order_item", "unknown_table", "Nearest: order_items"),
        ("SELECT id FROM customers c JOIN orders o ON o.customer_id = c.id", "ambiguous_column", "c.id, o.id"),
        ("SELECT id x FROM orders WHERE x > 1", "alias_in_where", '"x"'),
        (
            "SELECT customer_id FROM orders WHERE SUM(pay_amount) > 1 GROUP BY customer_id",
            "aggregate_in_where",
            "HAVING",
        ),
        ("SELECT id FROM orders UNION SELECT id, name FROM customers", "column_count", "(1 and 2)"),
        ("SELECT sys_exec('id')", "function", "SYS_EXEC()"),
        ("SELECT COUNT(*) FROM customers c FULL JOIN orders o ON o.customer_id = c.id", "full_join", "LEFT JOIN"),
        ("SELECT name || (id = 1) FROM customers", "pipes", "CONCAT"),
        ("SELECT " + "(" * 200 + "1" + ")" * 200, "too_deep", "32"),
        ("SELECT " + "NOT " * 500 + "1", "too_deep", "32"),
        ("SELECT 1" + " + 1" * 2000, "too_deep", "32"),
        ("SELECT * FROM " + "(SELECT * FROM " * 200 + "orders" + ") x" * 200, "too_deep", "32"),
        ("SELECT 1 FROM orders WHERE id IN (" + ",".join(map(str, range(50000))) + ")", "too_long", "20000"),
    ],
)
def test_a_refusal_says_enough_to_correct_from(sql: str, code: str, part: str) -> None:
    refusal = refused(sql)
    assert refusal.reason_code == code
    assert part in refusal.message


def test_the_refusal_carries_the_name_and_the_nearest_ones() -> None:
    refusal = refused("SELECT total_price FROM orders")
    assert (refusal.unknown, refusal.nearest) == ("orders.total_price", ("pay_amount",))
    assert "未知的字段" in refusal.zh


@pytest.mark.parametrize(
    ("sql", "dialect", "version", "part"),
    [
        ("WITH t AS (SELECT 1 a) SELECT a FROM t", "mysql", "5.7.44", "needs MySQL 8"),  # q178
        ("SELECT RANK() OVER (ORDER BY id) FROM orders", "mysql", "5.7.44-log", "needs MySQL 8"),
        ("SELECT id FROM orders INTERSECT SELECT id FROM refunds", "mysql", "8.0.20", "needs MySQL 8.0.31"),
        ("SELECT o.id FROM orders o, LATERAL (SELECT 1 AS a) x", "mysql", "10.11.6-MariaDB", "unknown to MariaDB"),
        ("SELECT payload ->> '$.a' FROM odd_types", "mariadb", "10.11", "unknown to MariaDB"),
        ("SELECT id FROM orders QUALIFY RANK() OVER (ORDER BY id) = 1", "mysql", "9.7.0", "QUALIFY"),
    ],
)
def test_what_the_server_does_not_know_is_refused_before_it_is_asked(
    sql: str, dialect: str, version: str, part: str
) -> None:
    assert part in refused(sql, dialect, version).message


def test_only_allowed_tables_can_be_read_wherever_they_stand() -> None:
    allowed = frozenset({"orders"})
    for sql in (
        "SELECT id, (SELECT MAX(score) FROM employees) FROM orders",
        "SELECT id FROM orders ORDER BY (SELECT score FROM employees LIMIT 1)",
        "SELECT id FROM orders GROUP BY id HAVING COUNT(*) > (SELECT 1 FROM employees LIMIT 1)",
    ):
        with pytest.raises(UnsafeSql, match="employees"):
            admit(sql, catalog=sql_shop(), dialect="mysql", limits=Limits(), allowed_tables=allowed)


def test_hints_name_nothing_outside_the_allowed_tables() -> None:
    with pytest.raises(UnsafeSql) as refusal:
        admit(
            "SELECT scor FROM orders",
            catalog=sql_shop(),
            dialect="mysql",
            limits=Limits(),
            allowed_tables=frozenset({"orders"}),
        )
    assert "employees" not in refusal.value.message + refusal.value.zh


def test_without_a_catalog_the_named_tables_are_trusted_and_columns_unchecked() -> None:
    empty = Catalog(name="", version="")
    allowed = frozenset({"shop.orders"})
    admitted = admit(
        "SELECT x FROM `SHOP`.`ORDERS`", catalog=empty, dialect="mysql", limits=Limits(), allowed_tables=allowed
    )
    assert admitted.tables == ("shop.orders",)
    for sql in ("SELECT x FROM hr.orders", "SELECT x FROM orders", "SELECT x FROM mysql.user"):
        with pytest.raises(UnsafeSql):
            admit(sql, catalog=empty, dialect="mysql", limits=Limits(), allowed_tables=allowed)


def test_the_policy_gets_a_resolved_tree_and_its_own_errors_pass() -> None:
    seen = []

    def policy(tree):
        seen.extend(table.meta.get("table") for table in tree.find_all(type(tree.args["from_"].this)))
        raise NotPermitted("no")

    with pytest.raises(NotPermitted):
        admit("SELECT id FROM ORDERS", catalog=sql_shop(), dialect="mysql", limits=Limits(), rewrite=policy)
    assert seen == ["orders"]


@pytest.mark.parametrize("failure", [RecursionError, ValueError, KeyError, MemoryError])
def test_a_guard_that_breaks_refuses(failure: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise failure

    monkeypatch.setattr(shape, "read", broken)
    assert refused("SELECT 1").reason_code in {"guard_failed", "too_deep"}


def test_a_policy_that_breaks_refuses() -> None:
    with pytest.raises(UnsafeSql):
        admit("SELECT 1", catalog=sql_shop(), dialect="mysql", limits=Limits(), rewrite=lambda tree: tree.nonsense)


def test_an_unknown_dialect_is_refused() -> None:
    assert refused("SELECT 1", dialect="oracle").reason_code == "dialect"


@pytest.mark.parametrize(
    ("sql", "written"),
    [
        ("FROM departments", "SELECT departments.id, departments.name FROM departments LIMIT 1000"),
        ('SELECT "group" FROM main.orders', 'SELECT "group" FROM orders LIMIT 1000'),
        ("SELECT name || city FROM customers", "SELECT name || city FROM customers LIMIT 1000"),
        (
            "SELECT id x, x + 1 y FROM orders WHERE x > 1",
            "SELECT id AS x, id + 1 AS y FROM orders WHERE id > 1 LIMIT 1000",
        ),
        ("SELECT i FROM generate_series(1, 3) AS g(i)", "SELECT i FROM GENERATE_SERIES(1, 3) AS g(i) LIMIT 1000"),
        (
            "SELECT COUNT(*) FILTER (WHERE status = 1) FROM orders",
            "SELECT COUNT(*) FILTER(WHERE status = 1) FROM orders LIMIT 1000",
        ),
    ],
)
def test_duckdb_has_rules_of_its_own(sql: str, written: str) -> None:
    assert let(sql, "duckdb").sql == written


@pytest.mark.parametrize(
    ("sql", "dialect", "code"),
    [
        ("SELECT 1 AS orders, orders FROM orders", "duckdb", "whole_row"),
        ("SELECT (SELECT MAX(main.orders) FROM orders) FROM (SELECT 1 AS orders) main", "duckdb", "whole_row"),
        ("SELECT 1 AS rowid, rowid FROM orders", "duckdb", "unknown_column"),
        ("SELECT (SELECT MAX(_rowid) FROM orders) FROM (SELECT 1 AS _rowid) x", "mysql", "unknown_column"),
        ("SELECT (SELECT MAX(İd) FROM orders) FROM (SELECT 1 AS İd) x", "mysql", "bad_character"),
        ("SELECT (SELECT MAX(leak) FROM orders x) FROM (SELECT 1 AS leak) x", "mysql", "write_out"),
        ("SELECT RANDOM() AS r, r - r FROM orders", "duckdb", "write_out"),
        ("SELECT customer_id AS status, COUNT(*) FROM orders GROUP BY status, customer_id", "mysql", "alias_or_column"),
        ("SELECT id AS status, SUM(id) OVER (PARTITION BY status) FROM orders", "mysql", "alias_or_column"),
        ("SELECT DATE_ADD(created_at, INTERVAL 1.5 HOUR) FROM orders", "mysql", "fraction"),
        ("SELECT created_at - INTERVAL '0.5' DAY FROM orders", "mysql", "fraction"),
        ("SELECT TIMESTAMPDIFF(, created_at, paid_at) FROM orders", "duckdb", "unparsable"),
        ("SELECT ROUND(, 1) FROM orders", "mysql", "unparsable"),
    ],
)
def test_what_has_no_certain_meaning_on_the_server_is_refused(sql: str, dialect: str, code: str) -> None:
    assert refused(sql, dialect).reason_code == code


@pytest.mark.parametrize(
    ("sql", "dialect", "written"),
    [
        ("SELECT (SELECT MAX(z) FROM orders) FROM (SELECT 1 AS z) x", "mysql", "SELECT MAX(x.z) FROM orders"),
        (
            "SELECT id AS k FROM orders WHERE EXISTS (SELECT 1 FROM refunds r WHERE r.id = k)",
            "duckdb",
            "r.id = orders.id",
        ),
        ("SELECT channel AS c, COUNT(*) FROM orders GROUP BY c", "duckdb", "GROUP BY 1"),
        ("SELECT SUM(pay_amount) AS total, ABS(total) FROM orders", "duckdb", "ABS(SUM(pay_amount))"),
        ("SELECT -id AS k FROM orders ORDER BY k + 1", "duckdb", "ORDER BY (-id) + 1"),
        ("SELECT -id AS k FROM orders ORDER BY k", "duckdb", "ORDER BY k"),
        ('SELECT * FROM (SELECT 1 AS z) AS "DELETE"', "duckdb", 'SELECT "DELETE".z'),
        (
            "SELECT 1 AS a EXCEPT SELECT c.id FROM customers c FULL JOIN orders o ON o.customer_id = c.id",
            "mysql",
            "SELECT 1 AS a EXCEPT (SELECT",
        ),
    ],
)
def test_a_name_is_written_so_that_the_server_can_take_it_for_nothing_else(
    sql: str, dialect: str, written: str
) -> None:
    assert written in let(sql, dialect).sql


def test_aliases_of_aliases_cannot_grow_without_end() -> None:
    doubled = ", ".join(f"a{n} || a{n} AS a{n + 1}" for n in range(40))
    assert refused(f"SELECT channel AS a0, {doubled} FROM orders", "duckdb").reason_code == "too_long"
