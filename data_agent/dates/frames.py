"""What the words say about a date, slot by slot, and the period that the filled slots mean."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Literal, NamedTuple

from data_agent.dates import festivals
from data_agent.dates.spans import (
    GRAINS,
    MONTHS,
    Moment,
    Period,
    Unit,
    add,
    completed,
    containing,
    day_of,
    fiscal_year_of,
    iso_week,
    relative,
    starting,
    year_start,
)
from data_agent.errors import AmbiguousDate, ImpossibleDate

Edge = Literal["start", "end"]


class Part(NamedTuple):
    """The first (or, `from_end`, the last) `size` units of something; beside it when that is a day or a festival."""

    size: int
    unit: Unit
    from_end: bool = False


@dataclass(frozen=True, slots=True)
class Fields:
    """The slots one phrase fills. `period` is a span already known; `week_of` is the first day of a named week."""

    year: int | None = None
    fiscal_year: int | None = None
    half: int | None = None
    quarter: int | None = None
    month: int | None = None
    tenth: int | None = None
    day: int | None = None
    week: int | None = None
    week_of: date | None = None
    weekday: int | None = None
    festival: festivals.Named | None = None
    part: Part | None = None
    edge: Edge | None = None
    ago: tuple[int, Unit] | None = None
    period: Period | None = None

    @property
    def filled(self) -> frozenset[str]:
        """The names of the slots that hold something."""
        return frozenset(name for name in _SLOTS if getattr(self, name) is not None)


_SLOTS = tuple(slot.name for slot in fields(Fields))
_SHAPES = {
    frozenset(shape.split())
    for shape in (
        *(
            "year half",
            "year quarter",
            "year month",
            "year month day",
            "year month tenth",
            "year week",
            "year festival",
        ),
        *("month day", "month tenth", "week_of weekday", "fiscal_year quarter", "fiscal_year half"),
        *("month week", "year month week", "quarter week", "year quarter week"),
    )
}
_RECALL_YEARS = 12  # 29 February can lie eight years back (1896-1904), week 53 seven


def merged(left: Fields, right: Fields) -> Fields | None:
    """Both phrases as one date, or None when together they are none."""
    ours, theirs = left.filled, right.filled
    both = ours | theirs
    if ours & theirs or both & {"period", "ago"}:
        return None
    core = both - {"edge", "part"}
    if not core or (len(core) > 1 and core not in _SHAPES):
        return None
    return replace(left, **{name: getattr(right, name) for name in theirs})


def settle(what: Fields, moment: Moment, words: str, *, anchor: bool = False) -> Period:
    """The period that `what` means on that day; as an `anchor` of a range, "3 months ago" is one day.

    A missing year (or month) is the latest one whose period has begun.
    Raises: ImpossibleDate, AmbiguousDate.
    """
    if what.ago is not None:
        return _ago(what.ago, moment, anchor=anchor)
    if what.part is not None and what.filled == {"part"}:
        return _bare_part(what.part, moment, words)
    whole = _whole(what, moment, words)
    if what.part is not None:
        whole = _part(whole, what.part)
    if what.edge is not None:
        whole = starting(whole.start if what.edge == "start" else add(whole.end, -1, "day"), "day")
    return whole


def _ago(ago: tuple[int, Unit], moment: Moment, *, anchor: bool) -> Period:
    count, unit = ago
    day = add(moment.today, -count, unit)
    if anchor:
        return Period(day, add(day, 1, "day"), GRAINS[unit])
    return containing(day, "month" if unit == "half" else unit, moment.calendar)


def _bare_part(part: Part, moment: Moment, words: str) -> Period:
    """前三季度 are this year's first three, 前7天 the seven days before today; 前三个月 could be either."""
    if part.unit == "month":
        raise AmbiguousDate(
            f"「{words}」可以是今年的前几个月，也可以是最近几个月 / {words} can mean the first or the latest months",
            hint="请写「今年前三个月」或「最近三个月」 / Please write 今年前三个月 or 最近三个月.",
        )
    if part.unit == "quarter":
        return _part(relative(moment, "year", 0), part)
    return completed(moment, part.size, part.unit)


def _part(whole: Period, part: Part) -> Period:
    beside = whole.unit == "day" or bool(whole.title)
    if beside and not part.from_end:
        return Period(add(whole.start, -part.size, part.unit), whole.start, GRAINS[part.unit])
    if beside:
        return Period(whole.end, add(whole.end, part.size, part.unit), GRAINS[part.unit])
    if part.from_end:
        return Period(max(whole.start, add(whole.end, -part.size, part.unit)), whole.end, GRAINS[part.unit])
    return Period(whole.start, min(whole.end, add(whole.start, part.size, part.unit)), GRAINS[part.unit])


