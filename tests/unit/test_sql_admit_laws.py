"""What holds for every statement, drawn at random."""

import contextlib

import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st

from data_agent.errors import UnsafeSql
from data_agent.options import Limits
from data_agent.sql.admit import admit
from tests.cases.sql_shop import TABLES, sql_shop

SHOP = sql_shop()
TABLE = st.sampled_from(["orders", "customers", "order_items", "order"])
WORDS = st.sampled_from(
    [
        "SELECT",
        "FROM",
        "WHERE",
        "id",
        "orders",
        "customers",
        ",",
        "(",
        ")",
        "*",
        "=",
        "1",
        "'a'",
        '"b"',
        "`c`",
        ";",
        "--",
        "/*",
        "*/",
        "/*!",
        "@",
        ":=",
        "?",
        "LIMIT",
        "UNION",
        "ALL",
        "WITH",
        "AS",
        "JOIN",
        "ON",
        "INTO",
        "OUTFILE",
        "SLEEP",
        "(",
        "NOT",
        "AND",
        "OR",
        "||",
        "::",
        "CASE",
        "END",
        ".",
        "，",
        "（",
        "GROUP",
        "BY",
        "HAVING",
        "SUM(id)",
        "ORDER",
        "\\",
        "#",
        "\x00",
    ]
)


@st.composite
def queries(draw: st.DrawFn, depth: int = 2) -> str:
    """A valid query on the shop."""
    table = draw(TABLE)
    columns = [f"t.`{name}`" for name in TABLES[table].split()]
    column = st.sampled_from(columns)
    text = st.text(max_size=6).map(lambda value: "'" + value.replace("\\", "\\\\").replace("'", "''") + "'")
    picked = draw(st.lists(column | text | column.map(lambda name: f"COUNT({name})"), min_size=1, max_size=3))
    source = f"`{table}`"
    where = draw(st.sampled_from(["", f" WHERE {draw(column)} = {draw(text)}", f" WHERE NOT {draw(column)} IS NULL"]))
    if depth and draw(st.booleans()):
        inner = draw(queries(depth=depth - 1))
        where = f" WHERE EXISTS ({inner})" if draw(st.booleans()) else where
    limit = draw(st.sampled_from(["", " LIMIT 3", " LIMIT 2, 5", " LIMIT 99999"]))
    query = f"SELECT {', '.join(picked)} FROM {source} t{where}"
    if depth and draw(st.booleans()):
        query = f"({query}) UNION ALL ({query})"
    return query + limit


def possible(sql: str) -> bool:
    with contextlib.suppress(UnsafeSql):
        return bool(admit(sql, catalog=SHOP, dialect="mysql", limits=Limits()))
    return False


@settings(max_examples=150, deadline=None)
@given(queries())
def test_admitting_twice_is_admitting_once_and_the_text_parses_to_itself(sql: str) -> None:
    if not possible(sql):
        return
    once = admit(sql, catalog=SHOP, dialect="mysql", limits=Limits())
    again = admit(once.sql, catalog=SHOP, dialect="mysql", limits=Limits())
    assert again.model_copy(update={"capped": once.capped, "repairs": once.repairs}) == once
    assert sqlglot.parse_one(once.sql, read="mysql").sql("mysql") == once.sql


@settings(max_examples=100, deadline=None)
@given(queries(), st.integers(1, 50), st.integers(1, 50))
def test_a_limit_only_ever_gets_lower(sql: str, one: int, other: int) -> None:
    if not possible(sql):
        return
    first = admit(sql, catalog=SHOP, dialect="mysql", limits=Limits(max_rows=one))
    second = admit(first.sql, catalog=SHOP, dialect="mysql", limits=Limits(max_rows=other))
    assert first.limit is not None
    assert second.limit is not None
    assert second.limit <= min(first.limit, other)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(WORDS, max_size=25).map(" ".join) | st.text(max_size=60), st.sampled_from(["mysql", "duckdb", "mariadb"])
)
def test_nothing_but_a_refusal_is_ever_raised(sql: str, dialect: str) -> None:
    with contextlib.suppress(UnsafeSql):
        admit(sql, catalog=SHOP, dialect=dialect, limits=Limits())


@settings(max_examples=150, deadline=None)
@given(queries())
def test_generated_queries_are_mostly_admitted(sql: str) -> None:
    # Control characters in a drawn text are the only reason left to refuse one.
    assert possible(sql) or any(ord(char) < 32 or ord(char) == 127 or 0xD800 <= ord(char) < 0xE000 for char in sql)
