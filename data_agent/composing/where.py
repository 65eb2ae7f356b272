"""Which rows of the home table count: default filters, the reading's conditions, time, last snapshots."""

from collections.abc import Iterable, Iterator
from functools import partial

from sqlglot import exp

from data_agent.composing.conditions import NEGATIVE, condition, merged
from data_agent.composing.joining import Joins
from data_agent.composing.periods import as_time, label, stored, within
from data_agent.composing.scope import Scope
from data_agent.composing.tree import all_of, any_of, parsed
from data_agent.domain.reading import ReadDimension, ReadFilter, ReadTime
from data_agent.domain.schema import Relationship
from data_agent.domain.time import Grain

_Way = tuple[Relationship, ...]
ROWS = ("has_rows", "no_rows")


def owner(column_id: str) -> str:
    """The table of `table.column`."""
    return column_id.rpartition(".")[0]


def rows_that_count(joins: Joins, times: tuple[ReadTime, ...], own_time: str | None) -> list[exp.Expr]:
    """The reading's own conditions and time ranges, each where it belongs."""
    scope = joins.scope
    asked = merged(scope.reading.filters)
    timed = _by_column(scope, times, own_time, joins.home)
    related = [each for each in asked if each.operator in ROWS]
    inside = {each.column: _inside(joins, owner(each.column), asked, timed) for each in related}
    taken = [item for items in inside.values() for item in items]
    tests = [_related(joins, each, inside[each.column]) for each in related]
    plain = [each for each in asked if each.operator not in ROWS and each not in taken]
    dated = [each for each in timed if each not in taken]
    return [*_conditions(joins, [*plain, *dated]), *tests]


_Timed = tuple[str, tuple[ReadTime, ...]]
_Test = ReadFilter | _Timed


def _by_column(scope: Scope, times: tuple[ReadTime, ...], own_time: str | None, home: str) -> list[_Timed]:
    found: dict[str, list[ReadTime]] = {}
    for time in times:
        column = time.column or own_time
        if column is None:
            raise scope.fail("no_time", metric=scope.label_of(home))
        found.setdefault(column, []).append(time)
    return [(column, tuple(ranges)) for column, ranges in found.items()]


def _place(test: _Test) -> str:
    return owner(test.column if isinstance(test, ReadFilter) else test[0])


def _conditions(joins: Joins, tests: Iterable[_Test]) -> Iterator[exp.Expr]:
    """Each test on joined tables, or as EXISTS where joining would repeat rows; positive ones meet on one row."""
    apart: dict[_Way, list[_Test]] = {}
    for test in tests:
        if not joins.repeats(_place(test)):
            yield _test(joins, test)
        elif isinstance(test, ReadFilter) and test.operator in NEGATIVE:
            denied = test.model_copy(update={"operator": NEGATIVE[test.operator]})
            yield exp.Not(this=joins.exists(joins.far(_place(test)), partial(_tests, [denied])))
        else:
            apart.setdefault(joins.far(_place(test)), []).append(test)
    for way, held in apart.items():
        yield joins.exists(way, partial(_tests, held))


def _tests(tests: Iterable[_Test], joins: Joins) -> list[exp.Expr]:
    return [_test(joins, test) for test in tests]


def _test(joins: Joins, test: _Test) -> exp.Expr:
    if isinstance(test, ReadFilter):
        if test.operator in NEGATIVE:
            joins.scope.note("except")
        return condition(joins.scope, test, joins.column(test.column), joins.scope.column(test.column))
    return time_test(joins, *test)


def time_test(joins: Joins, column: str, times: tuple[ReadTime, ...]) -> exp.Expr:
    """Whether a time lies in one of the ranges."""
    scope, value = joins.scope, joins.column(column)
    how = stored(scope.column(column))
    spans = [all_of(within(value, time.range, how, scope.calendar)) for time in times]
    if any(span is None for span in spans):
        return exp.true()
    return any_of([exp.paren(span, copy=False) if len(spans) > 1 else span for span in spans if span is not None])


def _inside(joins: Joins, target: str, asked: tuple[ReadFilter, ...], timed: list[_Timed]) -> list[_Test]:
    """The conditions that speak of the related rows: “customers without orders in March”."""
    graph = joins.scope.graph
    near = graph.reachable(joins.home, safe=True)
    far = graph.reachable(target, safe=True)
    tests: list[_Test] = [each for each in asked if each.operator not in ROWS]
    return [test for test in (*tests, *timed) if _place(test) in far and _place(test) not in near]


def _related(joins: Joins, asked: ReadFilter, inside: list[_Test]) -> exp.Expr:
    path = joins.path(owner(asked.column))
    found = joins.exists(path.links, lambda inner: list(_conditions(inner, inside)))
    return found if asked.operator == "has_rows" else exp.Not(this=found)


def default_filters(joins: Joins, filters: tuple[str, ...]) -> list[exp.Expr]:
    """The conditions a metric always has."""
    return [_default(joins, parsed(text)) for text in filters]


def _default(joins: Joins, tree: exp.Expr) -> exp.Expr:
    tables = {node.table for node in tree.find_all(exp.Column)}
    far = sorted(table for table in tables if joins.repeats(table))
    if far:
        return joins.exists(joins.far(far[0]), lambda inner: [_bracketed(inner.resolve(tree))])
    return _bracketed(joins.resolve(tree))


def _bracketed(tree: exp.Expr) -> exp.Expr:
    return exp.paren(tree, copy=False) if isinstance(tree, exp.Or | exp.And) else tree


def last_snapshot(
    joins: Joins, time: str, times: tuple[ReadTime, ...], dimensions: Iterable[ReadDimension]
) -> exp.Expr:
    """Only the last snapshot in the range, or in each period that is asked for."""
    scope, value = joins.scope, joins.column(time)
    inner = Joins(scope, joins.home, joins.taken)
    own = tuple(each for each in times if (each.column or time) == time)
    seen = inner.column(time)
    tests = [time_test(inner, time, own)] if own else []
    grains = [each.grain for each in dimensions if each.grain and (each.column or time) == time]
    select = exp.Select().select(exp.Max(this=seen), copy=False)
    periods = [period(scope, time, inner.column(time), grain) for grain in grains]
    select = inner.start().select(*select.expressions, copy=False)
    if (where := all_of(tests)) is not None:
        select = select.where(where, copy=False)
    if not periods:
        return exp.EQ(this=value, expression=exp.Subquery(this=select))
    return exp.In(this=value, query=exp.Subquery(this=select.group_by(*periods, copy=False)))


def moment(scope: Scope, column: str, value: exp.Expr) -> exp.Expr:
    """A stored time as date functions take it."""
    return as_time(value, stored(scope.column(column)), scope.dialect, scope.calendar, scope.now)


def period(scope: Scope, column: str, value: exp.Expr, grain: Grain) -> exp.Expr:
    """The period a stored time lies in, as a label."""
    return label(moment(scope, column, value), grain, scope.dialect, scope.calendar)
