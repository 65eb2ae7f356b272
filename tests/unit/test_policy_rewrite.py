"""A role's rows and masks stand in every place of a statement, and nothing a caller writes gets around them."""

import re

import duckdb
import pytest

from data_agent.domain.caller import Caller
from data_agent.domain.policy import Mask, Policy, Role, RowFilter
from data_agent.errors import NotPermitted, UnsafeSql
from data_agent.options import Limits
from data_agent.policy.conditions import bound, parsed
from data_agent.policy.rights import Rights
from data_agent.sql.admit import admit
from tests.cases.policy_star import CALLER, POLICY, star

CATALOG = star()
RIGHTS = Rights.of(CATALOG, POLICY, CALLER)


def rewritten(sql: str, dialect: str = "mysql", rights: Rights = RIGHTS) -> str:
    admitted = admit(sql, catalog=rights.view, dialect=dialect, limits=Limits(), rewrite=rights.rewriting(dialect))
    return re.sub(r"(?<=\() | (?=\))", "", " ".join(admitted.sql.split()))


PLACES = {
    "plain": "SELECT amount FROM orders",
    "alias": "SELECT x.amount FROM orders AS x",
    "star": "SELECT * FROM orders",
    "count": "SELECT COUNT(*) FROM orders",
    "subquery": "SELECT 1 FROM products WHERE product_id IN (SELECT order_id FROM orders)",
    "scalar subquery": "SELECT (SELECT MAX(amount) FROM orders)",
    "exists": "SELECT 1 FROM products WHERE EXISTS (SELECT 1 FROM orders)",
    "derived": "SELECT d.amount FROM (SELECT amount FROM orders) AS d",
    "with": "WITH w AS (SELECT amount FROM orders) SELECT amount FROM w",
    "with of its own name": "WITH orders AS (SELECT amount FROM orders) SELECT amount FROM orders",
    "union arm": "SELECT product_id FROM products UNION ALL SELECT order_id FROM orders",
    "self join": "SELECT a.order_id FROM orders a JOIN orders b ON a.order_id = b.order_id",
    "left join right side": "SELECT p.name FROM products p LEFT JOIN orders o ON o.order_id = p.product_id",
    "using": "SELECT order_id FROM products JOIN orders ON product_id = order_id JOIN items USING (order_id)",
    "natural": "SELECT amount FROM regions NATURAL JOIN orders",
    "bracketed join": "SELECT p.name FROM products p JOIN (orders o CROSS JOIN regions r) ON o.order_id = p.product_id",
    "lateral": "SELECT l.m FROM products p, LATERAL (SELECT MAX(amount) AS m FROM orders) l",
    "window": "SELECT SUM(amount) OVER (PARTITION BY status) FROM orders",
    "having": "SELECT status FROM orders GROUP BY status HAVING MAX(amount) > 3",
    "order by": "SELECT p.name FROM products p ORDER BY (SELECT MAX(amount) FROM orders)",
    "case": "SELECT CASE WHEN EXISTS (SELECT 1 FROM orders) THEN 1 END",
    "comma": "SELECT o.amount FROM regions, orders o",
    "qualified by schema": "SELECT star.orders.amount FROM star.orders",
}

OTHER_WORDS = {"with of its own name": 2, "qualified by schema": 1}
"""How often the word stands for something else than the base table."""


@pytest.mark.parametrize("place", PLACES)
def test_every_reference_is_cut_wherever_it_stands(place):
    sql = rewritten(PLACES[place]).replace("`", "")
    filtered = (
        "FROM orders WHERE (1 = (orders.region_id IN (SELECT r.region_id FROM regions AS r WHERE r.area = 'East')))"
    )
    assert sql.count(filtered) == PLACES[place].count("orders") - OTHER_WORDS.get(place, 0) >= 1


@pytest.mark.parametrize("dialect", ["mysql", "duckdb"])
@pytest.mark.parametrize("place", [each for each in PLACES if each not in ("lateral", "bracketed join")])
def test_admitting_what_was_admitted_changes_nothing(place, dialect):
    role = POLICY.roles[0].model_copy(update={"deny": ()})
    rights = Rights.of(CATALOG, POLICY.model_copy(update={"roles": (role,)}), CALLER)
    once = rewritten(PLACES[place], dialect, rights)
    assert rewritten(once, dialect, rights) == once


