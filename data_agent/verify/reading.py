"""Reading one column: whether the rights let it be read where it stands."""

from sqlglot import exp

from data_agent.verify.known import WORDS
from data_agent.verify.unproven import Unproven
from data_agent.verify.visible import Scope, Source


def read_column(node: exp.Column, scope: Scope) -> None:
    """Prove the read of a column that does not stand in its mask.

    Raises:
        Unproven: it is hidden, wants a mask, or its meaning is not certain.
    """
    if not isinstance(node.this, exp.Identifier):
        raise Unproven("star")
    for base in scope.meanings(node.name, node.table, aliased=_alias_first(node)):
        if base.wants_mask(node.name):
            raise Unproven("mask")


def _alias_first(node: exp.Column) -> bool:
    """Whether servers look among the aliases first: a whole item of ORDER BY, or HAVING outside of any aggregate."""
    if isinstance(node.parent, exp.Ordered):
        return True
    return isinstance(node.find_ancestor(exp.Having, exp.AggFunc, exp.Query), exp.Having)


def read_joined(name: str, side: list[Source]) -> None:
    """Prove that a join may compare the column of that name on one of its sides.

    Raises:
        Unproven: it may not, or no source of the side has it.
    """
    if not any(source.gives(name) or source.open for source in side):
        raise Unproven("name")
    for source in side:
        if source.base is not None and source.base.has(name) and source.base.wants_mask(name):
            raise Unproven("mask")


def read_word(node: exp.Var, scope: Scope) -> None:
    """Prove a word the parser keeps as such: a server may take a unit of time without quotes for a column.

    Raises:
        Unproven: it is not a known word, or could be a column that may not be read plainly.
    """
    if isinstance(node.parent, exp.Collate | exp.DataType):
        return
    if node.name.upper() not in WORDS:
        raise Unproven("construct")
    bases = [source.base for each in scope.outward() for source in each.sources if source.base is not None]
    if any(base.has(node.name) and base.wants_mask(node.name) for base in bases):
        raise Unproven("mask")
