"""A reading with metrics: numbers by dimension, with bases, shares, running totals, conditions and ranks."""

import re
from dataclasses import dataclass

from sqlglot import exp

from data_agent.composing.gather import cuts_of, filled, gather
from data_agent.composing.measures import Value, values_of
from data_agent.composing.relation import Ctes, Relation
from data_agent.composing.scope import Scope
from data_agent.composing.shape import dimension_column, rate_column, scale_of, scales, value_column
from data_agent.composing.spans import time_place
from data_agent.composing.stages import Out, Stages, ordered, window
from data_agent.composing.tree import bracketed, column, divide
from data_agent.domain.answer import ResultColumn
from data_agent.domain.reading import ReadHaving, ReadOrder

_GROWTH = re.compile(r"增|涨|跌|降幅|同比|环比|grow|increase|decline|declin|rise|drop", re.IGNORECASE)
_TESTS: dict[str, type[exp.Binary]] = {
    "=": exp.EQ,
    "in": exp.EQ,
    "!=": exp.NEQ,
    ">": exp.GT,
    ">=": exp.GTE,
    "<": exp.LT,
    "<=": exp.LTE,
}


@dataclass
class Shown:
    """The columns of one value."""

    value: Value
    label: str
    unit: str
    scale: int
    now: Out
    growth: Out | None = None


def numbers(scope: Scope, ctes: Ctes) -> tuple[Stages, list[exp.Ordered]]:
    """The stages of the statement and its final order."""
    reading = scope.reading
    values, relation = gather(scope, ctes, values_of(scope))
    stages = Stages(ctes, relation.select, grouped=relation.grouped, dimensions=len(reading.dimensions))
    for asked, expression in zip(reading.dimensions, relation.dimensions, strict=True):
        stages.add(dimension_column(scope, asked), expression, hidden=asked.hidden)
    shown = [
        _show(scope, stages, relation, value, values, hidden=read.hidden)
        for value, read in zip(values, reading.metrics, strict=True)
    ]
    _windows(scope, stages, relation, shown)
    for having in reading.having:
        stages.keep(_having(scope, having, shown[having.metric].now.expression))
    keys = sort_keys(scope, stages, shown)
    top(scope, stages, keys)
    if stages.grouped and any(out.hidden for out in stages.outs[: stages.dimensions]):
        stages.nest("grouped")
    return stages, final_order(scope, stages, keys)


def _show(
    scope: Scope, stages: Stages, relation: Relation, value: Value, values: tuple[Value, ...], *, hidden: bool
) -> Shown:
    reading = scope.reading
    scale = scale_of(reading.unit) if scales(value, reading.unit, values) else 1
    gap = "" if reading.language == "zh" else " "
    label = f"{value.label}{gap}({reading.unit})" if scale > 1 else value.label
    unit = reading.unit if scale > 1 else value.unit
    number = _filled_up(scope, value, filled(value.formula, relation))
    now = stages.add(value_column(value, label, unit), number, scale=scale, hidden=hidden)
    shown = Shown(value, label, unit, scale, now)
    if reading.comparison != "none":
        _compare(scope, stages, relation, shown)
    return shown


def _filled_up(scope: Scope, value: Value, number: exp.Expr) -> exp.Expr:
    """What is shown without data is 0 for what can be added up; a ratio of nothing stays empty."""
    if not scope.reading.fill or not value.additive or isinstance(number, exp.Coalesce):
        return number
    return exp.Coalesce(this=number, expressions=[exp.Literal.number(0)])


def _compare(scope: Scope, stages: Stages, relation: Relation, shown: Shown) -> None:
    kind = scope.reading.comparison
    base = filled(shown.value.formula, relation, "@base")
    label = scope.say(f"label_{kind}_base", metric=shown.label)
    stages.add(value_column(shown.value, label, shown.unit), base, scale=shown.scale)
    now = filled(shown.value.formula, relation)
    rise = exp.Sub(this=bracketed(now), expression=bracketed(base.copy()))
    if scope.reading.difference:
        column = value_column(shown.value, scope.say(f"label_{kind}_rise", metric=shown.label), shown.unit)
        shown.growth = stages.add(column, exp.paren(rise, copy=False), scale=shown.scale)
        return
    rate = rate_column(scope.say(f"label_{kind}", metric=shown.value.label))
    shown.growth = stages.add(rate, divide(rise, base.copy(), scope.dialect))


def _windows(scope: Scope, stages: Stages, relation: Relation, shown: list[Shown]) -> None:
    reading = scope.reading
    wholes = reading.share and any(key.endswith("@total") for key in relation.cells)
    if wholes:
        for each in shown:
            whole = filled(each.value.formula, relation, "@total")
            number = filled(each.value.formula, relation)
            stages.add(_share_column(scope, each), divide(number, whole, scope.dialect))
    if (reading.share and not wholes) or reading.running:
        stages.nest("grouped")
    if reading.share and not wholes:
        _shares(scope, stages, shown)
    if reading.running:
        _running(scope, stages, shown)
    if reading.having and ((reading.share and not wholes) or reading.running):
        stages.nest("whole")


def _share_column(scope: Scope, each: Shown) -> ResultColumn:
    return rate_column(scope.say("label_share", metric=each.value.label))


def _shares(scope: Scope, stages: Stages, shown: list[Shown]) -> None:
    """Each row's part of the total, within each period when periods are cut further."""
    place = time_place(scope.reading)
    within = place is not None and len(scope.reading.dimensions) > 1
    if within:
        scope.note("share_period")
    for each in shown:
        partition = [stages.outs[place].expression.copy()] if within and place is not None else []
        total = window(exp.Sum(this=each.now.expression.copy()), partition, [])
        stages.add(_share_column(scope, each), divide(each.now.expression.copy(), total, scope.dialect))


