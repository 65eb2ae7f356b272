"""What the answer is grouped by: 各X, 按X, by X, per X, X分布, and periods of time."""

from typing import cast

from data_agent.domain.reading import ReadDimension
from data_agent.domain.time import Grain
from data_agent.reading.draft import Draft
from data_agent.reading.marks import Mark
from data_agent.reading.times import is_time

_BY = frozenset(
    {"by", "按", "按照", "根据", "依", "依据", "broken down by", "grouped by", "group by", "split by", "sorted by"}
)


def place_dimensions(draft: Draft) -> None:
    """Every marker takes the list of columns and periods after it, or the column before it (分布)."""
    for index, mark in enumerate(draft.marks):
        if mark.used:
            continue
        if mark.says("grain") and not _is_listed(draft, mark):
            draft.each.append(draft.add_dimension(mark, grain=cast(Grain, mark.payload("grain"))))
            _go_on(draft, index)
        elif mark.says("each") and not mark.things and not _says_no_group(draft, index):
            _after(draft, index)
        elif mark.says("others") and not mark.of("column", "table", "metric"):
            _others(draft, index)
    for index, mark in enumerate(draft.marks):
        if mark.says("dist") and not mark.used and not mark.things:
            _before(draft, index)


def _says_no_group(draft: Draft, index: int) -> bool:
    return _counts_different(draft, index) or _each_row(draft, index)


def _each_row(draft: Draft, index: int) -> bool:
    """The name and date of each battle: a line for each row, where nothing is measured."""
    target = draft.at(draft.neighbour(index, 1, "of", "measure"))
    tables = {thing.name for thing in target.of("table")} if target else set()
    measured = any(mark.of("metric") or mark.says("count", "agg", "mean", "counted", "super") for mark in draft.marks)
    marker = draft.question[max(0, draft.marks[index].start - 3) : draft.marks[index].end].casefold()
    if "of " not in marker:
        return False
    return bool(tables) and not measured and any(t.table in tables for m in draft.marks for t in m.of("column"))


def _counts_different(draft: Draft, index: int) -> bool:
    """有多少不同的结果: different ones are counted, nothing is grouped."""
    before = draft.at(index - 1)
    return draft.marks[index].text.startswith("不同") and before is not None and before.says("count")


def _others(draft: Draft, index: int) -> None:
    """Except Tmall, the other channels: what is left of a column is shown one by one."""
    target = draft.at(draft.neighbour(index, 1, "each", "measure"))
    if target is None or target.used or target.of("value", "metric"):
        return
    column = draft.dimension_column(target)
    left = [c for c in draft.filters if c.operator in {"!=", "not_in"} and draft.original(c.column) == column]
    if column and left:
        for mark in draft.marks[index : draft.marks.index(target) + 1]:
            mark.used = True
        draft.each.append(draft.add_dimension(target, column))


def _is_listed(draft: Draft, mark: Mark) -> bool:
    """Name and date: a column of that name, where nothing is measured that periods could cut."""
    measured = any(other.of("metric") or other.says("count", "agg", "mean", "counted") for other in draft.marks)
    return bool(mark.of("column")) and not measured


def _after(draft: Draft, marker: int) -> None:
    target = draft.neighbour(marker, 1, "of", "measure", "each")
    if target is None or not _is_dimension(draft, marker, target):
        return
    for mark in draft.marks[marker : target + 1]:
        mark.used = True
    place = dimension_at(draft, target)
    if place is None:
        draft.marks[marker].used = draft.marks[target].used = False
        return
    draft.each.append(place)
    _go_on(draft, target)


def _is_dimension(draft: Draft, marker: int, target: int) -> bool:
    """按销售额 sorts, 按大区 groups; a word that can be both groups after 每 and sorts after 按."""
    mark = draft.marks[target]
    if mark.used or mark.time:
        return False
    if mark.says("period"):
        return True
    groups = bool(mark.of("table")) or any(draft.groupable(thing.name) for thing in mark.of("column"))
    return groups and not (mark.of("metric") and draft.marks[marker].text.casefold() in _BY)


def _go_on(draft: Draft, index: int) -> None:
    """大区和渠道, region and month, and nothing that is a number of its own."""
    link = draft.at(index + 1)
    target = draft.neighbour(index + 1, 1, "each", "measure") if link and link.says("and", "comma") else None
    mark = draft.at(target)
    if target is None or mark is None or mark.used or mark.of("metric", "value") or mark.time:
        return
    if not (mark.says("period") or mark.things) or (link and link.says("comma") and not _listed(draft, target)):
        return
    place = dimension_at(draft, target)
    if place:
        draft.each.append(place)
        for between in draft.marks[index + 1 : target]:
            between.used = True
        _go_on(draft, target)


def _listed(draft: Draft, target: int) -> bool:
    """A comma continues a list when a column follows it that nothing else claims."""
    after = draft.at(target + 1)
    return after is None or not after.says("cmp", "super", "top")


def _before(draft: Draft, index: int) -> None:
    target = draft.neighbour(index, -1, "of")
    mark = draft.at(target)
    if target is not None and mark and not mark.used and not mark.of("metric", "value"):
        place = dimension_at(draft, target)
        if place:
            draft.each.append(place)
            draft.marks[index].used = True
    elif draft.dimensions:
        draft.marks[index].used = True


def dimension_at(draft: Draft, index: int) -> ReadDimension | None:
    """The dimension a mark stands for; a column of dates is cut into days."""
    mark = draft.marks[index]
    if mark.says("period"):
        return draft.add_dimension(mark, grain=cast(Grain, mark.payload("period")))
    column = draft.dimension_column(mark)
    if column is None:
        return None
    return draft.add_dimension(mark, column, "day" if is_time(draft, column) else None)


def can_group(draft: Draft, mark: Mark | None) -> bool:
    """Whether a mark is free to be a dimension."""
    if mark is None or mark.used or mark.time or mark.number:
        return False
    if mark.says("period"):
        return True
    return bool(mark.of("table")) or any(draft.groupable(thing.name) for thing in mark.of("column"))
