"""Comparison words with numbers: a condition on rows when they speak of a column, on groups when of a metric."""

from collections.abc import Iterator
from typing import cast

from data_agent.domain.reading import Operator, ReadFilter, ReadMetric
from data_agent.reading.draft import Draft, Threshold
from data_agent.reading.marks import Mark
from data_agent.reading.measures import count_of, measure_at
from data_agent.reading.numbers import Number

_MONEY = frozenset({"元", "块", "块钱", "元钱", "yuan", "rmb", "dollars", "usd", "cny"})
_KEYS = ("primary_key", "foreign_key")


def place_comparisons(draft: Draft) -> None:
    """高于20万, at least 5, between 100 and 200, 100以上, and numbers that a key equals."""
    for index, mark in enumerate(draft.marks):
        if mark.used or mark.things:
            continue
        if mark.says("between"):
            _between(draft, index)
        elif mark.says("cmp"):
            _before_number(draft, index)
    for index, mark in enumerate(draft.marks):
        if mark.number and not mark.used:
            _ = _after_number(draft, index) or _range(draft, index) or _equals(draft, index)


def _before_number(draft: Draft, index: int) -> None:
    number = draft.neighbour(index, 1)
    mark = draft.at(number)
    if number is None or mark is None or mark.number is None or mark.used:
        return
    operator = cast(Operator, draft.marks[index].payload("cmp"))
    _place(draft, (index, number), operator, (mark.number,))


def _after_number(draft: Draft, index: int) -> bool:
    """销售额20万以上, 5 or more orders."""
    closing = draft.neighbour(index, 1, "measure")
    mark, number = draft.at(closing), draft.marks[index].number
    payload = mark.payload("post") if mark and not mark.used else None
    if closing is None or payload is None or number is None:
        return False
    return _place(draft, (index, closing), cast(Operator, payload), (number,))


def _between(draft: Draft, index: int) -> None:
    low, link = draft.neighbour(index, 1), draft.neighbour(index, 2)
    if low is not None and link is not None and draft.marks[low].number:
        _range(draft, low, opening=index)


def _range(draft: Draft, low: int, opening: int | None = None) -> bool:
    """Two numbers with 到, -, to or and between them; without between or 之间 it is not a range."""
    link = draft.at(low + 1)
    link_index = low + 2 if link and link.says("measure") and not link.says("to") else low + 1
    link, high = draft.at(link_index), draft.at(link_index + 1)
    first = draft.marks[low].number
    if not link or not high or not first or not high.number or not link.says("to"):
        return False
    last = link_index + 1
    closing = draft.neighbour(last, 1, "measure")
    closed = draft.at(closing)
    if closed and closed.says("betweenend"):
        last = closing or last
    elif opening is None:
        return False
    return _place(draft, (low if opening is None else opening, last), "between", (first, high.number))


def _equals(draft: Draft, index: int) -> bool:
    """订单号 12345, status = 1."""
    target = draft.neighbour(index, -1, "cmp")
    mark, number = draft.at(target), draft.marks[index].number
    after = draft.at(index + 1)
    if not mark or not number or target is None or mark.used or (after and after.says("measure", "period")):
        return False
    said = target < index - 1 and draft.marks[index - 1].payload("cmp") == "="
    keys = [t for t in mark.of("column") if (column := draft.column(t.name)) and (said or column.role in _KEYS)]
    thing = draft.settle(mark, among=keys) if keys and not mark.of("metric") else None
    if thing is None:
        return False
    _use(draft, target, index)
    words = draft.question[mark.start : draft.marks[index].end]
    draft.filters.append(ReadFilter(words=words, column=thing.name, operator="=", values=(_plain(number.value),)))
    return True


def _place(draft: Draft, span: tuple[int, int], operator: Operator, numbers: tuple[Number, ...]) -> bool:
    """Find what is compared: the word before the comparison, else the one after the number."""
    first, last = span
    before = draft.neighbour(first, -1, "of", "has", "yesno")
    after = draft.neighbour(last, 1, "measure")
    for target, counted in _targets(draft, before, after, last):
        if _condition(draft, target, operator, numbers, span, counted=counted):
            _use(draft, first, last)
            measure = draft.at(last + 1)
            if measure and measure.says("measure") and not measure.things:
                measure.used = True
            return True
    return False


def _targets(draft: Draft, before: int | None, after: int | None, last: int) -> Iterator[tuple[int, bool]]:
    """Where to look, in order: a number word before, anything countable after, in Chinese a countable before."""
    money = (measure := draft.at(last + 1)) is not None and measure.text.casefold() in _MONEY
    if before is not None:
        yield before, False
    if after is not None:
        yield after, not money
    if before is not None and draft.language == "zh" and not money:
        yield before, True


def _condition(
    draft: Draft,
    target: int,
    operator: Operator,
    numbers: tuple[Number, ...],
    span: tuple[int, int],
    *,
    counted: bool,
) -> bool:
    mark = draft.marks[target]
    words = draft.question[min(mark.start, draft.marks[span[0]].start) : max(mark.end, draft.marks[span[1]].end)]
    values = tuple(number.value for number in numbers)
    if mark.time or mark.of("value") or mark.says("each", "measure"):
        return False
    if mark.of("metric") and not _fits_percent(draft, mark, numbers):
        return False
    metric = measure_at(draft, target) or (count_of(draft, mark, mark.text) if counted else None)
    if metric is not None:
        _having(draft, mark, Threshold(words, metric, operator, values))
        return True
    columns = [thing for thing in mark.of("column") if draft.numeric(thing.name)]
    thing = draft.settle(mark, among=columns) if columns else None
    if thing is None:
        return False
    mark.used = True
    plain = tuple(_plain(value) for value in values)
    draft.filters.append(ReadFilter(words=words, column=thing.name, operator=operator, values=plain))
    return True


def _having(draft: Draft, mark: Mark, threshold: Threshold) -> None:
    kept: ReadMetric = draft.add_metric(mark, threshold.metric, asked=False)
    threshold.metric = kept
    draft.thresholds.append(threshold)


def _fits_percent(draft: Draft, mark: Mark, numbers: tuple[Number, ...]) -> bool:
    """A rate is stored as a fraction: 30 % is 0.3, and a bare 30 would be a guess."""
    metrics = [draft.lexicon.catalog.metric(thing.name) for thing in mark.of("metric")]
    rate = any(metric and metric.format == "percent" for metric in metrics)
    return (
        all(number.percent or number.value <= 1 for number in numbers) if rate else not any(n.percent for n in numbers)
    )


def _use(draft: Draft, first: int, last: int) -> None:
    for mark in draft.marks[first : last + 1]:
        mark.used = True


def _plain(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value