def _whole(what: Fields, moment: Moment, words: str) -> Period:
    if what.period is not None:
        return what.period
    if what.week is not None and (what.month or what.quarter):
        raise AmbiguousDate(
            f"「{words}」里的周可以有几种算法 / Weeks of a month are counted in several ways: {words}",
            hint="请写出起止日期 / Please give the first and last day.",
        )
    if what.week_of is not None:
        return _week(what.week_of, what.weekday)
    if what.weekday is not None:
        back = (moment.today.isoweekday() - what.weekday) % 7
        return starting(add(moment.today, -back, "day"), "day")
    if what.month is None and what.day is not None:
        return _bare_day(what.day, moment, words)
    return _of_year(what, moment, words)


def _week(first: date, weekday: int | None) -> Period:
    if weekday is None:
        return starting(first, "week")
    return starting(add(first, (weekday - first.isoweekday()) % 7, "day"), "day")


def _bare_day(day: int, moment: Moment, words: str) -> Period:
    months = (relative(moment, "month", -back).start for back in range(3))
    return _latest((day_of(first.year, first.month, day) for first in months), moment, words)


def _of_year(what: Fields, moment: Moment, words: str) -> Period:
    build = _builder(what, moment)
    fiscal = what.fiscal_year is not None
    known = what.fiscal_year if fiscal else what.year
    if known is not None:
        return _existing(build(known) if date.min.year <= known <= date.max.year else None, words)
    current = fiscal_year_of(moment.today, moment.calendar) if fiscal else moment.today.year
    years = range(min(current + 1, 9998), max(current - _RECALL_YEARS, 1), -1)
    return _latest((build(year) for year in years), moment, words)


def _latest(candidates: Iterator[Period | None], moment: Moment, words: str) -> Period:
    begun = (period for period in candidates if period is not None and period.start <= moment.today)
    return _existing(next(begun, None), words)


def _existing(period: Period | None, words: str) -> Period:
    if period is None:
        raise ImpossibleDate(
            f"没有这个日期：{words} / There is no such date: {words}",
            hint="请检查月份、日期、季度或周数 / Check the month, day, quarter or week.",
        )
    return period


def _builder(what: Fields, moment: Moment) -> Callable[[int], Period | None]:
    """How to make the period once the year is known; the result is None when that year has none."""
    if what.festival is not None:
        named = what.festival
        return lambda year: festivals.period(named, year)
    if what.week is not None:
        week = what.week
        return lambda year: iso_week(year, week)
    if what.month is not None:
        return lambda year: _in_month(year, what)
    calendar = moment.calendar if what.fiscal_year is not None else None
    if what.quarter is not None:
        return lambda year: _nth(year_start(year, calendar), "quarter", what.quarter, fiscal=bool(calendar))
    if what.half is not None:
        return lambda year: _nth(year_start(year, calendar), "half", what.half, fiscal=bool(calendar))
    if what.tenth is not None:
        return lambda year: _recent_tenth(year, what, moment)
    return lambda year: starting(year_start(year, calendar), "fiscal_year" if calendar else "year")


def _nth(first: date, unit: Literal["quarter", "half"], which: int | None, *, fiscal: bool) -> Period | None:
    if which is None or not 1 <= which <= 12 // MONTHS[unit]:
        return None
    name: Unit = ("fiscal_quarter" if unit == "quarter" else "fiscal_half") if fiscal else unit
    return starting(add(first, which - 1, unit), name)


def _in_month(year: int, what: Fields) -> Period | None:
    if what.month is None or not 1 <= what.month <= 12:
        return None
    if what.day is not None:
        return day_of(year, what.month, what.day)
    month = starting(date(year, what.month, 1), "month")
    return month if what.tenth is None else _tenth(month, what.tenth)


def _tenth(month: Period, which: int) -> Period:
    start = add(month.start, (which - 1) * 10, "day")
    return Period(start, month.end if which == 3 else add(start, 10, "day"))


def _recent_tenth(year: int, what: Fields, moment: Moment) -> Period | None:
    """上旬 without a month: the latest that has begun."""
    months = [relative(moment, "month", -back) for back in range(2)]
    tenths = [_tenth(month, what.tenth or 1) for month in months]
    return next((tenth for tenth in tenths if tenth.start <= moment.today and tenth.start.year == year), None)
