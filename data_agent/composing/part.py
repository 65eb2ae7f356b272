"""A part: measures of one home table, aggregated at its own grain before they meet anything else."""

from dataclasses import dataclass, replace

from sqlglot import exp

from data_agent.composing.conditions import typed
from data_agent.composing.joining import Joins
from data_agent.composing.measures import Measure, Value, hole, measure_of
from data_agent.composing.periods import said
from data_agent.composing.scope import Scope
from data_agent.composing.spans import ends
from data_agent.composing.tree import aliased, all_of, cast, column, literal
from data_agent.composing.where import (
    ROWS,
    default_filters,
    last_snapshot,
    moment,
    owner,
    period,
    rows_that_count,
)
from data_agent.domain.reading import ReadDimension, ReadTime
from data_agent.domain.schema import Column


@dataclass(frozen=True)
class Part:
    """FROM, JOIN and WHERE of one aggregation, its dimensions, and an aggregate for each measure key."""

    select: exp.Select
    dimensions: tuple[exp.Expr, ...]
    cells: dict[str, exp.Expr]
    counts: frozenset[str] = frozenset()
    bounds: exp.Select | None = None
    overlaps: bool = False


@dataclass(frozen=True)
class Cut:
    """How a part is cut: its dimensions, its time ranges, and the one range it stands for when ranges are rows."""

    dimensions: tuple[ReadDimension, ...]
    times: tuple[ReadTime, ...]
    row: str = ""


def parts_of(scope: Scope, measures: tuple[Measure, ...], cut: Cut) -> list[Part]:
    """One part for all measures that count the same rows."""
    groups: dict[tuple[object, ...], list[Measure]] = {}
    for measure in measures:
        same = (measure.home, measure.filters, measure.time_column, measure.last)
        groups.setdefault(same, []).append(measure)
    return [_part(scope, tuple(group), cut) for group in groups.values()]


def _part(scope: Scope, measures: tuple[Measure, ...], cut: Cut) -> Part:
    first = measures[0]
    joins = Joins(scope, first.home)
    dimensions = tuple(_dimension(joins, each, first, cut) for each in cut.dimensions)
    cells = {measure.key: joins.resolve(measure.aggregate.copy()) for measure in measures}
    tests = default_filters(joins, first.filters)
    tests += rows_that_count(joins, cut.times, first.time_column)
    if first.last and first.time_column:
        tests.append(last_snapshot(joins, first.time_column, cut.times, cut.dimensions))
        scope.note("last", metric=first.label)
    select = joins.start()
    if (where := all_of(tests)) is not None:
        select = select.where(where, copy=False)
    part = Part(
        select, dimensions, cells, frozenset(m.key for m in measures if m.counts), _bounds(joins, select, cut, first)
    )
    return _once(joins, part) if joins.many else part


def _bounds(joins: Joins, select: exp.Select, cut: Cut, measure: Measure) -> exp.Select | None:
    """The first and the last moment in these rows, for a calendar whose ends nobody named."""
    reading = joins.scope.reading
    name = next((each.column or measure.time_column for each in cut.dimensions if each.grain), None)
    if name is None or not (reading.fill or reading.comparison != "none") or all(ends(reading)):
        return None
    time = moment(joins.scope, name, joins.column(name))
    edges = (aliased(exp.Min(this=time), "first"), aliased(exp.Max(this=time.copy()), "last"))
    return select.copy().select(*edges, copy=False)


def _dimension(joins: Joins, asked: ReadDimension, measure: Measure, cut: Cut) -> exp.Expr:
    scope = joins.scope
    if not asked.column and asked.grain is None:
        return literal(cut.row)
    name = asked.column or measure.time_column
    if name is None:
        raise scope.fail("no_time", metric=measure.label)
    value = joins.column(name)
    return period(scope, name, value, asked.grain) if asked.grain else labelled(value, scope.column(name))


def labelled(value: exp.Expr, found: Column) -> exp.Expr:
    """Stored codes as what people call them; a code without a name stays a code."""
    if not found.labels:
        return value
    whens = [exp.If(this=typed(code, found), true=literal(name)) for code, name in found.labels.items()]
    return exp.Case(this=value, ifs=whens, default=cast(value.copy(), "TEXT"))


