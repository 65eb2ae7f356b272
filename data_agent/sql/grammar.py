"""Reading and writing SQL: sqlglot's dialects with the few changes the guard needs.

Nothing here subclasses its parser or generator, so its compiled build works as well as the plain one.
"""

import logging
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.dialects.mysql import MySQL
from sqlglot.errors import ErrorLevel, ParseError
from sqlglot.tokenizer_core import Token

# Its warnings quote the statement, and with it values that no log may hold.
logging.getLogger("sqlglot").disabled = True


_GRAMMARS: dict[str, Dialect] = {"mysql": MySQL(), "duckdb": DuckDB()}
NEW_WORDS = frozenset({"EXTERNAL", "LIBRARY", "QUALIFY", "TABLESAMPLE"})  # of MySQL 9; its writer leaves them bare
_WORDS = {name: frozenset(each.tokenizer_class.KEYWORDS) | NEW_WORDS for name, each in _GRAMMARS.items()}


def _regexp(generator: Any, node: exp.RegexpLike) -> str:
    # The operator is known to every server; the function REGEXP_LIKE only to MySQL 8.
    if node.args.get("flag"):
        return str(generator.func("REGEXP_LIKE", node.this, node.expression, node.args["flag"]))
    return str(generator.binary(node, "REGEXP"))


def _select(generator: Any, node: exp.Select) -> str:
    # Its own way would first search each query, and all in it, for what MySQL lacks; the guard refuses all of that.
    return str(generator.select_sql(node))


def _interval(generator: Any, node: exp.Interval) -> str:
    # INTERVAL(n, a, b) is a function, which the parser takes for an interval without a unit.
    if isinstance(node.this, exp.Tuple) and not node.args.get("unit"):
        return f"INTERVAL{generator.sql(node.this)}"
    return str(generator.interval_sql(node))


def _utc_date(_: Any, __: exp.UtcDate) -> str:
    return "UTC_DATE()"


def _json_value(generator: Any, node: exp.JSONValue) -> str:
    # Types are called here as in CAST, and not as in a table.
    if type_ := node.args.get("returning"):
        cast = generator.sql(exp.Cast(this=exp.Null(), to=type_.copy()))
        node = node.copy()
        node.set("returning", exp.Var(this=cast.removeprefix("CAST(NULL AS ").removesuffix(")")))
    return str(generator.jsonvalue_sql(node))


_MYSQL_WRITING: dict[Any, Any] = {
    exp.RegexpLike: _regexp,
    exp.Select: _select,
    exp.Interval: _interval,
    exp.UtcDate: _utc_date,
    exp.JSONValue: _json_value,
}


def identifier(name: str, grammar: str) -> exp.Identifier:
    """A name to write, in quotes where it could be read as a word of the language."""
    return exp.to_identifier(name, quoted=True if name.upper() in _WORDS[grammar] else None)


def tokens(sql: str, grammar: str) -> list[Token]:
    """The tokens of a statement."""
    return list(_GRAMMARS[grammar].tokenize(sql))


def trees(found: list[Token], sql: str, grammar: str) -> list[exp.Expr | None]:
    """Every statement the tokens hold; None for an empty one.

    Raises:
        SqlglotError: the text is not a statement of this dialect.
    """
    parser = _GRAMMARS[grammar].parser(error_level=ErrorLevel.IMMEDIATE)
    try:
        return list(parser.parse(found, sql))
    except (TypeError, ValueError, AttributeError, LookupError) as error:
        # a missing operand trips some of its builders before they can complain
        raise ParseError("an operand is missing") from error


def render(tree: exp.Expression, grammar: str) -> str:
    """The tree as text of its dialect, without comments.

    Raises:
        UnsupportedError: the dialect has no way to say part of it.
    """
    generator = _GRAMMARS[grammar].generator(comments=False, unsupported_level=ErrorLevel.RAISE)
    if grammar == "mysql":
        generator._dispatch = {**generator._dispatch, **_MYSQL_WRITING}
    return generator.generate(tree, copy=False)


def foreign(sql: str, dialect: str) -> list[exp.Expr | None]:
    """The statements of a text written in another dialect."""
    return list(Dialect.get_or_raise(dialect).parse(sql))
