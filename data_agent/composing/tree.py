"""The few syntax-tree pieces that every part of a composed statement is made of."""

import re
from collections.abc import Iterable
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.dialects.mysql import MySQL

from data_agent.domain.reading import Scalar

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NEWER = ("at", "external", "library")  # reserved by DuckDB 1.3 and MySQL 9, and not yet known to sqlglot
_RESERVED = frozenset(
    word.lower() for word in (*MySQL.Generator.RESERVED_KEYWORDS, *DuckDB.Generator.RESERVED_KEYWORDS, *_NEWER)
)
_SCALE = "DECIMAL(38, 8)"


def identifier(name: str) -> exp.Identifier:
    """A name, quoted where either engine would trip over it."""
    return exp.to_identifier(name, quoted=not _PLAIN.fullmatch(name) or name.lower() in _RESERVED)


def column(table: str, name: str) -> exp.Column:
    """`table.name`; an empty table leaves the name alone."""
    return exp.Column(this=identifier(name), table=identifier(table) if table else None)


def table(name: str, alias: str = "") -> exp.Table:
    """A table in FROM, with its alias when that differs."""
    named = alias and alias != name
    return exp.Table(this=identifier(name), alias=exp.TableAlias(this=identifier(alias)) if named else None)


def joined(name: str, alias: str = "", on: exp.Expr | None = None) -> exp.Join:
    """LEFT JOIN a table on a condition, CROSS JOIN it without one."""
    side, kind = ("LEFT", None) if on is not None else (None, "CROSS")
    return exp.Join(this=table(name, alias), side=side, kind=kind, on=on)


def aliased(expression: exp.Expr, name: str) -> exp.Expr:
    """`expression AS name`; a column that is called so already needs no alias."""
    same = isinstance(expression, exp.Column) and not expression.table and expression.name == name
    return expression if same else exp.Alias(this=expression, alias=identifier(name))


def literal(value: Scalar) -> exp.Expr:
    """A value as the engines write it."""
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    return exp.Literal.number(value) if isinstance(value, int | float) else exp.Literal.string(value)


def call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    """A function written exactly like this in the engine at hand."""
    return exp.Anonymous(this=name, expressions=list(arguments))


@lru_cache(maxsize=16)
def _data_type(kind: str) -> exp.DataType:
    return exp.DataType.build(kind)


def data_type(kind: str) -> exp.DataType:
    """A type by its name; reading the name is slow, so it is read once."""
    return _data_type(kind).copy()


def cast(expression: exp.Expr, kind: str) -> exp.Cast:
    """`CAST(expression AS kind)`."""
    return exp.Cast(this=expression, to=data_type(kind))


def all_of(conditions: Iterable[exp.Expr]) -> exp.Expr | None:
    """Conditions joined by AND, None when there is none."""
    found = [part for each in conditions for part in (each.flatten() if isinstance(each, exp.And) else (each,))]
    return exp.and_(*found, copy=False) if found else None


def any_of(conditions: Iterable[exp.Expr]) -> exp.Expr:
    """Conditions joined by OR, in brackets when there are several."""
    found = list(conditions)
    return found[0] if len(found) == 1 else exp.paren(exp.or_(*found, copy=False), copy=False)


def divide(above: exp.Expr, below: exp.Expr, dialect: str) -> exp.Expr:
    """A quotient that is NULL by zero and has the same first eight decimals in both engines.

    MySQL keeps only four more decimals than the dividend has (1/3 is 0.3333), so the dividend is widened there.
    """
    widened = cast(above, _SCALE) if dialect == "mysql" else bracketed(above)
    return exp.Div(this=widened, expression=_nonzero(below), typed=False, safe=False)


def bracketed(expression: exp.Expr) -> exp.Expr:
    """In brackets when it is arithmetic."""
    return exp.paren(expression, copy=False) if isinstance(expression, exp.Binary | exp.Neg) else expression


def safe_division(expression: exp.Expr, dialect: str) -> exp.Expr:
    """The same expression with every `/` made safe, innermost first."""
    if expression.find(exp.Div) is None:
        return expression
    root = exp.Paren(this=expression.copy())
    for node in reversed(list(root.find_all(exp.Div))):
        node.replace(divide(node.this, node.expression, dialect))
    inner: exp.Expr = root.this
    return inner


def _nonzero(below: exp.Expr) -> exp.Expr:
    inner = below.unnest()
    fixed = isinstance(inner, exp.Literal) and not inner.is_string and float(inner.name) != 0
    return below if fixed or isinstance(inner, exp.Nullif) else exp.Nullif(this=inner, expression=exp.Literal.number(0))


@lru_cache(maxsize=4096)
def _parsed(text: str) -> exp.Expr:
    return sqlglot.parse_one(text, read="mysql")


def parsed(text: str) -> exp.Expr:
    """A catalog expression, written the MySQL way, as a fresh tree."""
    return _parsed(text).copy()
