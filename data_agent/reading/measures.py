"""A word as a number: a catalog metric, an aggregate over a column, a count of rows."""

from typing import cast

from data_agent.domain.reading import Aggregate, ReadMetric
from data_agent.domain.schema import Column
from data_agent.reading.draft import Draft
from data_agent.reading.marks import Mark

_COUNT_NAMES = ("{}数", "{}数量", "{}总数", "{}量", "number of {}", "{} count", "{}s", "{}")
_ADDS_UP = (
    "金额", "额", "数量", "件数", "费", "费用", "运费", "量", "人数", "次数", "收入", "成本", "支出",
    "amount", "quantity", "qty", "total", "revenue", "freight", "fee", "units", "count", "sales", "income",
)  # fmt: skip


def measure_at(draft: Draft, index: int, default: Aggregate | None = None) -> ReadMetric | None:
    """The number a mark stands for, with the aggregate word beside it; what explains it is marked used."""
    mark = draft.marks[index]
    if mark.of("metric"):
        return _catalog_metric(draft, index)
    column = _numeric_column(draft, mark)
    if column is None:
        return None
    aggregate, words = _aggregate_beside(draft, index)
    aggregate = aggregate or default
    if aggregate is None:
        return None
    mark.used = True
    return ReadMetric(words=_phrase(draft, [*words, mark]), aggregate=aggregate, column=column)


def _catalog_metric(draft: Draft, index: int) -> ReadMetric | None:
    mark = draft.marks[index]
    thing = draft.settle(mark, "metric")
    if thing is None:
        return None
    metric = draft.lexicon.catalog.metric(thing.name)
    before = draft.at(draft.neighbour(index, -1, "of"))
    total = before is not None and before.payload("agg") == "sum" and not before.says("running")
    if before and total and metric and metric.additivity != "non_additive":
        before.used = True
    mark.used = True
    return ReadMetric(words=mark.text, metric=thing.name)


def _numeric_column(draft: Draft, mark: Mark) -> str | None:
    columns = [thing for thing in mark.of("column") if draft.numeric(thing.name)]
    keys = ("primary_key", "foreign_key")
    columns = [thing for thing in columns if (column := draft.column(thing.name)) and column.role not in keys]
    thing = draft.settle(mark, among=columns) if columns else None
    return thing.name if thing else None


def _aggregate_beside(draft: Draft, index: int) -> tuple[Aggregate | None, list[Mark]]:
    """平均单价, average of price, 单价的平均值."""
    for step in (-1, 1):
        mark = draft.at(draft.neighbour(index, step, "of"))
        payload = mark.payload("agg") if mark and not mark.used and not mark.things else None
        if mark and payload and payload != "count_distinct" and not (step == 1 and mark.says("super")):
            mark.used = True
            return cast(Aggregate, payload), [mark]
    return None, []


def _phrase(draft: Draft, marks: list[Mark]) -> str:
    return draft.question[min(mark.start for mark in marks) : max(mark.end for mark in marks)]


def count_of(draft: Draft, mark: Mark, words: str) -> ReadMetric | None:
    """How many there are of a thing: the catalog's own count when it has one, rows of a table, distinct values else."""
    if mark.of("metric"):
        return None
    tables = mark.of("table")
    columns = [thing for thing in mark.of("column") if draft.groupable(thing.name)]
    named = _count_metric(draft, mark)
    if tables and named:
        return ReadMetric(words=words, metric=named)
    thing = draft.settle(mark, among=columns or tables)
    if thing is None:
        return None
    if thing.kind == "table":
        return ReadMetric(words=words, aggregate="count", column=f"{thing.name}.*")
    return ReadMetric(words=words, aggregate="count_distinct", column=thing.name)


def _count_metric(draft: Draft, mark: Mark) -> str | None:
    """A metric whose name is this word's count (订单 → 订单数); it carries the house rules a bare count would miss."""
    tables = {thing.name for thing in mark.of("table")}
    for pattern in _COUNT_NAMES:
        for thing in draft.lexicon.lookup(pattern.format(mark.text)):
            if thing.kind == "metric" and draft.lexicon.homes.get(thing.name, frozenset()) & tables:
                return thing.name
    return None


def adds_up(column: Column) -> bool:
    """Whether the column's name tells that its values can be summed (amounts and quantities, not prices or rates)."""
    return any(name.casefold().endswith(_ADDS_UP) for name in (column.name, *column.aliases))
