"""Reading one column: whether the rights let it be read where it stands."""

from sqlglot import exp

from data_agent.verify.known import WORDS
from data_agent.verify.rights import Rights
from data_agent.verify.unproven import Unproven
from data_agent.verify.visible import Scope, Source


def read_column(rights: Rights, node: exp.Column, scope: Scope) -> None:
    """Prove the read of a column that does not stand in its mask.

    Raises:
        Unproven: it is hidden, wants a mask, or its meaning is not certain.
    """
    if not isinstance(node.this, exp.Identifier):
        raise Unproven("star")
    for source in scope.meanings(node.name, node.table):
        if _masked(rights, source, node.name):
            raise Unproven("mask")


def read_joined(rights: Rights, name: str, side: list[Source]) -> None:
    """Prove that a join may compare the column of that name on one of its sides.

    Raises:
        Unproven: it may not, or no source of the side has it.
    """
    if not any(source.gives(name) or source.open for source in side):
        raise Unproven("name")
    for source in side:
        if source.restricts(name) and _masked(rights, source, name):
            raise Unproven("mask")


def read_word(rights: Rights, node: exp.Var, scope: Scope) -> None:
    """Prove a word the parser keeps as such: a server may take a unit of time without quotes for a column.

    Raises:
        Unproven: it is not a known word, or could be a column that may not be read plainly.
    """
    if isinstance(node.parent, exp.Collate | exp.DataType):
        return
    if node.name.upper() not in WORDS:
        raise Unproven("construct")
    sources = [source for each in scope.outward() for source in each.sources if source.restricts(node.name)]
    for source in sources:
        if _masked(rights, source, node.name):
            raise Unproven("mask")


def _masked(rights: Rights, source: Source, column: str) -> bool:
    """Whether the column may only be read in its mask.

    Raises:
        Unproven: it may not be read at all.
    """
    if source.base is None:
        return False
    if rights.hides(source.base, column):
        raise Unproven("hidden_column")
    return rights.mask(source.base, column) is not None
