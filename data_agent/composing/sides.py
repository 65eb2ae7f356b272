"""The base a number is compared with, the calendar that leaves no period out, the members without data."""

from datetime import date, timedelta

from sqlglot import exp

from data_agent.composing.joining import Joins
from data_agent.composing.part import labelled
from data_agent.composing.periods import (
    base_range,
    base_step,
    first_of,
    label,
    moved,
    period_start,
    periods,
    said,
)
from data_agent.composing.relation import Ctes, Piece, Stack, aggregated
from data_agent.composing.scope import Scope
from data_agent.composing.spans import ends, grain_of, same_time, time_place
from data_agent.composing.tree import aliased, all_of, cast, column, joined, table
from data_agent.composing.where import owner, rows_that_count
from data_agent.domain.reading import ReadDimension, Reading, ReadTime
from data_agent.domain.time import Grain

MOST = 1000
"""MySQL stops a recursive query after 1,000 steps, and nobody reads a longer table."""


def to_date(scope: Scope) -> Scope:
    """The same scope with nothing of the future in ranges that are compared period by period."""
    reading, tomorrow = scope.reading, scope.today + timedelta(days=1)
    if reading.comparison == "none" or time_place(reading) is None:
        return scope
    moving = same_time(reading)
    cut = tuple(_until(time, tomorrow) if time in moving else time for time in reading.times)
    if cut == reading.times:
        return scope
    scope.note("to_date", day=scope.today.isoformat())
    return scope.asking(times=cut)


def _until(time: ReadTime, tomorrow: date) -> ReadTime:
    start, end = time.range.start, time.range.end
    if end is None or end <= tomorrow or (start is not None and start >= tomorrow):
        return time
    return time.model_copy(update={"range": time.range.model_copy(update={"end": tomorrow})})


def base_times(scope: Scope) -> tuple[ReadTime, ...]:
    """The ranges of the base.

    Raises:
        CannotAnswer: there is neither a range nor a time dimension to compare.
    """
    reading = scope.reading
    if not reading.times and time_place(reading) is None:
        raise scope.fail("no_base")
    moving = same_time(reading)
    grain = grain_of(reading)
    if grain == "week" and reading.comparison == "yoy":
        scope.note("weeks")
    turned = tuple(_base(reading, time, grain) if time in moving else time for time in reading.times)
    if time_place(reading) is None:
        scope.note("base", range=" + ".join(said(time.range) for time in turned))
    return turned


def _base(reading: Reading, time: ReadTime, grain: Grain) -> ReadTime:
    if reading.base is not None and time_place(reading) is None:
        return time.model_copy(update={"range": reading.base})
    step, count = base_step(reading.comparison, grain)
    span = time.range
    if step == "day" and span.start and span.end:
        count = -max((span.end - span.start).days, 1) if time_place(reading) is None else count
    return time.model_copy(update={"range": base_range(span, step, count)})


def calendar_of(scope: Scope, ctes: Ctes, pieces: list[Piece]) -> str | None:
    """The name of the query that lists every period, where one is needed."""
    reading = scope.reading
    if not reading.fill and reading.comparison == "none":
        return None
    grain = grain_of(reading)
    start, end = ends(reading)
    if start and end:
        first, last, count = periods(start, _shown_until(scope, start, end), grain, scope.calendar)
        if count <= MOST:
            ctes.recursive = True
            return ctes.add("calendar", _listed(_date(first), exp.LT, _date(last), grain))
        if reading.comparison != "none":
            raise scope.fail("too_many_periods")
        scope.note("not_filled")
        return None
    return _open_calendar(scope, ctes, pieces, (start, end))


def _shown_until(scope: Scope, start: date, end: date) -> date:
    """Nothing of the future is filled; a day, week, month or year that begins today has nothing to show yet."""
    grain = grain_of(scope.reading)
    begins = period_start(scope.today, grain, scope.calendar) == scope.today
    until = scope.today if begins else scope.today + timedelta(days=1)
    return min(end, until) if until > start else end


def _date(day: date) -> exp.Expr:
    return cast(exp.Literal.string(day.isoformat()), "DATE")


def _listed(first: exp.Expr, test: type[exp.Binary], last: exp.Expr, grain: Grain) -> exp.Expr:
    """Every period start from first to last."""
    anchor = exp.Select().select(aliased(first, "period"), copy=False)
    period = column("calendar", "period")
    step = exp.Select().select(moved(period, grain, 1), copy=False).from_(table("calendar"), copy=False)
    step = step.where(test(this=period.copy(), expression=last), copy=False)
    return exp.Union(this=anchor, expression=step, distinct=False)