@pytest.mark.parametrize("brackets", ["{}", "({})", "(({}) LIMIT 7)"])
@pytest.mark.parametrize("place", PLACES)
def test_the_statement_is_shown_as_it_was_before_the_policy(place, brackets):
    sql = brackets.format(PLACES[place])
    if sql.startswith("(WITH"):
        sql = brackets.format("SELECT amount FROM orders")
    plain = admit(sql, catalog=RIGHTS.view, dialect="mysql", limits=Limits()).sql
    rewriting = RIGHTS.rewriting("mysql")
    admitted = admit(sql, catalog=RIGHTS.view, dialect="mysql", limits=Limits(), rewrite=rewriting)
    assert admitted.sql != plain
    assert rewriting.shown(admitted) == rewriting.shown(admitted) == plain


def test_what_was_renamed_is_shown_by_its_own_name():
    sql = "WITH regions AS (SELECT 2 AS region_id) SELECT o.amount FROM orders AS o, regions"
    rewriting = RIGHTS.rewriting("mysql")
    admitted = admit(sql, catalog=RIGHTS.view, dialect="mysql", limits=Limits(), rewrite=rewriting)
    assert " ".join(rewriting.shown(admitted).replace("( ", "(").split()).count("with_regions") == 0


def test_a_table_is_read_through_a_query_of_the_columns_that_are_asked_for_and_nothing_else():
    sql = rewritten("SELECT name, product_id FROM products")
    assert sql == "SELECT name, product_id FROM (SELECT `product_id`, `name` FROM products) AS products LIMIT 1000"


def test_a_with_query_cannot_stand_in_for_a_table_that_a_filter_reads():
    sql = rewritten("WITH regions AS (SELECT 2 AS region_id, 'East' AS area) SELECT o.amount FROM orders o, regions")
    assert "WITH `with_regions` AS" in sql and "`with_regions` AS regions" in sql
    assert sql.count("FROM regions AS r") == 1


def test_a_new_name_for_a_with_query_is_taken_by_nothing_else():
    sql = rewritten(
        "WITH regions AS (SELECT 2 AS region_id), with_regions AS (SELECT 1 AS one) "
        "SELECT regions.region_id FROM regions, with_regions, orders"
    )
    assert "`with_with_regions` AS regions" in sql and "with_regions AS (SELECT 1 AS one)" in sql


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT secret FROM customers",
        "SELECT customers.secret FROM customers",
        "SELECT c.secret AS phone FROM customers c",
        "SELECT name FROM customers ORDER BY secret",
        "SELECT COUNT(*) FROM customers GROUP BY secret",
        "SELECT COUNT(*) FROM customers HAVING MAX(secret) > ''",
        "SELECT name FROM customers WHERE secret LIKE 'a%'",
        "SELECT (SELECT secret FROM customers LIMIT 1)",
        "SELECT d.secret FROM (SELECT * FROM customers) d",
        "WITH w AS (SELECT * FROM customers) SELECT secret FROM w",
        "SELECT a.name FROM customers a JOIN customers b USING (secret)",
        "SELECT SUM(1) OVER (ORDER BY secret) FROM customers",
        "SELECT cost FROM products NATURAL JOIN items",
        "SELECT amount FROM salaries",
        "SELECT * FROM star.salaries",
    ],
)
def test_what_is_hidden_cannot_be_named_in_any_clause(sql):
    with pytest.raises(UnsafeSql) as refused:
        rewritten(sql)
    assert refused.value.reason_code in {"unknown_column", "unknown_table", "using_column", "other_schema"}


def test_a_star_gives_visible_columns_and_masks_only():
    sql = rewritten("SELECT * FROM customers")
    assert "AS `secret`" not in sql and "secret" not in sql.split("FROM")[0]
    assert "SHA2(CONCAT('a salt that is long enough', `customers`.`name`), 256) AS `name`" in sql


def test_a_star_that_is_left_as_it_is_reads_the_visible_columns_only():
    from data_agent.domain.catalog import Catalog
    from data_agent.domain.schema import Column, Table

    columns = tuple(Column(table="t", name=name) for name in ("a b", "ok", "hidden"))
    catalog = Catalog(name="c", version="1", tables=(Table(name="t", columns=columns),))
    policy = Policy(roles=(Role(name="east", allow=("*",), deny=("t.hidden",)),))
    sql = rewritten("SELECT * FROM t", rights=Rights.of(catalog, policy, CALLER))
    assert "(SELECT `a b`, `ok` FROM t) AS t" in sql


@pytest.mark.parametrize("dialect", ["mysql", "duckdb"])
@pytest.mark.parametrize("value", ["x' OR 1=1 -- ", "x\\' OR 1=1 -- ", "\\", "'", "a\\\\'", "/* */", ";"])
def test_an_attribute_is_a_literal_whatever_it_holds(value, dialect):
    rights = RIGHTS.of_caller(CALLER.model_copy(update={"attributes": {**CALLER.attributes, "area": value}}))
    sql = rewritten("SELECT amount FROM orders", dialect, rights)
    again = parsed_literal(sql, dialect)
    assert again == value


