"""Close a draft: positions for the parts that name each other, bases, and last doubts."""

import re
from datetime import timedelta
from itertools import pairwise

from data_agent.dates import base_range
from data_agent.domain.reading import ReadDimension, ReadHaving, Reading, ReadMetric, ReadOrder, ReadTime, Unplaced
from data_agent.reading.draft import Draft
from data_agent.reading.nearest import nearest
from data_agent.reading.rules import leaves
from data_agent.reading.times import default_time_column

_SEVERAL_SHOWN = 3
_POINTS = re.compile(r"\b(?:to|of|in|for|by|from|with|on|at)\s+(?:that|this|these|those)\s+$", re.IGNORECASE)
INDIVIDUAL = frozenset({"primary_key", "measure", "time", "text"})


def finish(draft: Draft) -> Reading:
    """The reading, incomplete when anything is left over or does not fit together."""
    metrics = [metric for _, metric in sorted(draft.metrics, key=lambda pair: pair[0])]
    dimensions = [place for _, place in sorted(draft.dimensions, key=lambda pair: pair[0])]
    _hold(draft)
    times = _dated(draft, metrics, dimensions)
    _base(draft, dimensions)
    doubts = [*_contradictions(draft, metrics, dimensions), *draft.doubts]
    return Reading(
        question=draft.question,
        language=draft.language,
        metrics=tuple(metrics),
        dimensions=tuple(dimensions),
        filters=tuple(draft.filters),
        having=_having(draft, metrics),
        times=tuple(times),
        order=_order(draft, metrics),
        limit=draft.ranked.limit if draft.ranked else None,
        limit_per=_limit_per(draft, dimensions),
        comparison=draft.comparison,
        base=draft.base,
        share=draft.share,
        difference=draft.difference,
        running=draft.running,
        fill=draft.fill or _fills(draft, dimensions),
        yes_no=draft.yes_no,
        rows=draft.rows and (draft.whole_rows or _by_row(draft) or _individual(draft, dimensions)),
        unit=draft.unit,
        ambiguities=tuple(draft.ambiguities),
        unplaced=_unplaced(draft, doubts, bool(metrics or dimensions)),
        carried=draft.carried,
        notes=tuple(dict.fromkeys(draft.notes)),
    )


def _hold(draft: Draft) -> None:
    """Names of poker players are those of people with a row there, unless it is those rows that are listed."""
    listed = draft.ranked.column.rpartition(".")[0] if draft.ranked else ""
    draft.filters += [held for held in draft.holders if held.column.removesuffix(".*") != listed]


def _having(draft: Draft, metrics: list[ReadMetric]) -> tuple[ReadHaving, ...]:
    return tuple(
        ReadHaving(words=t.words, metric=metrics.index(t.metric), operator=t.operator, values=t.values)
        for t in draft.thresholds
    )


def _order(draft: Draft, metrics: list[ReadMetric]) -> tuple[ReadOrder, ...]:
    ranked = draft.ranked
    if ranked is not None and ranked.column:
        return (ReadOrder(words=ranked.words, column=ranked.column, descending=ranked.descending),)
    if ranked is None or ranked.metric is None:
        return tuple(draft.order)
    place = ReadOrder(words=ranked.words, metric=metrics.index(ranked.metric), descending=ranked.descending)
    return (place, *draft.order)


def _by_row(draft: Draft) -> bool:
    return draft.ranked is not None and bool(draft.ranked.column)


def _individual(draft: Draft, dimensions: list[ReadDimension]) -> bool:
    """Whether what is listed describes single rows (names and birthdays of players), not classes of them."""
    columns = [column for place in dimensions if (column := draft.column(place.column))]
    labels = {draft.row_name(column.table) for column in columns}
    asked = not any(mark.payload("agg") == "count_distinct" for mark in draft.marks)
    return asked and any(each.id in labels or each.role in INDIVIDUAL for each in columns)


