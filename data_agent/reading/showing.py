"""Words that only ask to see: what are the, list, distinct, of each battle. They add nothing to what is listed."""

import re

from data_agent.domain.reading import ReadDimension, ReadMetric
from data_agent.reading.draft import Draft
from data_agent.reading.marks import Mark

_SHOW = ("list", "what are", "show", "find", "name all", "enumerate", "列", "罗列", "what")
_DISTINCT = frozenset({"distinct", "different", "unique", "不同", "不重复", "去重", "the different", "the distinct"})

_NAMES = re.compile(
    r"^\s*(?:please\s+)?(?:which|what|who|find|list|show|return|give|name|display|report|tell|in which|for which)\b"
    r"|哪|列出|找出|查找|返回|给出|显示",
    re.IGNORECASE,
)


def place_shown(draft: Draft) -> None:
    """Once it is known what is listed or measured, the words around it have their place."""
    if not (draft.metrics or draft.dimensions):
        return
    for index, mark in enumerate(draft.marks):
        if not (mark.used or mark.things or mark.time):
            _place(draft, index, mark)
    _say_again(draft)
    for place, name in draft.late:
        draft.dimensions.append((place, ReadDimension(words="", column=name)))


def _say_again(draft: Draft) -> None:
    """Top 10 ticker symbols … Return the ticker symbol: what is shown already."""
    shown = {place.column for _, place in draft.dimensions if place.column}
    for mark in draft.marks:
        columns = {thing.name for thing in mark.of("column")}
        if not mark.used and columns & shown and not mark.of("metric", "value") and not mark.time:
            mark.used = True


def _place(draft: Draft, index: int, mark: Mark) -> None:
    if mark.says("list") and mark.text.casefold().startswith(_SHOW):
        mark.used = True
    elif mark.says("either"):
        mark.used = any(other.says("or") and other.used for other in draft.marks[index:])
    elif mark.text.casefold() in _DISTINCT and not draft.metrics:
        mark.used, draft.rows = True, False
    elif mark.says("when"):
        after = draft.at(draft.neighbour(index, 1, "of"))
        mark.used = index > 0 and after is not None and after.used and bool(after.things)
    elif mark.says("naming"):
        after = draft.at(draft.neighbour(index, 1, "of"))
        mark.used = after is not None and after.used and bool(after.of("value"))
    elif mark.says("verb", "text", "include"):
        mark.used = _holds_values(draft, index)
    elif mark.says("both"):
        mark.used = bool(draft.metrics) and bool(draft.dimensions or len(draft.metrics) > 1)
    elif mark.says("each") and not draft.metrics:
        _each_row(draft, index, mark)


def _holds_values(draft: Draft, index: int) -> bool:
    """Orders that contain phones, 买过华为商品的订单: the value is a condition on facts, the verb adds nothing."""
    after = draft.at(draft.neighbour(index, 1, "of", "each"))
    homes = [draft.tables_of(metric) for _, metric in draft.metrics]
    own = {table for tables in homes for table in tables}
    if after is not None and any(thing.table in own for thing in after.of("value")):
        return False
    facts = {table.name for table in draft.lexicon.catalog.tables if table.role == "fact"}
    return (
        after is not None and after.used and bool(after.of("value")) and bool(homes) and all(h <= facts for h in homes)
    )


def _each_row(draft: Draft, index: int, mark: Mark) -> None:
    """The name and date of each battle: a line for each row."""
    target = draft.at(draft.neighbour(index, 1, "of", "measure"))
    tables = {thing.name for thing in target.of("table")} if target else set()
    listed = {place.column.rpartition(".")[0] for _, place in draft.dimensions}
    if target is not None and tables & listed:
        mark.used = target.used = draft.rows = draft.whole_rows = True
        draft.each = []


def place_hidden(draft: Draft) -> None:
    """Which citizenship do most singers have? The name alone answers that; the count behind it is not asked for."""
    if not _NAMES.search(draft.question) or draft.share or draft.running or draft.comparison != "none":
        return
    behind = [threshold.metric for threshold in draft.thresholds]
    behind += [draft.ranked.metric] if draft.ranked and draft.ranked.metric and draft.ranked.limit == 1 else []
    for metric in dict.fromkeys(behind):
        if _plain(draft, metric) and metric.model_copy(update={"words": ""}) not in draft.asked:
            _replace(draft, metric, metric.model_copy(update={"hidden": True}))


def _plain(draft: Draft, metric: ReadMetric) -> bool:
    """Whether it is no number that the catalog gave a meaning of its own."""
    known = draft.lexicon.catalog.metric(metric.metric) if metric.metric else None
    return known is None or (not known.filters and known.expression.upper().startswith("COUNT("))


def _replace(draft: Draft, old: ReadMetric, new: ReadMetric) -> None:
    draft.metrics = [(place, new if metric == old else metric) for place, metric in draft.metrics]
    for threshold in draft.thresholds:
        threshold.metric = new if threshold.metric == old else threshold.metric
    if draft.ranked and draft.ranked.metric == old:
        draft.ranked.metric = new
