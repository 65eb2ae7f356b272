"""Calendar arithmetic: everything is a half-open span of whole days, so clock changes cannot touch it."""

import calendar as gregorian
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from data_agent.domain.time import CalendarSettings, Grain
from data_agent.errors import ImpossibleDate, InvalidSettings

Unit = Literal[
    "day", "week", "month", "quarter", "half", "year", "fiscal_quarter", "fiscal_half", "fiscal_year", "range"
]

MONTHS: dict[Unit, int] = {
    "month": 1,
    "quarter": 3,
    "half": 6,
    "year": 12,
    "fiscal_quarter": 3,
    "fiscal_half": 6,
    "fiscal_year": 12,
}
GRAINS: dict[Unit, Grain] = {
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "half": "quarter",
    "year": "year",
    "fiscal_quarter": "quarter",
    "fiscal_half": "quarter",
    "fiscal_year": "year",
    "range": "day",
}


class Period(NamedTuple):
    """A closed-in span `start` ≤ d < `end`. `unit` says what it is called, `title` overrides that name."""

    start: date
    end: date
    grain: Grain = "day"
    unit: Unit = "range"
    title: str = ""


class Moment(NamedTuple):
    """The day of the question in the business time zone, and how the business counts time."""

    today: date
    calendar: CalendarSettings

    @property
    def tomorrow(self) -> date:
        """The exclusive end of everything that reaches up to now."""
        return add(self.today, 1, "day")


def moment_of(now: datetime, calendar: CalendarSettings) -> Moment:
    """The business day of `now`; a naive `now` already stands in the business zone.

    Raises: InvalidSettings when the zone is unknown.
    """
    try:
        zone = _zone(calendar.time_zone)
    except (KeyError, ValueError, OSError) as error:
        raise InvalidSettings(
            f"没有这个时区 / Unknown time zone: {calendar.time_zone}", hint="Use a name such as Asia/Shanghai."
        ) from error
    return Moment((now if now.tzinfo is None else now.astimezone(zone)).date(), calendar)


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def add(day: date, count: int, unit: Unit) -> date:
    """`day` moved by `count` units; a day that the target month lacks becomes its last one.

    Raises: ImpossibleDate outside the years 1-9999.
    """
    try:
        if unit in MONTHS:
            return _add_months(day, count * MONTHS[unit])
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    except (OverflowError, ValueError) as error:
        raise ImpossibleDate(f"日期超出范围 / The date is out of range: {day} {count:+d} {unit}") from error


def _add_months(day: date, count: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    return date(year, month + 1, min(day.day, gregorian.monthrange(year, month + 1)[1]))


def starting(start: date, unit: Unit, count: int = 1) -> Period:
    """`count` units from `start` on."""
    return Period(start, add(start, count, unit), GRAINS[unit], unit if count == 1 else "range")


def containing(day: date, unit: Unit, calendar: CalendarSettings) -> Period:
    """The calendar unit that `day` lies in."""
    if unit == "week":
        return starting(add(day, -((day.weekday() - calendar.week_start) % 7), "day"), "week")
    if unit not in MONTHS:
        return starting(day, "day")
    first = calendar.fiscal_year_start if unit.startswith("fiscal") else 1
    return starting(add(day.replace(day=1), -((day.month - first) % 12 % MONTHS[unit]), "month"), unit)


def relative(moment: Moment, unit: Unit, offset: int) -> Period:
    """The unit that lies `offset` units from the current one."""
    return starting(add(containing(moment.today, unit, moment.calendar).start, offset, unit), unit)


def rolling(moment: Moment, count: int, unit: Unit) -> Period:
    """`count` units that end with today: the last 7 days are today and the six before."""
    return Period(add(moment.tomorrow, -count, unit), moment.tomorrow, GRAINS[unit])


def completed(moment: Moment, count: int, unit: Unit) -> Period:
    """The `count` whole units before the current one."""
    end = containing(moment.today, unit, moment.calendar).start
    return Period(add(end, -count, unit), end, GRAINS[unit])


def upcoming(moment: Moment, count: int, unit: Unit) -> Period:
    """`count` units that begin tomorrow."""
    return Period(moment.tomorrow, add(moment.tomorrow, count, unit), GRAINS[unit])


def fiscal_year_of(day: date, calendar: CalendarSettings) -> int:
    """A fiscal year is called after the calendar year it starts in."""
    return containing(day, "fiscal_year", calendar).start.year


def year_start(year: int, calendar: CalendarSettings | None = None) -> date:
    """1 January, or the first day of the fiscal year when a calendar is given."""
    return date(year, calendar.fiscal_year_start if calendar else 1, 1)


def iso_week(year: int, week: int) -> Period | None:
    """Week `week` of the ISO year, None when that year has no such week."""
    try:
        return starting(date.fromisocalendar(year, week, 1), "week")
    except ValueError:
        return None


def day_of(year: int, month: int, day: int) -> Period | None:
    """One day, None when there is no such day."""
    try:
        return starting(date(year, month, day), "day")
    except ValueError:
        return None