def _limit_per(draft: Draft, dimensions: list[ReadDimension]) -> tuple[int, ...]:
    """The groups inside which the first N are kept: those asked for with each."""
    if draft.ranked is None or draft.ranked.limit is None:
        return ()
    return tuple(dimensions.index(place) for place in draft.each if place != draft.ranked.dimension)


def _fills(draft: Draft, dimensions: list[ReadDimension]) -> bool:
    """Periods that are over are all shown: a gap in a line says that nothing happened, not that it is missing."""
    if len(dimensions) != 1 or dimensions[0].grain is None or dimensions[0].column:
        return False
    over = draft.now.date() + timedelta(days=dimensions[0].grain == "day")
    bounded = any(time.range.start and time.range.end and time.range.end <= over for time in draft.times)
    return bounded and not draft.ranked and not draft.thresholds and draft.comparison == "none"


def _dated(draft: Draft, metrics: list[ReadMetric], dimensions: list[ReadDimension]) -> list[ReadTime]:
    """Catalog metrics date themselves; for the rest the table's own time column is named, or the range has no place."""
    if any(metric.metric for metric in metrics):
        return draft.times
    table = _subject(metrics, dimensions)
    found = []
    for time in draft.times:
        column = time.column or (default_time_column(draft, table) if table and not _timeless(draft, table) else None)
        if column is None:
            draft.doubts.append(time.range.words)
        found.append(time.model_copy(update={"column": column}))
    _date_periods(draft, table, dimensions)
    return found


def _timeless(draft: Draft, table_name: str) -> bool:
    """Customers in 2025: registered then, or buying then? A thing that lasts needs its time column named."""
    table = draft.lexicon.catalog.table(table_name)
    return table is None or table.role == "dim"


def _date_periods(draft: Draft, table: str | None, dimensions: list[ReadDimension]) -> None:
    for index, place in enumerate(dimensions):
        if place.grain and not place.column:
            column = default_time_column(draft, table) if table else None
            if column is None:
                draft.doubts.append(place.words)
            else:
                _rename(draft, place, dimensions, index, column)


def _rename(draft: Draft, place: ReadDimension, dimensions: list[ReadDimension], index: int, column: str) -> None:
    dated = place.model_copy(update={"column": column})
    dimensions[index] = dated
    draft.each = [dated if each == place else each for each in draft.each]
    if draft.ranked and draft.ranked.dimension == place:
        draft.ranked.dimension = dated


def _subject(metrics: list[ReadMetric], dimensions: list[ReadDimension]) -> str | None:
    """The one table a question without catalog metrics is about."""
    columns = [m.column for m in metrics if m.column] or [place.column for place in dimensions if place.column]
    tables = dict.fromkeys(column.rpartition(".")[0] for column in columns)
    return next(iter(tables)) if len(tables) == 1 else None


def _base(draft: Draft, dimensions: list[ReadDimension]) -> None:
    """Growth is against a period: along the periods of the answer, or against the base of the one range."""
    if draft.comparison == "none" or any(place.grain for place in dimensions):
        return
    if draft.times and draft.times[0].range.start:
        draft.base = base_range(draft.times[0].range, draft.comparison, draft.now, draft.calendar)
    if draft.base is None:
        words = [mark.text for mark in draft.marks if mark.says("yoy", "mom")]
        draft.doubts += words[:1]


def _contradictions(draft: Draft, metrics: list[ReadMetric], dimensions: list[ReadDimension]) -> list[str]:
    """Parts that do not fit together would give a number that looks right and is not."""
    found: list[str] = []
    if draft.thresholds and not dimensions:
        found += [threshold.words for threshold in draft.thresholds]
    for condition in draft.filters:
        values = frozenset(str(value) for value in condition.values)
        for metric in metrics:
            allowed = draft.lexicon.rules.get(metric.metric or "", {}).get(condition.column)
            if allowed and condition.operator in {"=", "in"} and not allowed.admits(values):
                found.append(condition.words)
    if metrics and draft.ranked and draft.ranked.column:
        found.append(draft.ranked.words)
    if not metrics:
        every = all(place in draft.each for place in dimensions)
        found += [place.words for place in dimensions if every or (place.grain and place in draft.each)]
    found += _twice(draft) + _pointed(draft) + _different(draft, metrics, dimensions)
    if draft.thresholds and draft.rows and _individual(draft, dimensions) and not any(d.hidden for d in dimensions):
        found += [place.words for place in dimensions if all(t.metric in metrics for t in draft.thresholds)]
    found += [metric.words for metric in metrics if _mixes_grains(draft, metric, dimensions)]
    if any(metric.per for metric in metrics) and (draft.share or draft.running or draft.comparison != "none"):
        found += [metric.words for metric in metrics if metric.per]
    return found


