"""Time ranges in the question, and the time column they are said about."""

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

from data_agent.dates import resolve
from data_agent.domain.reading import ReadTime
from data_agent.domain.schema import Table
from data_agent.domain.time import CalendarSettings, TimeRange
from data_agent.reading.draft import Draft
from data_agent.reading.marks import Mark

_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:\.0)?")
_THAT_DAY = ("当天", "那天", "当日", "那一天", "当晚")
_MONTH_END = frozenset(
    {"month-end", "month end", "end of month", "end of the month", "月末", "月底", "每月末", "每月底"}
)
_VERB_NAMES = ("{}时间", "{}日期", "{} at", "{} date", "{} on", "{} time")


def ranges(question: str, now: datetime, calendar: CalendarSettings) -> Sequence[TimeRange]:
    """What the calendar makes of the question."""
    return resolve(question, now, calendar)


def place_times(draft: Draft) -> None:
    """Ranges named side by side are rows of the answer; any other second range has no agreed meaning."""
    for mark, after in pairwise(draft.marks):
        if mark.time and after.time and after.text in _THAT_DAY:
            after.used, after.time = True, None
    _month_ends(draft)
    said = [index for index, mark in enumerate(draft.marks) if mark.time]
    for place, index in enumerate(said):
        if place and not _side_by_side(draft, said[place - 1], index):
            return
        mark = draft.marks[index]
        mark.used = True
        if mark.time:
            draft.times.append(ReadTime(range=mark.time, column=_time_column(draft, index)))


def _month_ends(draft: Draft) -> None:
    """Month-end stock of each month: what is measured at the end of a period anyway, month by month."""
    for mark in draft.marks:
        if mark.text.casefold() not in _MONTH_END or not (mark.time or mark.says("monthend")):
            continue
        names = {thing.name for other in draft.marks for thing in other.of("metric")}
        metrics = [draft.lexicon.catalog.metric(name) for name in names]
        cut = any(other.payload("grain") == "month" for other in draft.marks)
        dated = any(other.time for other in draft.marks if other is not mark)
        if metrics and all(metric and metric.additivity == "semi_additive" for metric in metrics) and (cut or dated):
            mark.time, mark.used = None, True
            if not cut:
                draft.each.append(draft.add_dimension(mark, grain="month"))


def _side_by_side(draft: Draft, first: int, second: int) -> bool:
    """2024年和2025年, May vs April: joined by nothing but a link, and apart in time."""
    between = draft.marks[first + 1 : second]
    one, two = draft.marks[first].time, draft.marks[second].time
    if not one or not two or not between or not all(mark.says("and", "apart", "or") for mark in between):
        return False
    ends = (one.start, one.end, two.start, two.end)
    if None in ends or not (one.end <= two.start or two.end <= one.start):  # type: ignore[operator]
        return False
    for mark in between:
        mark.used = True
    draft.ranges_apart = draft.ranges_apart or not any(mark.says("or") for mark in between)
    return True


def _time_column(draft: Draft, index: int) -> str | None:
    """A time column named right beside the range (注册时间在2025年, paid at in 2025)."""
    for step in (-1, 1):
        near = draft.neighbour(index, step, "of", "between", "stop", *(("comma",) if step < 0 else ()))
        mark = draft.at(near)
        if mark and draft.marks[index].start - mark.end > 1 and step < 0 and not _is_marked(draft, near):
            mark = draft.at(draft.neighbour(index, step, "of", "between", "stop"))
        verb = _verb_column(draft, mark) if mark else None
        if mark and verb:
            mark.used = True
            return verb
        columns = [thing for thing in mark.of("column") if is_time(draft, thing.name)] if mark else []
        if mark and columns:
            _use_marker(draft, mark)
            thing = draft.settle(mark, among=columns)
            after = draft.at(draft.neighbour(index, 1, "of", "stop")) if step < 0 else None
            if thing and after and _verb_column(draft, after) == thing.name:
                after.used = True
            return thing.name if thing else None
    return None


def _is_marked(draft: Draft, index: int | None) -> bool:
    """按付款时间算，6月: the column stands apart from the range, with a marker of its own."""
    before = draft.at(index - 1) if index else None
    return before is not None and before.says("each") and not before.things


def _verb_column(draft: Draft, mark: Mark) -> str | None:
    """2025年注册的客户, registered in 2025: a verb whose time column carries its name."""
    if mark.things or mark.number or not (mark.unknown or mark.says("verb")):
        return None
    said = mark.text.removeprefix("新") or mark.text
    found = [
        thing
        for pattern in _VERB_NAMES
        for thing in draft.lexicon.lookup(pattern.format(said))
        if thing.kind == "column" and is_time(draft, thing.name)
    ]
    thing = draft.settle(mark, among=found) if found else None
    return thing.name if thing else None


def _use_marker(draft: Draft, mark: Mark) -> None:
    """按下单时间: the 按 belongs to the column."""
    mark.used = True
    before = draft.at(draft.marks.index(mark) - 1)
    if before and before.says("each"):
        before.used = True


def is_time(draft: Draft, name: str) -> bool:
    """Whether a column holds dates or times."""
    column = draft.column(name)
    return column is not None and (column.role == "time" or column.type.casefold().startswith(("date", "timestamp")))


def _year_column(table: Table) -> str | None:
    """A column of whole years, where rows have no better date."""
    found = [
        column.id
        for column in table.columns
        if column.name.casefold() == "year" and column.examples and all(_YEAR.fullmatch(e) for e in column.examples)
    ]
    return found[0] if found else None


def default_time_column(draft: Draft, table_name: str) -> str | None:
    """What dates a row of a table: its own time column, else the only one of the tables it looks up."""
    catalog, reach = draft.lexicon.catalog, draft.lexicon.reach
    table = catalog.table(table_name)
    if table and table.time_column:
        return f"{table.name}.{table.time_column}"
    if table and (year := _year_column(table)):
        return year
    near = (catalog.table(name) for name in sorted(reach.safe(table_name)) if name != table_name)
    found = [
        f"{other.name}.{other.time_column}" for other in near if other and other.time_column and other.role == "fact"
    ]
    return found[0] if len(found) == 1 else None
