"""Reading and writing SQL: sqlglot's dialects with the few changes the guard needs."""

import logging
from collections.abc import Callable
from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.dialects.mysql import MySQL
from sqlglot.errors import ErrorLevel
from sqlglot.generators.mysql import MySQLGenerator
from sqlglot.parsers.mysql import MySQLParser
from sqlglot.tokenizer_core import Token, TokenType

# Its warnings quote the statement, and with it values that no log may hold.
logging.getLogger("sqlglot").disabled = True


class Pipes(exp.Or):
    """`a || b` as MySQL reads it (OR); kept apart from OR because people mean CONCAT by it."""


def _regexp(self: Any, node: exp.RegexpLike) -> str:
    # The operator is known to every server; the function REGEXP_LIKE only to MySQL 8.
    if node.args.get("flag"):
        return str(self.func("REGEXP_LIKE", node.this, node.expression, node.args["flag"]))
    return str(self.binary(node, "REGEXP"))


class WarehouseMySQL(MySQL):
    """MySQL, with `||` told apart from OR and REGEXP written as the operator."""

    class Parser(MySQLParser):
        """`||` becomes Pipes."""

        DISJUNCTION: ClassVar[Any] = {**MySQLParser.DISJUNCTION, TokenType.DPIPE: Pipes}

    class Generator(MySQLGenerator):
        """REGEXP stays an operator."""

        TRANSFORMS: ClassVar[Any] = {**MySQLGenerator.TRANSFORMS, exp.RegexpLike: _regexp}


class WarehouseDuckDB(DuckDB):
    """DuckDB as it is, under a name of our own."""


_GRAMMARS: dict[str, Callable[[], Dialect]] = {
    "warehouse_mysql": WarehouseMySQL,
    "warehouse_duckdb": WarehouseDuckDB,
}
_KEPT: dict[str, Dialect] = {}


def _grammar(name: str) -> Dialect:
    if name not in _KEPT:
        _KEPT[name] = _GRAMMARS[name]()
    return _KEPT[name]


def tokens(sql: str, grammar: str) -> list[Token]:
    """The tokens of a statement."""
    return list(_grammar(grammar).tokenize(sql))


def trees(found: list[Token], sql: str, grammar: str) -> list[exp.Expr | None]:
    """Every statement the tokens hold; None for an empty one.

    Raises:
        SqlglotError: the text is not a statement of this dialect.
    """
    parser = _grammar(grammar).parser(error_level=ErrorLevel.IMMEDIATE)
    return list(parser.parse(found, sql))


def render(tree: exp.Expression, grammar: str) -> str:
    """The tree as text of its dialect, without comments.

    Raises:
        UnsupportedError: the dialect has no way to say part of it.
    """
    generator = _grammar(grammar).generator(comments=False, unsupported_level=ErrorLevel.RAISE)
    return generator.generate(tree, copy=False)


def foreign(sql: str, dialect: str) -> list[exp.Expr | None]:
    """The statements of a text written in another dialect."""
    return list(Dialect.get_or_raise(dialect).parse(sql))
