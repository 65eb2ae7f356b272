"""Comparing pieces of trees: the same shape means the same condition over the same table, whatever it is called."""

from typing import Any

from sqlglot import exp

from data_agent.verify.unproven import Unproven

Shape = Any  # nested tuples of strings, numbers and flags
OWN = "\N{CURRENCY SIGN}own"
_SILENT = {"quoted", "comments"}


def conjuncts(node: exp.Expr) -> list[exp.Expr]:
    """The conditions that all have to hold; brackets are looked through."""
    found, stack = [], [node]
    while stack:
        each = stack.pop()
        if isinstance(each, exp.Paren):
            stack.append(each.this)
        elif isinstance(each, exp.And):
            stack += [each.expression, each.this]
        else:
            found.append(each)
    return found


def consists_of(condition: exp.Expr, wanted: frozenset[Shape], own: str) -> bool:
    """Whether a condition over the table called `own` is all of the wanted shapes, and nothing else.

    `1 = (x)` does for x: it is never true where x is not. It keeps MySQL from making a join of a subquery.
    """
    found = set()
    for each in conjuncts(condition):
        told = (told_shape(node, own) for node in (_asserted(each), each) if node is not None)
        found.add(next((each for each in told if each in wanted), None))
    return found == wanted


def told_shape(node: exp.Expr, own: str) -> Shape | None:
    """The shape of a condition over the table called `own`, None when it is over something else."""
    try:
        return shape(node, own)
    except Unproven:
        return None


def _asserted(node: exp.Expr) -> exp.Expr | None:
    """x of `1 = (x)`."""
    one, asserted = node.args.get("this"), node.args.get("expression")
    if not isinstance(node, exp.EQ) or not isinstance(asserted, exp.Paren):
        return None
    return asserted.unnest() if isinstance(one, exp.Literal) and not one.is_string and one.name == "1" else None


def shape(node: Any, own: str, nested: bool = False) -> Shape:
    """The shape of a condition over one table called `own`: its columns are told as such, brackets are left out.

    Raises:
        Unproven: a column outside every subquery belongs to something else.
    """
    if isinstance(node, exp.Paren):
        return shape(node.this, own, nested)
    if isinstance(node, exp.Column):
        return _column(node, own, nested)
    if isinstance(node, list):
        return tuple(shape(each, own, nested) for each in node)
    if not isinstance(node, exp.Expr):
        return str(node) if isinstance(node, str) else node
    if isinstance(node, exp.Query):
        nested = True
        own = "" if own in _names_inside(node) else own
    parts = [
        (key, shape(value, own, nested))
        for key, value in node.args.items()
        if value is not None and value is not False and value != [] and key not in _SILENT
    ]
    return (type(node).__name__, *sorted(parts))


def _column(node: exp.Column, own: str, nested: bool) -> Shape:
    if node.args.get("db") or not isinstance(node.this, exp.Identifier):
        raise Unproven("construct")
    table = node.table
    if (table and table == own) or (not table and not nested):
        return (OWN, node.name.lower())
    if not nested:
        raise Unproven("construct")
    return ("Column", table, node.name.lower())


def _names_inside(query: exp.Expr) -> set[str]:
    """What any source anywhere in a query is called: there the name no longer means the table outside."""
    return {source.alias_or_name for source in query.find_all(exp.Table, exp.Subquery, exp.CTE)}
