"""First and last: 前5, top 3, 销售额最高的5个品牌, which brand has the lowest price, 排名, 从高到低."""

from collections.abc import Iterable

from data_agent.domain.reading import ReadDimension, ReadMetric
from data_agent.reading.dimensions import can_group, dimension_at
from data_agent.reading.draft import Draft, Ranked
from data_agent.reading.marks import Mark
from data_agent.reading.measures import count_of, measure_at

_AROUND = ("of", "measure", "rank")


def place_ranking(draft: Draft) -> None:
    """At most one ranking in a question; a second one is left unplaced."""
    heads = [i for i, mark in enumerate(draft.marks) if not mark.used and not mark.things and mark.says("top", "super")]
    if heads:
        _first(draft, heads)
    _sorting(draft)


def _first(draft: Draft, heads: list[int]) -> None:
    top = next((index for index in heads if draft.marks[index].says("top") and _count_after(draft, index)), None)
    super_ = next((index for index in heads if draft.marks[index].says("super")), None)
    head = super_ if super_ is not None else top
    if head is None or len(heads) > (2 if top is not None and super_ is not None else 1):
        return
    number = _count_after(draft, top if top is not None else head)
    taken = [index for index in (head, top, number) if index is not None]
    metric = _metric(draft, head, taken)
    if metric is None:
        return
    _rank(draft, head, metric, taken, number)


def _rank(draft: Draft, head: int, measure: int, taken: list[int], number: int | None) -> None:
    target = _target(draft, taken, measure)
    if target is not None and number is None:
        number = _number_before(draft, target)
        taken = [*taken, *([number] if number is not None else [])]
    mark = draft.marks[head]
    descending = (mark.payload("super") or mark.payload("top")) == "desc"
    if target is None and not (each := _ranked_each(draft, number)):
        _extreme(draft, head, measure, number)
        return
    for index in taken:
        draft.marks[index].used = True
    metric = _measured(draft, measure, descending)
    dimension: ReadDimension | None = dimension_at(draft, target) if target is not None else each
    if metric is None or dimension is None:
        mark.used = False
        return
    count = draft.marks[number].number if number is not None else None
    kept = draft.add_metric(draft.marks[measure], metric, asked=False)
    draft.ranked = Ranked(mark.text, kept, descending, int(count.value) if count else 1, dimension)
    _use_around(draft, [*taken, measure] if target is None else [*taken, target, measure])


def _count_after(draft: Draft, index: int) -> int | None:
    """前5, 最高的5个, top five."""
    after = draft.neighbour(index, 1, "of", "top")
    mark = draft.at(after)
    return after if mark and mark.number and not mark.used and _is_count(mark) else None


def _number_before(draft: Draft, target: int) -> int | None:
    """The 5 brands with …"""
    before = draft.neighbour(target, -1, "measure")
    mark = draft.at(before)
    return before if mark and mark.number and not mark.used and _is_count(mark) else None


def _is_count(mark: Mark) -> bool:
    return (
        mark.number is not None
        and mark.number.value.is_integer()
        and 0 < mark.number.value <= 1000
        and not mark.number.percent
    )


def _metric(draft: Draft, head: int, taken: list[int]) -> int | None:
    """What is ranked by: after 按/by, beside the superlative, else the only number of the question."""
    asked = next(iter(_by(draft)), None)
    if asked is not None:
        for mark in draft.marks:
            mark.used = mark.used or mark.text.casefold() == "selling"
        return asked
    beside = [draft.neighbour(head, -1, "of", "agg", "counted"), draft.neighbour(max(taken), 1, "of", "count")]
    if draft.marks[head].says("super"):
        for index in beside if draft.language == "zh" else reversed(beside):
            if index is not None and _measures(draft, draft.marks[index], head):
                return index
    named = [index for index, mark in enumerate(draft.marks) if mark.of("metric") and not mark.time]
    return named[0] if len(named) == 1 else None


def _by(draft: Draft) -> Iterable[int]:
    for index, mark in enumerate(draft.marks):
        if mark.says("each", "sortby") and not mark.used and not mark.things:
            target = draft.neighbour(index, 1, "of", "agg", "count")
            if target is not None and _measures(draft, draft.marks[target], index):
                mark.used = True
                yield target
                return


