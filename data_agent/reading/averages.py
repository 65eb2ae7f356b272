"""The average of a metric over periods or things: 月均销售额, average monthly sales, average orders per customer."""

from typing import cast

from data_agent.domain.reading import ReadDimension, ReadMetric
from data_agent.domain.time import Grain
from data_agent.reading.draft import Draft
from data_agent.reading.marks import Mark
from data_agent.reading.measures import count_of, measure_at

_PER = ("per",)


def place_averages(draft: Draft) -> None:
    """Each average takes its metric and what it is averaged over; an average of nothing is left alone."""
    for index, mark in enumerate(draft.marks):
        if mark.used or mark.things:
            continue
        if mark.says("mean"):
            _mean(draft, index, cast(Grain, mark.payload("mean")))
        elif mark.payload("agg") == "avg":
            _ = _average_each(draft, index) or _average_per(draft, index)


def _mean(draft: Draft, index: int, grain: Grain) -> None:
    mark = draft.marks[index]
    target = draft.neighbour(index, 1, "of", "agg")
    if target is None or not draft.marks[target].of("metric", "table"):
        target = draft.neighbour(index, -1, "of")
    if target is not None and draft.marks[target].of("metric", "table"):
        mark.used = _place(draft, target, ReadDimension(words=mark.text, column="", grain=grain))


def _average_each(draft: Draft, index: int) -> bool:
    """平均每个客户的订单数."""
    marker = draft.at(index + 1)
    target = draft.neighbour(index + 1, 1, "measure", "of")
    metric = draft.neighbour(target, 1, "of") if target is not None else None
    if (dated := draft.at(metric)) and dated.time:
        metric = draft.neighbour(metric or 0, 1, "of")
    if marker is None or target is None or metric is None or not marker.says("each") or marker.things:
        return False
    return _over(draft, index, (index + 1, target), metric)


def _average_per(draft: Draft, index: int) -> bool:
    """Average orders per customer; average sales per day."""
    metric = draft.neighbour(index, 1, "of", "count")
    marker = draft.at(metric + 1) if metric is not None else None
    if metric is None or marker is None or not marker.text.casefold().startswith(_PER):
        return False
    if marker.says("grain"):
        if not draft.marks[metric].of("metric", "table"):
            return False
        grain = cast(Grain, marker.payload("grain"))
        placed = _place(draft, metric, ReadDimension(words=marker.text, column="", grain=grain))
        draft.marks[index].used = marker.used = placed
        return placed
    return _over(draft, index, (metric + 1, metric + 2), metric)


def _over(draft: Draft, average: int, each: tuple[int, int], metric: int) -> bool:
    target = draft.at(each[1])
    if target is None or not draft.marks[metric].of("metric", "table") or not target.of("column", "table"):
        return False
    column = _member(draft, target)
    if column is None:
        return False
    if not _place(draft, metric, ReadDimension(words=target.text, column=column)):
        return False
    for index in (average, *each):
        draft.marks[index].used = True
    return True


def _member(draft: Draft, target: Mark) -> str | None:
    """What tells the things apart: the key of a table, as two customers may share a name."""
    tables = target.of("table")
    thing = draft.settle(target, among=tables) if tables else None
    table = draft.lexicon.catalog.table(thing.name) if thing else None
    if table and len(table.primary_key) == 1:
        return f"{table.name}.{table.primary_key[0]}"
    return draft.dimension_column(target)


def _refers_to(draft: Draft, metric: ReadMetric, per: ReadDimension) -> bool:
    """Whether what is counted belongs to one of the things: an order has one customer, a product no one order."""
    owner = per.column.rpartition(".")[0]
    tables = draft.tables_of(metric)
    return not owner or bool(metric.metric) or all(owner in draft.lexicon.reach.safe(table) for table in tables)


def _place(draft: Draft, index: int, per: ReadDimension) -> bool:
    mark = draft.marks[index]
    metric = measure_at(draft, index) if mark.of("metric") else count_of(draft, mark, mark.text)
    if metric is None or not _refers_to(draft, metric, per):
        return False
    between = draft.at(index - 1)
    if between and between.says("count") and not between.used:
        between.used = True
    draft.add_metric(draft.marks[index], metric.model_copy(update={"per": per}))
    return True