def _twice(draft: Draft) -> list[str]:
    """Phrases that pull in two directions or are one name that nobody knows.

    The best one and each one; none of these, where "these" has conditions; the best one in an order; and 退款订单数,
    which is not 退款 and 订单数.
    """
    found = [
        c.words for c in draft.filters if c.operator.endswith("_rows") and _narrowed(draft, c.column.removesuffix(".*"))
    ]
    if draft.ranked and draft.ranked.limit == 1 and draft.ranked.dimension in draft.each:
        found.append(draft.ranked.words)
    found += [
        draft.question[left.start : right.end]
        for left, right in pairwise(draft.marks)
        if left.end == right.start and left.of("metric") and right.of("metric") and left.used and right.used
    ]
    if draft.ranked and draft.ranked.limit == 1:
        found += [mark.text for mark in draft.marks if mark.says("sortby")]
    return found


def _different(draft: Draft, metrics: list[ReadMetric], dimensions: list[ReadDimension]) -> list[str]:
    """不同类型宠物的数量: how many of each type, or how many types? A bare count leaves that open."""
    if not any(metric.aggregate == "count" for metric in metrics):
        return []
    return [place.words for place in dimensions if re.search(f"不同的?{re.escape(place.words)}", draft.question)]


def _pointed(draft: Draft) -> list[str]:
    """Of that code: which one was said in another sentence."""
    return [
        mark.text
        for mark in draft.marks
        if mark.of("column", "table") and not mark.time and _POINTS.search(draft.question, 0, mark.start)
    ]


def _narrowed(draft: Draft, table: str) -> bool:
    """Whether another condition speaks of rows of this table, so that it cannot stand beside having none of them."""
    return any(c.column.startswith(f"{table}.") and not c.operator.endswith("_rows") for c in draft.filters)


def _mixes_grains(draft: Draft, metric: ReadMetric, dimensions: list[ReadDimension]) -> bool:
    """A ratio cut below the grain of one of its parts, where only some parts have a finer stand-in: 各品牌的客单价."""
    metrics = {known.name: known for known in draft.lexicon.catalog.metrics}
    known = metrics.get(metric.metric or "")
    if known is None or not known.derived:
        return False
    tables = {place.column.rpartition(".")[0] for place in dimensions if place.column}
    tables |= {condition.column.rpartition(".")[0] for condition in draft.filters}
    below = [
        metrics[name]
        for name in leaves(known, metrics)
        if (home := metrics[name].table) and not tables <= draft.lexicon.reach.safe(home)
    ]
    return any(part.finer is None for part in below)


def _unplaced(draft: Draft, doubts: list[str], anchored: bool) -> tuple[Unplaced, ...]:
    """What was not used; when nothing of the question is known, every content word of it."""
    left = [mark for mark in draft.marks if not mark.used and not mark.free and not mark.says("has")]
    if left and not anchored:
        left = [mark for mark in draft.marks if not mark.free]
    words = [*(mark.text for mark in left), *doubts]
    unknown = {mark.text for mark in left if mark.unknown}
    return tuple(Unplaced(words=word, nearest=_near(draft, word, word in unknown)) for word in dict.fromkeys(words))


def _near(draft: Draft, word: str, unknown: bool) -> tuple[str, ...]:
    return nearest(word, draft.lexicon, _SEVERAL_SHOWN) if unknown else ()
