"""Reading one column: whether the rights let it be read where it stands."""

from sqlglot import exp

from data_agent.verify.known import WORDS
from data_agent.verify.rights import Rights
from data_agent.verify.shapes import Shape, is_shape
from data_agent.verify.unproven import Unproven
from data_agent.verify.visible import Scope, Source


def read_column(rights: Rights, node: exp.Column, scope: Scope) -> None:
    """Prove the read of a column at its place.

    Raises:
        Unproven: it is hidden, read without its mask, or its meaning is not certain.
    """
    if not isinstance(node.this, exp.Identifier):
        raise Unproven("star")
    for source, found_in in scope.meanings(node.name, node.table):
        form = _form(rights, source, node.name)
        if form is not None and not (found_in is scope and len(scope.sources) == 1 and _stands_in(node, form, source)):
            raise Unproven("mask")


def read_joined(rights: Rights, name: str, side: list[Source]) -> None:
    """Prove that a join may compare the column of that name on one of its sides.

    Raises:
        Unproven: it may not, or no source of the side has it.
    """
    if not any(source.gives(name) or source.open for source in side):
        raise Unproven("name")
    for source in side:
        if source.restricts(name) and _form(rights, source, name) is not None:
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
    if any(_form(rights, source, node.name) is not None for source in sources):
        raise Unproven("mask")


def _form(rights: Rights, source: Source, column: str) -> Shape | None:
    """The shape the column may only be read in, None when it may be read plainly.

    Raises:
        Unproven: it may not be read at all.
    """
    if source.base is None:
        return None
    if rights.hides(source.base, column):
        raise Unproven("hidden_column")
    mask = rights.mask(source.base, column)
    if mask is None:
        return None
    form = rights.masked(mask, column)
    if form is None:
        raise Unproven("mask")
    return form


def _stands_in(node: exp.Expr, form: Shape, source: Source) -> bool:
    """Whether some expression around the column is exactly its mask."""
    around = node.parent
    while around is not None and not isinstance(around, exp.Query):
        if is_shape(around, form, source.name):
            return True
        around = around.parent
    return False