def _open_calendar(scope: Scope, ctes: Ctes, pieces: list[Piece], known: tuple[date | None, date | None]) -> str | None:
    """A calendar whose missing ends are those of the data."""
    found = [piece.part.bounds for piece in pieces if piece.part.bounds is not None]
    if not found:
        return None
    body: exp.Query = found[0]
    for each in found[1:]:
        body = exp.Union(this=body, expression=each, distinct=False)
    first, last = _first_and_last(scope, known)
    edges = exp.Select().select(aliased(first, "first_day"), aliased(last, "last_day"), copy=False)
    bounds = ctes.add("bounds", edges.from_(body.subquery("ends", copy=False), copy=False))
    ctes.recursive = True
    some = exp.Not(this=exp.Is(this=column(bounds, "first_day"), expression=exp.Null()))
    anchor = exp.Select().select(aliased(column(bounds, "first_day"), "period"), copy=False)
    anchor = anchor.from_(table(bounds), copy=False).where(some, copy=False)
    step = exp.Select().select(moved(column("calendar", "period"), grain_of(scope.reading), 1), copy=False)
    step = step.from_(table("calendar"), copy=False)
    step.append("joins", joined(bounds))
    more = exp.LT(this=column("calendar", "period"), expression=column(bounds, "last_day"))
    return ctes.add("calendar", exp.Union(this=anchor, expression=step.where(more, copy=False), distinct=False))


def _first_and_last(scope: Scope, known: tuple[date | None, date | None]) -> tuple[exp.Expr, exp.Expr]:
    """The first days of the first and of the last period; never more than `MOST` periods apart."""
    grain, (start, end) = grain_of(scope.reading), known
    oldest: exp.Expr = exp.Min(this=column("ends", "first"))
    newest: exp.Expr = exp.Max(this=column("ends", "last"))
    first, last = (first_of(each, grain, scope.dialect, scope.calendar) for each in (oldest, newest))
    if start is not None:
        first = _date(periods(start, start, grain, scope.calendar)[0])
    if end is not None:
        last = _date(periods(end - timedelta(days=1), end, grain, scope.calendar)[0])
    first = exp.Greatest(this=first, expressions=[moved(last.copy(), grain, 2 - MOST)])
    return cast(first, "DATE"), cast(last, "DATE")


def stack_base(scope: Scope, stack: Stack, calendar: str, place: int, bases: list[Piece]) -> None:
    """Stack each base period under the period it is the base of."""
    grain = grain_of(scope.reading)
    step, count = base_step(scope.reading.comparison, grain)
    period = column(calendar, "period")
    for piece in bases:
        local = {key: f"m{number}" for number, key in enumerate(piece.part.cells)}
        held = stack.ctes.add("base", aggregated(piece.part, local))
        before = label(moved(period.copy(), step, count), grain, scope.dialect, scope.calendar)
        on = exp.EQ(this=column(held, f"d{place}"), expression=before)
        dimensions: list[exp.Expr] = [column(held, f"d{number}") for number in range(stack.width)]
        dimensions[place] = label(period.copy(), grain, scope.dialect, scope.calendar)
        cells: dict[str, exp.Expr] = {key + piece.side: column(held, local[key]) for key in piece.part.cells}
        counts = {key + piece.side for key in piece.part.counts}
        stack.lay(calendar, dimensions, cells, counts, (exp.Join(this=table(held), on=on),))


def fill_members(scope: Scope, stack: Stack, calendar: str | None) -> None:
    """Stack every period and, when members are to be shown too, every member of the other dimensions."""
    reading = scope.reading
    only_time = len(reading.dimensions) == 1
    if calendar is not None and only_time:
        period = label(column(calendar, "period"), grain_of(reading), scope.dialect, scope.calendar)
        stack.lay(calendar, [period], {})
    elif reading.fill:
        _cross(scope, stack, calendar)


def _cross(scope: Scope, stack: Stack, calendar: str | None) -> None:
    """Every period with every member of each dimension's own table."""
    place = time_place(scope.reading)
    groups: dict[str, list[int]] = {}
    for number, each in enumerate(scope.reading.dimensions):
        if each.grain is None and each.column:
            groups.setdefault(scope.table(owner(each.column)).name, []).append(number)
    dimensions: list[exp.Expr] = [exp.Null()] * stack.width
    sources = [] if calendar is None else [calendar]
    if calendar is not None and place is not None:
        grain = grain_of(scope.reading)
        dimensions[place] = label(column(calendar, "period"), grain, scope.dialect, scope.calendar)
    elif place is not None:
        return
    for name, numbers in groups.items():
        source = stack.ctes.add("members", _members(scope, name, [(n, scope.reading.dimensions[n]) for n in numbers]))
        sources.append(source)
        for number in numbers:
            dimensions[number] = column(source, f"d{number}")
    joins = tuple(joined(name) for name in sources[1:])
    if sources:
        stack.lay(sources[0], dimensions, {}, (), joins)


def _members(scope: Scope, name: str, dimensions: list[tuple[int, ReadDimension]]) -> exp.Select:
    """The distinct members of a table that the reading's own conditions on that table leave."""
    near = scope.graph.reachable(name, safe=True)
    own = tuple(
        each
        for each in scope.reading.filters
        if each.operator not in {"has_rows", "no_rows"} and owner(each.column) in near
    )
    joins = Joins(scope.asking(filters=own, times=()), name)
    columns = []
    for number, each in dimensions:
        value = labelled(joins.column(each.column), scope.column(each.column))
        columns.append(aliased(value, f"d{number}"))
    tests = rows_that_count(joins, (), None)
    select = joins.start().select(*columns, copy=False).distinct(copy=False)
    where = all_of(tests)
    return select if where is None else select.where(where, copy=False)