def parsed_literal(sql: str, dialect: str) -> str:
    import sqlglot

    tree = sqlglot.parse_one(sql, read=dialect)
    (condition,) = [eq for eq in tree.find_all(sqlglot.exp.EQ) if eq.this.name == "area"]
    return condition.expression.name


@pytest.mark.parametrize("attributes", [{}, {"area": ""}, {"area": "  "}, {"area": '["a", "b"]'}, {"area": "a\x00b"}])
def test_an_attribute_that_is_missing_or_unfit_refuses_the_statement(attributes):
    with pytest.raises(NotPermitted, match="area"):
        rewritten("SELECT amount FROM orders", rights=RIGHTS.of_caller(Caller(role="east", attributes=attributes)))


def test_a_table_without_that_filter_needs_no_attribute():
    assert rewritten("SELECT name FROM products", rights=RIGHTS.of_caller(Caller(role="east")))


def test_a_list_of_texts_fills_an_in():
    condition = bound(RowFilter(table="t", where="x IN (:caller.r, 'z')"), {"r": '["a", "b"]'})
    assert condition.sql("mysql") == "(`t`.x IN ('a', 'b', 'z'))"


@pytest.mark.parametrize(
    "where", ["1) OR (1", "a = 1; SELECT 1", "x = @v", "x = :region", "x = ?", "", "a = 1 ORDER BY 1"]
)
def test_a_filter_is_exactly_one_condition(where):
    from data_agent.errors import InvalidSettings

    with pytest.raises(InvalidSettings):
        parsed(where)


def test_a_colon_in_a_string_is_no_parameter():
    assert bound(RowFilter(table="t", where="x = ':caller.r ?'"), {}).sql("mysql") == "(`t`.x = ':caller.r ?')"


def test_a_tree_that_was_not_resolved_is_refused():
    import sqlglot

    with pytest.raises(UnsafeSql):
        RIGHTS.rewriting("mysql")(sqlglot.parse_one("SELECT amount FROM orders"))


def test_mysql_gets_no_semi_join_to_make_of_a_filter():
    assert "WHERE (1 = (EXISTS(SELECT 1 FROM orders AS o" in rewritten("SELECT qty FROM items")
    assert "WHERE (EXISTS(SELECT 1 FROM orders AS o" in rewritten("SELECT qty FROM items", "duckdb")


MASKS = [
    (Mask(column="t.v", kind="null"), "abcdefgh", None),
    (Mask(column="t.v", kind="partial", keep_first=3, keep_last=2), "13812345678", "138****78"),
    (Mask(column="t.v", kind="partial", keep_first=3, keep_last=2), "abcde", "****"),
    (Mask(column="t.v", kind="partial"), "a", "****"),
    (Mask(column="t.v", kind="partial", keep_last=1), None, None),
    (Mask(column="t.v", kind="hash"), None, None),
]


@pytest.mark.parametrize(("mask", "value", "shown"), MASKS)
def test_a_mask_shows_what_it_says(mask, value, shown):
    assert _masked(mask, "VARCHAR", value) == shown


@pytest.mark.parametrize(("value", "low"), [(1234, 1200), (-1, -100), (-100, -100), (0, 0), (99, 0)])
def test_a_bucket_rounds_down(value, low):
    assert _masked(Mask(column="t.v", kind="bucket", size=100), "INTEGER", value) == low


@pytest.mark.parametrize(
    ("grain", "start"),
    [
        ("day", "2026-05-17"),
        ("week", "2026-05-11"),
        ("month", "2026-05-01"),
        ("quarter", "2026-04-01"),
        ("year", "2026-01-01"),
    ],
)
def test_a_bucket_of_dates_is_its_first_day(grain, start):
    assert str(_masked(Mask(column="t.v", kind="bucket", by=grain), "TIMESTAMP", "2026-05-17 13:14:15")) == start


def _masked(mask: Mask, kind: str, value: object) -> object:
    from data_agent.domain.catalog import Catalog
    from data_agent.domain.schema import Column, Table

    table = Table(name="t", columns=(Column(table="t", name="v"),))
    policy = Policy(salt="s" * 16, roles=(Role(name="east", allow=("*",), masks=(mask,)),))
    rights = Rights.of(Catalog(name="c", version="1", tables=(table,)), policy, CALLER)
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t (v {kind})")
        connection.execute("INSERT INTO t VALUES (?)", [value])
        return connection.execute(rewritten("SELECT v FROM t", "duckdb", rights)).fetchall()[0][0]
