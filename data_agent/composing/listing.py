"""A reading without metrics: the distinct members, or the rows, that it asks to see."""

from sqlglot import exp

from data_agent.composing.joining import Joins
from data_agent.composing.measures import default_time
from data_agent.composing.numbers import SortKey, final_order, sort_keys, top
from data_agent.composing.part import labelled
from data_agent.composing.relation import Ctes
from data_agent.composing.scope import Scope
from data_agent.composing.shape import dimension_column
from data_agent.composing.stages import Stages
from data_agent.composing.tree import all_of
from data_agent.composing.where import owner, period, rows_that_count
from data_agent.domain.answer import ResultColumn


def listing(scope: Scope, ctes: Ctes) -> tuple[Stages, list[exp.Ordered]]:
    """The stages of the statement and its final order."""
    reading = scope.reading
    joins = Joins(scope, _home(scope))
    time = default_time(scope, joins.home)
    expressions = [_dimension(joins, number, time) for number in range(len(reading.dimensions))]
    hidden = [(order, joins.column(order.column)) for order in reading.order if order.column]
    where = all_of(rows_that_count(joins, reading.times, time))
    select = joins.start() if where is None else joins.start().where(where, copy=False)
    stages = Stages(ctes, select, distinct=not _rows(joins), dimensions=len(reading.dimensions))
    for asked, expression in zip(reading.dimensions, expressions, strict=True):
        stages.add(dimension_column(scope, asked), expression)
    keys = [
        SortKey(stages.add(value_of(scope, order.column), value, hidden=True), order.descending)
        for order, value in hidden
    ] or sort_keys(scope, stages, [])
    top(scope, stages, keys)
    if reading.limit is not None and not keys:
        stages.most = reading.limit
    return stages, final_order(scope, stages, keys)


def _home(scope: Scope) -> str:
    """The table whose rows are listed: the one from which the others are reached without repeating it."""
    named = [each.column for each in scope.reading.dimensions if each.column]
    named = [order.column for order in scope.reading.order if order.column] + named
    named += [time.column for time in scope.reading.times if time.column and not named]
    tables = list(dict.fromkeys(scope.table(owner(name)).name for name in named))
    if not tables:
        raise scope.fail("nothing")
    for name in tables:
        if set(tables) <= scope.graph.reachable(name, safe=True):
            return name
    return tables[0]


def _dimension(joins: Joins, number: int, time: str | None) -> exp.Expr:
    scope, asked = joins.scope, joins.scope.reading.dimensions[number]
    name = asked.column or time
    if name is None:
        raise scope.fail("no_time", metric=scope.label_of(joins.home))
    value = joins.column(name)
    return period(scope, name, value, asked.grain) if asked.grain else labelled(value, scope.column(name))


def value_of(scope: Scope, name: str) -> ResultColumn:
    """How a column that rows are only sorted by would come out."""
    return ResultColumn(name=scope.column(name).label(scope.reading.language))


def _rows(joins: Joins) -> bool:
    """Whether rows are listed rather than members: their key or a measured number is asked for."""
    columns = [joins.scope.column(each.column) for each in joins.scope.reading.dimensions if each.column]
    own = [each for each in columns if joins.scope.table(each.table).name == joins.home]
    keys = set(joins.scope.table(joins.home).primary_key)
    keyed = bool(keys) and keys <= {each.name for each in own}
    return not joins.many and (joins.scope.reading.rows or keyed or any(each.role == "measure" for each in own))
