"""What a name can mean: the sources and aliases one place of a statement sees, nearest first."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from data_agent.verify.rights import Base
from data_agent.verify.shapes import Shape
from data_agent.verify.unproven import Unproven


@dataclass(frozen=True)
class Source:
    """One entry of FROM. `base` is the catalog table when it is read directly; anything else only gives columns that
    were checked where they were made. `open` means that it may have more columns than the named ones, `parts` that
    `x.y` may be part y of its column x."""

    name: str
    columns: frozenset[str]
    base: Base | None = None
    open: bool = False
    parts: bool = False

    def gives(self, column: str) -> bool:
        """Whether it certainly has the column. Letter case counts as servers count it, so no full case folding."""
        return column.lower() in self.columns


@dataclass
class Scope:
    """The names one place sees; `outer` is the place around it.

    What an uncertain scope holds is seen from here on some servers only, so a name found in it is looked for further
    out as well. `joining` are the sources that a condition of the next join certainly sees,
    `forms` the shapes in which masked columns of a table that stands alone here may be read.
    """

    outer: "Scope | None" = None
    sources: list[Source] = field(default_factory=list)
    aliases: set[str] = field(default_factory=set)
    certain: bool = True
    joining: list[Source] = field(default_factory=list)
    forms: dict[str, frozenset[Shape]] = field(default_factory=dict)

    def add(self, source: Source) -> None:
        """Take in one more source.

        Raises:
            Unproven: two sources of one name, letter case ignored.
        """
        if source.name and any(each.name.casefold() == source.name.casefold() for each in self.sources):
            raise Unproven("name")
        self.sources.append(source)
        self.joining.append(source)

    def neighbours(self) -> "Scope":
        """What a query standing in FROM may see: the sources to its left, then the place around."""
        return Scope(self.outer, list(self.sources), certain=False)

    def condition(self) -> "Scope":
        """What ON sees for certain: both sides of its join. A comma binds less, so what stands before one may not."""
        return Scope(self.neighbours(), list(self.joining))

    def outward(self) -> "Iterator[Scope]":
        """This scope, then those around it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def called(self, name: str) -> list[Source]:
        """The sources of exactly that name; some servers tell `O` from `o`, so a near miss has no certain meaning.

        Raises:
            Unproven: there is only a near miss.
        """
        near = [source for source in self.sources if source.name.casefold() == name.casefold()]
        if any(source.name != name for source in near):
            raise Unproven("name")
        return near

    def meanings(self, column: str, qualifier: str, *, aliased: bool = False) -> list[Base]:
        """Every base table the column may be read from; none when it comes from elsewhere. `aliased` says that
        an alias goes first where it stands.

        A base table may hold more than any catalog lists, and a server looks into the nearest one first: a name that
        it does not certainly give must not be looked for behind it.

        Raises:
            Unproven: nothing visible can be meant.
        """
        found: list[Base] = []
        possible = doubtful = False
        if len(column.lower()) != len(column):  # some servers take such a letter for two, others for a plain one
            raise Unproven("name")
        aliased = aliased and not qualifier and column.lower() in self.aliases
        for scope in self.outward():
            named = scope.called(qualifier) if qualifier else scope.sources
            gives = False
            for source in named:
                gives = gives or source.gives(column) or bool(qualifier and source.open)
                if source.base is not None and source.base.has(column):
                    found.append(source.base)
            if gives and scope.certain:
                return _certain(found, column, doubtful)
            beside = any(each.base and (each.parts or not qualifier) for each in scope.sources)
            doubtful = doubtful or (beside and not gives and not aliased)
            if named and qualifier and scope.certain:
                raise Unproven("name")
            possible = possible or gives
        if found or possible or (not qualifier and self._may_be_unnamed(column)):
            return _certain(found, column, doubtful)
        raise Unproven("name")

    def _may_be_unnamed(self, column: str) -> bool:
        chain = list(self.outward())
        if any(column.lower() in scope.aliases for scope in chain):
            return True
        sources = [source for scope in chain for source in scope.sources]
        return any(source.open for source in sources) and not any(source.base for source in sources)


def _certain(found: list[Base], column: str, doubtful: bool) -> list[Base]:
    if not doubtful:
        return found
    masked = any(base.wants_mask(column) for base in found)
    raise Unproven("mask" if masked else "name")
