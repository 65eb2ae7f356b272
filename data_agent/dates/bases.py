"""The range that a range is set against: the same days a year before, or the period before."""

import re
from datetime import date, datetime

from data_agent.dates.comparing import Comparison, comparisons, unit_of
from data_agent.dates.festivals import period as festival_period
from data_agent.dates.labels import label
from data_agent.dates.numerals import plain
from data_agent.dates.resolver import RULES, resolve
from data_agent.dates.rules import scan
from data_agent.dates.spans import MONTHS, Moment, Unit, add, containing, iso_week, moment_of, relative
from data_agent.domain.language import language_of
from data_agent.domain.time import CalendarSettings, Grain, TimeRange
from data_agent.errors import ImpossibleDate

_YEAR_AGO = re.compile(r"去年|上一?年|前一年|同期|(?:last|prior|previous|a|one)[\s-]year")
_NAMED = re.compile(r"[上昨前去]|同期|last|prior|previous|preceding|yesterday|before|ago|earlier")
_FISCAL: dict[str, Unit] = {"quarter": "fiscal_quarter", "year": "fiscal_year"}


def base_range(current: TimeRange, comparison: Comparison, now: datetime, calendar: CalendarSettings) -> TimeRange:
    """What `current` is compared with: "yoy" the same days a year before, "mom" the period before of the same grain.

    A period still running is compared up to today only: 1-15 March with 1-15 February, not with all of it.
    Raises: ImpossibleDate when `current` has no beginning.
    """
    moment = moment_of(now, calendar)
    start, end, whole_end = _closed(current, moment)
    if comparison == "mom":
        start, end = _before(start, end, whole_end, current.grain)
    else:
        start, end = _festival(current, moment) or _year_before(start, end, current.grain, calendar)
    return current.model_copy(update={"start": start, "end": end, "label": _label(current, start, end, calendar)})


def bases(text: str, now: datetime, calendar: CalendarSettings) -> list[TimeRange]:
    """The base range of every comparison word in `text`, under that word (`words`, `span`).

    Without a range in the text, 去年同期 is this year up to today a year before and 比上个月 starts from this month;
    a bare 同比 has no base.
    Raises: ImpossibleDate, AmbiguousDate, InvalidSettings.
    """
    named = [item for item in resolve(text, now, calendar) if item.start is not None]
    found: list[TimeRange] = []
    for span, words, comparison in comparisons(text):
        current = named[0] if named else _implied(words, comparison, now, calendar)
        if current is not None:
            base = base_range(current, comparison, now, calendar)
            found.append(base.model_copy(update={"words": words, "span": span}))
    return found


def _implied(words: str, comparison: Comparison, now: datetime, calendar: CalendarSettings) -> TimeRange | None:
    """The current range of a question that names its base only."""
    line = plain(words)
    unit = unit_of(words) if _NAMED.search(line) else None
    if comparison == "yoy" and unit is None and _YEAR_AGO.search(line):
        unit = "year"
    names: dict[str, tuple[Unit, Grain]] = {
        "day": ("day", "day"), "week": ("week", "week"), "month": ("month", "month"),
        "quarter": ("quarter", "quarter"), "year": ("year", "year"),
    }  # fmt: skip
    if unit is None:
        return None
    kind, grain = names[unit]
    period = relative(moment_of(now, calendar), kind, 0)
    return TimeRange(words=words, start=period.start, end=period.end, grain=grain)


def _closed(current: TimeRange, moment: Moment) -> tuple[date, date, date]:
    """Start, end (not after today while the range is running) and the end before that cut."""
    if current.start is None:
        raise ImpossibleDate(
            f"「{current.words}」没有开始日期，无法比较 / The range has no beginning to compare from: {current.words}",
            hint="请写出起止日期 / Please give the first and last day.",
        )
    end = moment.tomorrow if current.end is None else current.end
    running = current.start <= moment.today < end
    return current.start, moment.tomorrow if running else max(end, current.start), max(end, current.start)


def _festival(current: TimeRange, moment: Moment) -> tuple[date, date] | None:
    """春节 moves through the calendar: it is compared with last year's 春节."""
    tokens = scan(plain(current.words), RULES, moment, [])
    named = next((token.fields.festival for token in tokens if token.fields.festival), None)
    if len(tokens) > 2 or named is None or current.start is None:
        return None
    this = next((year for year in (current.start.year, current.start.year + 1) if _is(named, year, current)), None)
    base = festival_period(named, this - 1) if this else None
    return (base.start, base.end) if base else None


def _is(named: object, year: int, current: TimeRange) -> bool:
    period = festival_period(named, year)  # type: ignore[arg-type]
    return period is not None and (period.start, period.end) == (current.start, current.end)


def _year_before(start: date, end: date, grain: Grain, calendar: CalendarSettings) -> tuple[date, date]:
    if grain == "week":
        return _week_before(start, end, calendar)
    if start == end or (start.day == 1 and end.day == 1):
        return add(start, -1, "year"), add(end, -1, "year")
    last = add(add(end, -1, "day"), -1, "year")
    return add(start, -1, "year"), add(last, 1, "day")


def _week_before(start: date, end: date, calendar: CalendarSettings) -> tuple[date, date]:
    """The ISO week of the same number; where weeks begin on another day, 52 weeks back."""
    iso = start.isocalendar()
    same = iso_week(iso.year - 1, iso.week) or iso_week(iso.year - 1, 52)
    if same is None or calendar.week_start != 0 or iso.weekday != 1:
        return add(start, -52, "week"), add(end, -52, "week")
    return same.start, add(same.start, (end - start).days, "day")


def _before(start: date, end: date, whole_end: date, grain: Grain) -> tuple[date, date]:
    days = (end - start).days
    if grain == "week":
        weeks = -(-days // 7) or 1
        return add(start, -weeks, "week"), add(end, -weeks, "week")
    months = _months(start, whole_end, grain)
    if months is None:
        return add(start, -max(days, 1), "day"), add(end, -max(days, 1), "day")
    if end.day == 1 or end == start:
        return add(start, -months, "month"), min(start, add(end, -months, "month"))
    last = add(add(end, -1, "day"), -months, "month")
    return add(start, -months, "month"), min(start, add(last, 1, "day"))


def _months(start: date, end: date, grain: Grain) -> int | None:
    """How many months to go back: the length in whole months, at least one unit of the grain; None: count days."""
    unit = MONTHS.get(grain, 0)
    length = (end.year - start.year) * 12 + end.month - start.month
    if length and (unit or start.day == 1) and add(start, length, "month") == end:
        return max(length, unit)
    return unit if unit and start.day == 1 and end <= add(start, unit, "month") else None


def _label(current: TimeRange, start: date, end: date, calendar: CalendarSettings) -> str:
    fiscal = current.label.startswith("FY")
    unit: Unit = _FISCAL.get(current.grain, current.grain) if fiscal else current.grain
    whole = containing(start, unit, calendar)
    named = unit if (whole.start, whole.end) == (start, end) else "range"
    return label(start, end, named, language_of(current.label or current.words), calendar)
