"""The row cap of a statement: on the outermost query only, and only ever lower."""

from typing import NamedTuple

from sqlglot import exp

from data_agent.sql.reasons import refuse


class Capped(NamedTuple):
    """A tree with a LIMIT of at most the cap; `ours` when the LIMIT is not the one that was asked for."""

    tree: exp.Expression
    limit: int
    ours: bool


def cap(tree: exp.Expression, most: int) -> Capped:
    """Put LIMIT on the outermost query, or lower the one that is there.

    A cap set on the statement itself keeps its ORDER BY and allows two columns of one name; wrapping it in another
    SELECT would do neither. Subqueries keep their own limits, whatever they are.

    Raises:
        UnsafeSql: a LIMIT or OFFSET of the outermost query is not a plain number.
    """
    tree = _unwrapped(tree)
    asked = _number(tree.args.get("limit"))
    _number(tree.args.get("offset"))
    limit = most if asked is None else min(asked, most)
    ours = asked is None or asked > most
    if ours:
        tree.set("limit", exp.Limit(expression=exp.Literal.number(limit)))
    return Capped(tree, limit, ours)


def _unwrapped(tree: exp.Expression) -> exp.Expression:
    """The query inside brackets that carry nothing of their own."""
    carried = ("limit", "offset", "order", "with_", "joins")
    while isinstance(tree, exp.Subquery) and not tree.alias and not any(tree.args.get(name) for name in carried):
        tree = tree.this
        tree.pop()
    return tree


def _number(clause: exp.Expression | None) -> int | None:
    if clause is None:
        return None
    value = clause.args.get("expression")
    if not isinstance(value, exp.Literal) or value.is_string or not value.name.isascii() or not value.name.isdigit():
        raise refuse("limit", what=value.sql("mysql") if value else "nothing")
    return int(value.name[:30])
