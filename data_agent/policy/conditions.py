"""Row filters: a condition in words becomes a tree, the caller's attributes become literals in it."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache

from sqlglot import exp
from sqlglot.errors import SqlglotError

from data_agent.domain.policy import RowFilter
from data_agent.errors import InvalidSettings, NotPermitted
from data_agent.sql import grammar
from data_agent.sql.copies import bare
from data_agent.sql.lexer import pieces

WRITTEN_IN = "mysql"
_ATTRIBUTE = re.compile(r":caller\.([A-Za-z_]\w*)", re.ASCII)
_STRAY = re.compile(r"[:?@]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


@lru_cache(maxsize=1024)
def parsed(where: str) -> exp.Expression:
    """The condition as a tree with a placeholder for every `:caller.NAME`; copy it before changing it.

    Raises:
        InvalidSettings: it is not one condition.
    """
    written = "".join(_with_placeholders(piece.kind, piece.text) for piece in pieces(where, WRITTEN_IN))
    text = f"SELECT 1 FROM t WHERE ({written})"
    try:
        trees = grammar.trees(grammar.tokens(text, WRITTEN_IN), text, WRITTEN_IN)
    except (SqlglotError, RecursionError):
        raise InvalidSettings(f"`{where}` is not a condition as MySQL writes it") from None
    tree = trees[0] if len(trees) == 1 else None
    if not isinstance(tree, exp.Select) or {key for key, value in tree.args.items() if value} != {
        "expressions",
        "from_",
        "where",
    }:
        raise InvalidSettings(f"`{where}` must be one condition")
    condition = tree.args["where"].this
    if not isinstance(condition, exp.Paren):
        raise InvalidSettings(f"`{where}` must be one condition")
    inner: exp.Expression = condition.this
    return bare(inner)


@lru_cache(maxsize=1024)
def attributes_of(where: str) -> tuple[str, ...]:
    """Names of the caller's attributes a condition asks for."""
    return tuple(dict.fromkeys(node.name for node in parsed(where).find_all(exp.Placeholder)))


def bound(row_filter: RowFilter, attributes: Mapping[str, str], dialect: str = WRITTEN_IN) -> exp.Expression:
    """The condition with the caller's attributes in place, its own columns told by their table.

    For MySQL a part that holds a subquery is written `1 = (...)`: it is true for the same rows, and keeps the optimizer
    from making it a semi-join, which under an outer join gives rows that the condition excludes (seen on 9.7).

    Raises:
        NotPermitted: the caller lacks an attribute, or it cannot be used.
    """
    asked = tuple((name, attributes.get(name, "")) for name in attributes_of(row_filter.where))
    return bare(_bound(row_filter.where, row_filter.table.rpartition(".")[2], asked, dialect))


@lru_cache(maxsize=512)
def _bound(where: str, table: str, asked: tuple[tuple[str, str], ...], dialect: str) -> exp.Expression:
    attributes = dict(asked)
    tree = exp.Paren(this=parsed(where).copy())
    for node in list(tree.find_all(exp.Placeholder)):
        literals = _literals(node, attributes)
        if isinstance(node.parent, exp.In) and node.arg_key == "expressions":
            items = [each for old in node.parent.expressions for each in (literals if old is node else [old])]
            node.parent.set("expressions", items)
        elif len(literals) == 1:
            node.replace(literals[0])
        else:
            raise NotPermitted(f"the attribute `{node.name}` of this caller is a list and the rule wants one value")
    _qualify(tree, table)
    if dialect == "mysql":
        tree.set("this", _without_semi_joins(tree.this))
    return tree


def _with_placeholders(kind: str, text: str) -> str:
    if kind != "code":
        return text
    if _STRAY.search(_ATTRIBUTE.sub("", text)):
        raise InvalidSettings("a condition takes `:caller.NAME` and no other parameter or variable")
    return _ATTRIBUTE.sub(r":\1", text)


def _literals(node: exp.Expression, attributes: Mapping[str, str]) -> list[exp.Expression]:
    """A value is always a text literal: the database compares it by the column's type, and it can end no string."""
    value = attributes.get(node.name, "")
    if not value.strip():
        raise NotPermitted(
            f"this role needs the attribute `{node.name}` of its caller, and it is not set",
            hint="the caller's key or token has to carry it",
        )
    values = _listed(value, node.name) if value.lstrip().startswith("[") else [value]
    if any(_CONTROL.search(each) for each in values):
        raise NotPermitted(f"the attribute `{node.name}` of this caller holds a control character")
    return [exp.Literal.string(each) for each in values]


def _listed(value: str, name: str) -> list[str]:
    try:
        found = json.loads(value)
    except ValueError:
        found = None
    if not isinstance(found, list) or not found or not all(isinstance(each, str | int) for each in found):
        raise NotPermitted(f'the attribute `{name}` of this caller is no list of texts like ["a", "b"]')
    return [str(each) for each in found]


def _without_semi_joins(node: exp.Expression) -> exp.Expression:
    if isinstance(node, exp.And):
        return exp.And(this=_without_semi_joins(node.this), expression=_without_semi_joins(node.expression))
    if isinstance(node, exp.Paren):
        return exp.Paren(this=_without_semi_joins(node.this))
    if node.find(exp.Query) is None:
        return node
    return exp.EQ(this=exp.Literal.number(1), expression=exp.Paren(this=node))


def _qualify(tree: exp.Expression, table: str) -> None:
    """Bare columns outside every subquery are the table's own, whatever an alias may be called."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, exp.Column) and not node.table:
            node.set("table", exp.to_identifier(table, quoted=True))
        elif not isinstance(node, exp.Query):
            stack.extend(node.iter_expressions())