def _once(joins: Joins, part: Part) -> Part:
    """The same part after its repeated rows have been made one again, per group."""
    scope, home = joins.scope, joins.scope.table(joins.home)
    if not home.primary_key:
        raise scope.fail("no_key", table=home.label(scope.reading.language))
    scope.note("overlap", table=home.label(scope.reading.language))
    kept = [aliased(each.copy(), f"d{number}") for number, each in enumerate(part.dimensions)]
    kept += [aliased(column(joins.name, name), f"k{number}") for number, name in enumerate(home.primary_key)]
    names: dict[str, str] = {}
    cells = {}
    for key, cell in part.cells.items():
        root = exp.Paren(this=cell)
        for node in list(root.find_all(exp.Column)):
            text = node.sql(dialect=scope.dialect)
            if text not in names:
                names[text] = f"c{len(names)}"
                kept.append(aliased(node.copy(), names[text]))
            node.replace(column("once", names[text]))
        cells[key] = root.this
    inner = part.select.select(*kept, copy=False).distinct(copy=False)
    select = exp.Select().from_(inner.subquery("once", copy=False), copy=False)
    dimensions = tuple(column("once", f"d{number}") for number in range(len(part.dimensions)))
    return replace(part, select=select, dimensions=dimensions, cells=cells, overlaps=True)


def settled(scope: Scope, value: Value, dimensions: tuple[ReadDimension, ...]) -> Value:
    """The value with finer metrics in place of those that these dimensions or filters would count twice.

    Raises:
        CannotAnswer: a metric would be counted twice and nothing finer is known.
    """
    targets = _targets(scope, dimensions)
    fitting = tuple(_fitting(scope, measure, targets, ()) for measure in value.measures)
    if fitting == value.measures:
        return value
    label = fitting[0].label if value.formula == hole(value.measures[0].key) else value.label
    return replace(value, measures=fitting, label=label)


def _targets(scope: Scope, dimensions: tuple[ReadDimension, ...]) -> tuple[str, ...]:
    """Every table that a row of a measure must be matched with."""
    reading = scope.reading
    names = [each.column for each in dimensions if each.column]
    names += [each.column for each in reading.filters if each.operator not in ROWS]
    if not any(each.operator in ROWS for each in reading.filters):
        names += [each.column for each in reading.times if each.column]
    return tuple(dict.fromkeys(scope.table(owner(name)).name for name in names))


def _fitting(scope: Scope, measure: Measure, targets: tuple[str, ...], tried: tuple[str, ...]) -> Measure:
    too_fine = next((table for table in targets if splits(scope, measure.home, table)), None)
    if measure.once or too_fine is None:
        return measure
    finer = scope.catalog.metric(measure.finer) if measure.finer else None
    if finer is None or finer.derived or finer.name in tried:
        home, table = scope.label_of(measure.home), scope.label_of(too_fine)
        raise scope.fail("too_fine", metric=measure.label, home=home, table=table, hint="too_fine_hint")
    found = measure_of(scope, finer)
    scope.note("finer", metric=measure.label, finer=found.label)
    time = measure.time_column
    if time and owner(time) not in scope.graph.reachable(found.home, safe=True):
        time = found.time_column
    filters = tuple(dict.fromkeys((*measure.filters, *found.filters)))
    stand_in = replace(found, key=measure.key, filters=filters, time_column=time)
    return _fitting(scope, stand_in, targets, (*tried, finer.name))


def splits(scope: Scope, home: str, target: str) -> bool:
    """Whether one row of `home` has many on the way to `target`, each with a share of it (not just a tag on it)."""
    links = scope.path(home, target).links
    return any(link.multiplies and not _bridge(scope, link.to_table) for link in links)


def _bridge(scope: Scope, name: str) -> bool:
    """A table that only says which row belongs to which: of role bridge, or nothing but keys."""
    found = scope.table(name)
    return found.role == "bridge" or all(each.role in {"primary_key", "foreign_key"} for each in found.columns)


def range_label(time: ReadTime) -> str:
    """What a row that stands for a range is called."""
    return said(time.range) or time.range.words
