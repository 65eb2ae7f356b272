"""A question that goes on from the one before: 那上海呢, what about May. What is not said anew is carried over."""

import re
from collections.abc import Sequence

from data_agent.domain.reading import ReadDimension, Reading, ReadMetric, ReadTime
from data_agent.reading.draft import Draft, Ranked, Threshold

_OPENS = re.compile(
    r"^\s*(?:那|再看|再按|换成|换作|换做|改成|改为|改看|还有|只看"
    r"|(?:then|and|what about|how about|same|only|now|just)\b)",
    re.IGNORECASE,
)
_CLOSES = re.compile(r"呢\s*[?？。!！]*\s*$")


def place_carried(draft: Draft) -> None:
    """Metric, conditions, groups and time of the question before, each replaced by what this question says of it."""
    before = draft.previous
    if before is None or not before.complete or not before.metrics or not _goes_on(draft):
        return
    draft.carried = before.question
    if not draft.metrics:
        draft.metrics = list(enumerate(before.metrics))
        _conditions_on_groups(draft, before)
    said = {condition.column for condition in draft.filters}
    draft.filters += [condition for condition in before.filters if condition.column not in said]
    _times(draft, before)
    _groups(draft, before)
    if draft.comparison == "none":
        draft.comparison = before.comparison
    draft.share, draft.running = draft.share or before.share, draft.running or before.running
    draft.unit = draft.unit or before.unit


def _goes_on(draft: Draft) -> bool:
    """Whether it leans on the question before: by its first word, by 呢, or because it asks for no number itself."""
    new = draft.metrics or draft.filters or draft.times or draft.dimensions or draft.comparison != "none"
    if not new or any(mark.says("list") and mark.used and not mark.silent for mark in draft.marks):
        return False
    if _OPENS.search(draft.question):
        return True
    placed = all(mark.used or mark.free or mark.says("has") for mark in draft.marks)
    if not placed or draft.rows:
        return False
    if _CLOSES.search(draft.question):  # 订单数呢: of the same things as before
        return True
    return not draft.metrics and all(place in draft.each for _, place in draft.dimensions)


def _times(draft: Draft, before: Reading) -> None:
    if not draft.times:
        draft.times = list(before.times)
        return
    columns = {time.column for time in before.times}
    column = columns.pop() if len(columns) == 1 else None
    draft.times = [time if time.column else ReadTime(range=time.range, column=column) for time in draft.times]


def _groups(draft: Draft, before: Reading) -> None:
    """The groups of before unless new ones are named; the first of them stay the first of the new ones."""
    places = [place for place in before.dimensions if place.column or place.grain or not draft.new_times(before)]
    order = before.order[0] if before.order else None
    if not draft.dimensions:
        draft.dimensions = list(enumerate(places))
    if draft.ranked is not None or order is None or order.metric is None or order.metric >= len(draft.metrics):
        return
    names = [place for _, place in draft.dimensions]
    limit = before.limit if len(names) == len(before.dimensions) == 1 else None
    draft.ranked = Ranked(order.words, draft.metrics[order.metric][1], order.descending, limit, _first(names))


def _first(places: Sequence[ReadDimension]) -> ReadDimension | None:
    return places[0] if places else None


def _conditions_on_groups(draft: Draft, before: Reading) -> None:
    metrics: tuple[ReadMetric, ...] = before.metrics
    draft.thresholds = [Threshold(h.words, metrics[h.metric], h.operator, h.values) for h in before.having]