def _measures(draft: Draft, mark: Mark, head: int) -> bool:
    if mark.of("metric"):
        return True
    if any(draft.numeric(thing.name) and not draft.groupable(thing.name) for thing in mark.of("column")):
        return True
    counts = draft.marks[head].text.casefold() in {"最多", "最少", "最多的", "most", "the most", "fewest", "least"}
    return bool(mark.of("table")) and (counts or draft.marks[head].text.casefold().endswith("number of"))


def _measured(draft: Draft, index: int, descending: bool) -> ReadMetric | None:
    mark = draft.marks[index]
    if mark.of("table") and not mark.of("metric", "column"):
        return count_of(draft, mark, mark.text)
    before = draft.at(index - 1)
    if before and before.says("count") and mark.of("metric"):
        before.used = True
    return measure_at(draft, index, default="max" if descending else "min")


def _target(draft: Draft, taken: list[int], measure: int) -> int | None:
    """What is ranked: right after the ranking words, after 哪个/which, else the only free column or table."""
    after = draft.neighbour(max(taken), 1, *_AROUND)
    if after is not None and after != measure and can_group(draft, draft.marks[after]):
        return after
    free = [i for i, m in enumerate(draft.marks) if i != measure and can_group(draft, m) and not _has_marker(draft, i)]
    asked = [i for i in free if (before := draft.at(draft.neighbour(i, -1, "measure"))) and before.says("list")]
    if asked:
        return asked[0]
    return free[0] if len(free) == 1 else None


def _has_marker(draft: Draft, index: int) -> bool:
    before = draft.at(index - 1)
    return bool(before and before.says("each", "count", "never", "not"))


def _ranked_each(draft: Draft, number: int | None) -> ReadDimension | None:
    """各品牌销售额前5 ranks the brands when nothing else is there to be ranked."""
    places = [place for place in draft.each if place.column]
    return places[0] if number is not None and len(draft.each) == 1 and places else None


def _extreme(draft: Draft, head: int, measure: int, number: int | None) -> None:
    """最高单价, the highest price: an aggregate, when nothing is ranked."""
    mark = draft.marks[measure]
    if mark.of("metric") or not mark.of("column") or number is not None:
        return
    descending = draft.marks[head].payload("super") == "desc"
    metric = measure_at(draft, measure, default="max" if descending else "min")
    if metric and metric.aggregate in {"max", "min"}:
        draft.marks[head].used = True
        draft.add_metric(mark, metric)


def _use_around(draft: Draft, indexes: list[int]) -> None:
    """Measure words, 排名 and 哪个 beside the ranked words belong to them."""
    for index in indexes:
        for step in (-1, 1):
            mark = draft.at(index + step)
            if mark and not mark.things and mark.says("measure", "rank", "list", "has") and not mark.number:
                mark.used = True
                further = draft.at(index + 2 * step)
                if mark.says("measure") and further and not further.things and further.says("list"):
                    further.used = True


def _sorting(draft: Draft) -> None:
    """从高到低, sorted by sales, 排名 without a number."""
    sorts = [m for m in draft.marks if not m.used and not m.things and m.says("sort", "rank", "sortby")]
    if not sorts:
        return
    direction = next((payload for mark in sorts if (payload := mark.payload("sort"))), "")
    if draft.ranked is not None:
        if not direction or (direction == "desc") == draft.ranked.descending:
            _use(sorts)
        return
    by = next(iter(_by(draft)), None)
    metric = draft.marks[by] if by is not None else _only_metric(draft)
    if metric is None or not (metric.of("metric") or by is not None):
        return
    placed = measure_at(draft, draft.marks.index(metric))
    if placed is not None:
        _use(sorts)
        kept = draft.add_metric(metric, placed)
        draft.ranked = Ranked(sorts[0].text, kept, direction != "asc")


def _only_metric(draft: Draft) -> Mark | None:
    named = [mark for mark in draft.marks if mark.of("metric") and not mark.time]
    return named[0] if len(named) == 1 else None


def _use(marks: Iterable[Mark]) -> None:
    for mark in marks:
        mark.used = True
