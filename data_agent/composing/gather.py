"""Every number of a reading, gathered side by side: parts, averages per group, bases, totals."""

from dataclasses import replace

from sqlglot import exp

from data_agent.composing.definitions import tell_filters
from data_agent.composing.measures import Value, hole
from data_agent.composing.part import Cut, Part, parts_of, range_label, settled
from data_agent.composing.relation import Ctes, Piece, Relation, Stack, grouping, inline, side_by_side
from data_agent.composing.scope import Scope
from data_agent.composing.sides import base_times, calendar_of, fill_members, stack_base, to_date
from data_agent.composing.spans import time_place
from data_agent.composing.tree import aliased, cast, column


def gather(scope: Scope, ctes: Ctes, asked: tuple[Value, ...]) -> tuple[tuple[Value, ...], Relation]:
    """The values as formulas over one relation that holds all their measures.

    Keys in the relation are measure keys, with `@base` or `@total` behind them for the other sides.
    """
    scope = to_date(scope)
    dimensions = scope.reading.dimensions
    values = tuple(settled(scope, value, (*dimensions, value.per) if value.per else dimensions) for value in asked)
    tell_filters(scope, values)
    pieces = [Piece(part) for cut in cuts_of(scope) for part in _parts(scope, ctes, values, cut)]
    totals = _totals(scope, ctes, values, pieces)
    shown = tuple(replace(value, formula=hole(f"per{n}")) if value.per else value for n, value in enumerate(values))
    return shown, _together(scope, ctes, values, pieces, totals)


def cuts_of(scope: Scope) -> list[Cut]:
    """One cut for all ranges together, or one for each range when the ranges are the rows."""
    reading = scope.reading
    if any(not each.column and each.grain is None for each in reading.dimensions):
        return [Cut(reading.dimensions, (time,), range_label(time)) for time in reading.times]
    shared = [time for time in reading.times if time.column == reading.times[0].column]
    if len(shared) > 1:
        scope.note("together", ranges=" + ".join(range_label(time) for time in shared))
    return [Cut(reading.dimensions, reading.times)]


def _parts(scope: Scope, ctes: Ctes, values: tuple[Value, ...], cut: Cut) -> list[Part]:
    measures = {measure.key: measure for value in values if value.per is None for measure in value.measures}
    found = parts_of(scope, tuple(measures.values()), cut)
    return found + [_per_part(scope, ctes, value, f"per{n}", cut) for n, value in enumerate(values) if value.per]


def _per_part(scope: Scope, ctes: Ctes, value: Value, key: str, cut: Cut) -> Part:
    """The metric for each group of one more dimension, then the mean of those; no group, no part in the mean."""
    if value.per is None:
        raise ValueError("no `per`")
    inner = replace(cut, dimensions=(*cut.dimensions, value.per))
    relation = _plain(ctes, [Piece(part) for part in parts_of(scope, value.measures, inner)])
    names = [f"d{number}" for number in range(len(relation.dimensions))]
    columns = [aliased(each, name) for each, name in zip(relation.dimensions, names, strict=True)]
    columns.append(aliased(filled(value.formula, relation), "value"))
    query = relation.select.select(*columns, copy=False)
    query = grouping(query, relation.dimensions) if relation.grouped else query
    known = exp.Not(this=exp.Is(this=column("each_one", names[-1]), expression=exp.Null()))
    select = exp.Select().from_(query.subquery("each_one", copy=False), copy=False).where(known, copy=False)
    number: exp.Expr = column("each_one", "value")
    if scope.dialect == "mysql":
        number = cast(number, "DECIMAL(38, 8)")
    shown = tuple(
        each.copy() if isinstance(each, exp.Literal) else column("each_one", name)
        for each, name in zip(relation.dimensions[:-1], names, strict=False)
    )
    return Part(select, shown, {key: exp.Avg(this=number)})


def filled(formula: exp.Expr, relation: Relation, side: str = "") -> exp.Expr:
    """The formula with numbers of the relation in place of measure keys."""
    root = exp.Paren(this=formula.copy())
    for node in list(root.find_all(exp.Placeholder)):
        node.replace(relation.cells[node.name + side].copy())
    inner: exp.Expr = root.this
    return inner


def _plain(ctes: Ctes, pieces: list[Piece]) -> Relation:
    if len(pieces) == 1:
        return inline(pieces[0].part)
    if not pieces[0].part.dimensions:
        return side_by_side(ctes, pieces)
    stack = Stack(ctes, len(pieces[0].part.dimensions))
    for piece in pieces:
        stack.put(piece)
    return stack.folded()


def _together(
    scope: Scope, ctes: Ctes, values: tuple[Value, ...], pieces: list[Piece], totals: list[Piece]
) -> Relation:
    reading = scope.reading
    if not reading.dimensions:
        bases = _bases(scope, ctes, values)
        return _plain(ctes, [*pieces, *bases, *totals])
    if len(pieces) == 1 and not (totals or reading.fill or reading.comparison != "none"):
        return inline(pieces[0].part)
    stack = Stack(ctes, len(reading.dimensions))
    place = time_place(reading)
    calendar = calendar_of(scope, ctes, pieces) if place is not None else None
    for piece in pieces:
        stack.put(piece)
    if reading.comparison != "none":
        bases = _bases(scope, ctes, values)
        if calendar is None or place is None:
            for piece in bases:
                stack.put(piece, "base")
        else:
            stack_base(scope, stack, calendar, place, bases)
    if any(each.part for each in reading.filters):
        for piece in totals:
            stack.put(piece, "whole")
        totals = []
    fill_members(scope, stack, calendar)
    return stack.folded(totals)


def _bases(scope: Scope, ctes: Ctes, values: tuple[Value, ...]) -> list[Piece]:
    if scope.reading.comparison == "none":
        return []
    cut = Cut(scope.reading.dimensions, base_times(scope))
    return [Piece(part, "@base") for part in _parts(scope, ctes, values, cut)]


def _totals(scope: Scope, ctes: Ctes, values: tuple[Value, ...], pieces: list[Piece]) -> list[Piece]:
    """The whole that shares are of, where the groups do not add up to it."""
    reading = scope.reading
    if not reading.share:
        return []
    ratio = next((value for value in values if value.ratio), None)
    if ratio is not None:
        raise scope.fail("no_share", metric=ratio.label)
    rest = tuple(each for each in reading.filters if not each.part)
    if len(rest) < len(reading.filters):
        scope.note("share_of", part="、".join(each.words for each in reading.filters if each.part))
        cut = Cut(reading.dimensions, reading.times)
        return [Piece(part, "@total") for part in _parts(scope.asking(filters=rest), ctes, values, cut)]
    if adds_up(values) and reading.dimensions and not any(piece.part.overlaps for piece in pieces):
        return []
    if not reading.dimensions:
        scope.note("share_all")
    whole = scope.asking(filters=()) if not reading.dimensions else scope
    parts = _parts(whole, ctes, values, Cut((), reading.times))
    return [Piece(part, "@total") for part in parts]


def adds_up(values: tuple[Value, ...]) -> bool:
    """Whether every value may be added up over groups."""
    return all(value.additive for value in values)
