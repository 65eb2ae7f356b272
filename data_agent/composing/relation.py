"""Parts put together: each aggregated apart, met on the shared dimensions, rows of either side kept."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlglot import exp

from data_agent.composing.part import Part
from data_agent.composing.tree import aliased, column, identifier, joined, table


@dataclass
class Ctes:
    """The WITH list of one statement; names never hide a table of the warehouse."""

    taken: frozenset[str]
    recursive: bool = False
    held: dict[str, exp.Expr] = field(default_factory=dict)

    def add(self, name: str, select: exp.Expr) -> str:
        """Keep a named query; the name it really got."""
        free, number = name, 1
        while free.casefold() in self.taken or free in self.held:
            number += 1
            free = f"{name}_{number}"
        self.held[free] = select
        return free

    def onto(self, select: exp.Select) -> exp.Select:
        """The statement with its WITH list in front."""
        if self.held:
            ctes = [
                exp.CTE(this=query, alias=exp.TableAlias(this=identifier(name))) for name, query in self.held.items()
            ]
            select.set("with_", exp.With(expressions=ctes, recursive=self.recursive))
        return select


@dataclass(frozen=True)
class Piece:
    """A part and which side of the answer it is: `""` now, `@base` compared with, `@total` the whole."""

    part: Part
    side: str = ""


@dataclass(frozen=True)
class Relation:
    """FROM … of the final aggregation: dimensions and, for every measure key and side, its number."""

    select: exp.Select
    dimensions: tuple[exp.Expr, ...]
    cells: dict[str, exp.Expr]
    grouped: bool = True


def grouping(select: exp.Select, dimensions: Iterable[exp.Expr]) -> exp.Select:
    """GROUP BY the positions of the dimensions; a constant groups nothing."""
    places = [place for place, each in enumerate(dimensions, 1) if not isinstance(each, exp.Literal)]
    return select.group_by(*(exp.Literal.number(place) for place in places), copy=False) if places else select


def inline(part: Part) -> Relation:
    """A single part needs nothing around it."""
    return Relation(part.select, part.dimensions, part.cells)


def aggregated(part: Part, names: dict[str, str]) -> exp.Select:
    """The part as a query with columns d0, d1, … and one per measure."""
    columns = [aliased(each, f"d{number}") for number, each in enumerate(part.dimensions)]
    columns += [aliased(cell, names[key]) for key, cell in part.cells.items()]
    return grouping(part.select.select(*columns, copy=False), part.dimensions)


def side_by_side(ctes: Ctes, pieces: list[Piece]) -> Relation:
    """Parts without dimensions have one row each and stand next to each other."""
    select = exp.Select()
    cells: dict[str, exp.Expr] = {}
    for number, piece in enumerate(pieces):
        names = {key: f"m{place}" for place, key in enumerate(piece.part.cells)}
        name = ctes.add("part" if not piece.side else piece.side[1:], aggregated(piece.part, names))
        if number:
            select.append("joins", joined(name))
        else:
            select.from_(table(name), copy=False)
        cells.update({key + piece.side: column(name, names[key]) for key in piece.part.cells})
    return Relation(select, (), cells, grouped=False)


@dataclass
class Stack:
    """Queries with the same dimensions, stacked and then folded to one row for each group.

    Stacking keeps the groups of either side and lets NULL groups meet, which a join would not; there is no FULL JOIN
    in MySQL anyway. Each number comes from one query only, so MAX just picks it.
    """

    ctes: Ctes
    width: int
    names: dict[str, str] = field(default_factory=dict)
    counts: set[str] = field(default_factory=set)
    rows: list[tuple[str, list[exp.Expr], dict[str, exp.Expr], tuple[exp.Join, ...]]] = field(default_factory=list)

    def put(self, piece: Piece, name: str = "part") -> str:
        """Stack a part; the name of its query."""
        local = {key: f"m{place}" for place, key in enumerate(piece.part.cells)}
        held = self.ctes.add(name, aggregated(piece.part, local))
        dimensions: list[exp.Expr] = [column(held, f"d{number}") for number in range(self.width)]
        cells: dict[str, exp.Expr] = {key + piece.side: column(held, local[key]) for key in piece.part.cells}
        self.lay(held, dimensions, cells, {key + piece.side for key in piece.part.counts})
        return held

    def lay(
        self,
        source: str,
        dimensions: list[exp.Expr],
        cells: dict[str, exp.Expr],
        counts: Iterable[str] = (),
        joins: tuple[exp.Join, ...] = (),
    ) -> None:
        """Stack rows of any kept query."""
        for key in cells:
            self.names.setdefault(key, f"n{len(self.names)}")
        self.counts.update(counts)
        self.rows.append((source, dimensions, cells, joins))

    def folded(self, totals: Iterable[Piece] = ()) -> Relation:
        """One row for each group, with the one-row totals beside it."""
        body: exp.Query | None = None
        for row in self.rows:
            query = self._query(*row)
            body = query if body is None else exp.Union(this=body, expression=query, distinct=False)
        if body is None:
            raise ValueError("nothing was stacked")
        # not a named query: under WITH RECURSIVE, DuckDB gives a named UNION the types of its first member
        alias = "stacked"
        select = exp.Select().from_(body.subquery(alias, copy=False), copy=False)
        cells = {key: self._pick(key, column(alias, name)) for key, name in self.names.items()}
        for piece in totals:
            local = {key: f"m{place}" for place, key in enumerate(piece.part.cells)}
            held = self.ctes.add("total", aggregated(piece.part, local))
            select.append("joins", joined(held))
            cells.update({key + piece.side: exp.Max(this=column(held, name)) for key, name in local.items()})
        dimensions = tuple(column(alias, f"d{number}") for number in range(self.width))
        return Relation(select, dimensions, cells)

    def _pick(self, key: str, cell: exp.Expr) -> exp.Expr:
        picked = exp.Max(this=cell)
        return exp.Coalesce(this=picked, expressions=[exp.Literal.number(0)]) if key in self.counts else picked

    def _query(
        self, source: str, dimensions: list[exp.Expr], cells: dict[str, exp.Expr], joins: tuple[exp.Join, ...]
    ) -> exp.Select:
        columns = [aliased(each, f"d{number}") for number, each in enumerate(dimensions)]
        columns += [aliased(cells.get(key, exp.Null()), name) for key, name in self.names.items()]
        select = exp.Select().select(*columns, copy=False).from_(table(source), copy=False)
        if joins:
            select.set("joins", list(joins))
        return select