def _running(scope: Scope, stages: Stages, shown: list[Shown]) -> None:
    place = time_place(scope.reading)
    if place is None or not all(each.value.additive for each in shown):
        raise scope.fail("no_running")
    rest = [out.expression for number, out in enumerate(stages.outs[: stages.dimensions]) if number != place]
    for each in shown:
        order = ordered(stages.outs[place].expression.copy(), scope.dialect, descending=False)
        sums = window(exp.Sum(this=each.now.expression.copy()), [out.copy() for out in rest], order)
        label = scope.say("label_running", metric=each.label)
        stages.add(value_column(each.value, label, each.unit), sums, scale=each.scale)


def _having(scope: Scope, having: ReadHaving, number: exp.Expr) -> exp.Expr:
    bounds = [exp.Literal.number(int(bound) if bound == int(bound) else bound) for bound in having.values]
    if having.operator == "between" and len(bounds) > 1:
        return exp.Between(this=number.copy(), low=bounds[0], high=bounds[1])
    if having.operator in {"is_null", "not_null"}:
        empty = exp.Is(this=number.copy(), expression=exp.Null())
        return empty if having.operator == "is_null" else exp.Not(this=empty)
    if having.operator not in _TESTS or not bounds:
        raise scope.fail("bad_filter", words=having.words)
    return _TESTS[having.operator](this=bracketed(number.copy()), expression=bounds[0])


@dataclass(frozen=True)
class SortKey:
    """A column to sort by; `period` says that it is a time period."""

    out: Out
    descending: bool
    period: bool = False


def sort_keys(scope: Scope, stages: Stages, shown: list[Shown]) -> list[SortKey]:
    """What is asked for; else time as it goes; else the largest first."""
    reading = scope.reading
    keys = [_sort_key(scope, stages, shown, order) for order in reading.order]
    found = [key for key in keys if key is not None]
    if found:
        return found
    place = time_place(reading)
    if place is not None and reading.limit is None:
        return [SortKey(stages.outs[place], False, period=True)]
    if any(not each.column and each.grain is None for each in reading.dimensions):
        return []
    return [SortKey(shown[0].now, True)] if reading.dimensions and shown else []


def _sort_key(scope: Scope, stages: Stages, shown: list[Shown], order: ReadOrder) -> SortKey | None:
    if order.metric is not None and order.metric < len(shown):
        each = shown[order.metric]
        grows = each.growth is not None and _GROWTH.search(order.words)
        return SortKey(each.growth if grows and each.growth else each.now, order.descending)
    if order.dimension is not None and order.dimension < stages.dimensions:
        period = scope.reading.dimensions[order.dimension].grain is not None
        return SortKey(stages.outs[order.dimension], order.descending, period)
    return None


def top(scope: Scope, stages: Stages, keys: list[SortKey]) -> None:
    """Keep the first N, ties at the edge included, inside each group when so asked."""
    reading = scope.reading
    if reading.limit is None or not keys or not stages.dimensions:
        return
    stages.nest("grouped")
    function = "DENSE_RANK" if keys[0].period else "RANK"
    partition = [stages.outs[place].expression.copy() for place in reading.limit_per]
    order = [
        part for key in keys for part in ordered(key.out.expression.copy(), scope.dialect, descending=key.descending)
    ]
    rank = stages.add(rate_column("place_"), window(exp.Anonymous(this=function), partition, order), hidden=True)
    stages.nest("ranked")
    stages.keep(exp.LTE(this=rank.expression.copy(), expression=exp.Literal.number(reading.limit)))
    scope.note("ties", n=reading.limit)


def final_order(scope: Scope, stages: Stages, keys: list[SortKey]) -> list[exp.Ordered]:
    """The groups of a per-group ranking first, then the keys, then whatever makes the order certain."""
    first = [SortKey(stages.outs[place], False) for place in scope.reading.limit_per]
    rest = [SortKey(out, False) for out in stages.outs[: stages.dimensions]]
    if scope.dialect == "mysql" and _mistakable(scope, stages):
        stages.nest("grouped")
    chosen: dict[str, SortKey] = {}
    for key in (*first, *keys, *rest):
        chosen.setdefault(key.out.column.name, key)
    return [part for key in chosen.values() for part in _final_key(scope, stages, key)]


def _mistakable(scope: Scope, stages: Stages) -> bool:
    """Whether a computed column is called like a stored one, which MySQL would sort by instead of it."""
    computed = [out for out in stages.outs[: stages.dimensions] if not isinstance(out.expression, exp.Column)]
    tables = {found.name for found in stages.select.find_all(exp.Table)}
    return any(scope.catalog.column(f"{name}.{out.column.name}") for name in tables for out in computed)


def _final_key(scope: Scope, stages: Stages, key: SortKey) -> list[exp.Ordered]:
    itself = key.out.hidden or isinstance(key.out.expression, exp.Column)
    by_name = key.out.expression if itself else column("", key.out.column.name)
    place = next((n for n, out in enumerate(stages.outs[: stages.dimensions]) if out is key.out), None)
    asked = scope.reading.dimensions[place] if place is not None else None
    if asked is not None and not asked.column and asked.grain is None:
        whens = [
            exp.If(this=exp.Literal.string(cut.row), true=exp.Literal.number(number))
            for number, cut in enumerate(cuts_of(scope))
        ]
        rank = exp.Case(this=key.out.expression.copy(), ifs=whens)
        return [exp.Ordered(this=rank, desc=key.descending, nulls_first=scope.dialect == "mysql")]
    return ordered(by_name.copy(), scope.dialect, descending=key.descending)
