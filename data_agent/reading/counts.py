"""How many: 多少个品牌, number of customers, 客户数, distinct brands."""

import re

from data_agent.domain.reading import ReadMetric
from data_agent.reading.draft import Draft
from data_agent.reading.marks import Mark
from data_agent.reading.measures import count_of

_LISTS = re.compile(
    r"\s*(?:please\s+)?(?:find|list|show|return|give|what are|which|what is|display|name|get)\b", re.IGNORECASE
)

_ASKS_HOW_MANY = re.compile("多少|几")


def place_counts(draft: Draft) -> None:
    """A count word takes the thing after it, or before it (客户有多少, 客户数); beside a metric it only asks."""
    for index, mark in enumerate(draft.marks):
        if mark.used or mark.things:
            continue
        if mark.payload("agg") == "count_distinct":
            _distinct(draft, index)
        elif mark.says("count"):
            _ = _after(draft, index) or _before(draft, index) or _asks(draft, mark)
        elif mark.says("counted") or (mark.says("apart") and _ASKS_HOW_MANY.search(mark.text)):
            _before(draft, index)
        elif mark.says("ask"):
            _asks(draft, mark)


def _after(draft: Draft, index: int) -> bool:
    target = draft.neighbour(index, 1, "measure", "of", "each")
    while (passed := draft.at(target)) and passed.used and passed.of("value"):
        target = draft.neighbour(target or 0, 1, "of")
    mark = draft.at(target)
    if mark is None or target is None or mark.of("value") or mark.time:
        return False
    if mark.of("metric"):
        draft.marks[index].used = True
        _use_measure(draft, index)
        return True
    return not mark.used and _place(draft, mark, draft.marks[index : target + 1])


def _before(draft: Draft, index: int) -> bool:
    target = draft.neighbour(index, -1, "of", "measure", "has", "agg")
    mark = draft.at(target)
    if mark is None or target is None or mark.used or mark.of("metric", "value") or mark.time:
        return False
    before = draft.at(target - 1)
    if before and before.says("each"):
        return False
    _use_measure(draft, index)
    return _place(draft, mark, draft.marks[target : index + 1])


def _use_measure(draft: Draft, index: int) -> None:
    """有几个, 有多少单: the measure word belongs to the count."""
    after = draft.at(index + 1)
    if after and after.says("measure") and not after.things:
        after.used = True


def _place(draft: Draft, mark: Mark, around: list[Mark]) -> bool:
    words = draft.question[around[0].start : around[-1].end]
    metric: ReadMetric | None = count_of(draft, mark, words)
    if metric is None:
        return False
    for part in around:
        part.used = True
    draft.add_metric(mark, metric)
    return True


def _asks(draft: Draft, mark: Mark) -> bool:
    """销售额是多少: the metric is named, the word only asks for it."""
    if draft.metrics or any(other.of("metric") for other in draft.marks):
        mark.used = True
        _use_measure(draft, draft.marks.index(mark))
    return mark.used


def _distinct(draft: Draft, index: int) -> None:
    """去重客户数, number of distinct brands, unique customers."""
    target = draft.neighbour(index, 1, "of", "count", "measure")
    mark = draft.at(target)
    if mark is not None and _only_listed(draft, index, mark):
        return
    if mark is not None and _is_distinct(draft, mark):
        draft.marks[index].used = True
        return
    if mark is None or target is None or mark.used or mark.of("metric", "value"):
        return
    thing = draft.settle(mark, "column", "table")
    if thing is None:
        return
    table = draft.lexicon.catalog.table(thing.name) if thing.kind == "table" else None
    column = thing.name if thing.kind == "column" else _key(thing.name, table.primary_key if table else ())
    if column is None:
        return
    last = target + 1 if (after := draft.at(target + 1)) and after.says("counted") and not after.things else target
    around = draft.marks[index : last + 1]
    before = draft.at(index - 1)
    if before and before.says("count"):
        around = [before, *around]
    for part in around:
        part.used = True
    words = draft.question[around[0].start : around[-1].end]
    draft.add_metric(mark, ReadMetric(words=words, aggregate="count_distinct", column=column))


def _only_listed(draft: Draft, index: int, mark: Mark) -> bool:
    """Show different citizenships: nothing is counted; nor is what the answer is grouped by anyway."""
    grouped = {place.column for _, place in draft.dimensions if place.column}
    if grouped & {thing.name for thing in mark.of("column")}:
        draft.marks[index].used = True
        return True
    before = draft.at(draft.neighbour(index, -1, "stop"))
    listed = _LISTS.match(draft.question) and not (before and before.says("count", "ask", "agg"))
    return bool(listed) and draft.language == "en"


def _is_distinct(draft: Draft, mark: Mark) -> bool:
    """Distinct buyers: the metric counts each one once already."""
    metrics = [draft.lexicon.catalog.metric(thing.name) for thing in mark.of("metric")]
    return any(metric and "DISTINCT" in metric.expression.upper() for metric in metrics)


def _key(table: str, key: tuple[str, ...]) -> str | None:
    return f"{table}.{key[0]}" if len(key) == 1 else None
