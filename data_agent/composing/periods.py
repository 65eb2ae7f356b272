"""Time in SQL: half-open bounds as a column stores time, stable period labels, period arithmetic."""

import re
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from sqlglot import exp

from data_agent.composing.tree import call, cast, parsed
from data_agent.domain.reading import Comparison
from data_agent.domain.schema import Column
from data_agent.domain.time import CalendarSettings, Grain, TimeRange

Kind = Literal["date", "datetime", "epoch_ms", "epoch_s", "pattern"]
_PATTERNS = (
    (re.compile(r"\d{4}-\d{2}-\d{2}.*"), "%Y-%m-%d"),
    (re.compile(r"\d{4}/\d{2}/\d{2}.*"), "%Y/%m/%d"),
    (re.compile(r"\d{4}-\d{2}"), "%Y-%m"),
    (re.compile(r"\d{8}"), "%Y%m%d"),
    (re.compile(r"\d{6}"), "%Y%m"),
    (re.compile(r"\d{4}"), "%Y"),
)
_WIDTHS = {4: "%Y", 6: "%Y%m", 7: "%Y-%m", 8: "%Y%m%d", 10: "%Y-%m-%d"}
_DUCKDB_LABELS = {"day": "%Y-%m-%d", "week": "%G-W%V", "month": "%Y-%m", "year": "%Y"}
_MYSQL_LABELS = {**_DUCKDB_LABELS, "week": "%x-W%v"}
_MYSQL_FIRST = {
    "day": "DATE(t)",
    "week": "DATE(t) - INTERVAL MOD(WEEKDAY(t) + {early}, 7) DAY",
    "month": "DATE(t) - INTERVAL DAYOFMONTH(t) - 1 DAY",
    "quarter": "MAKEDATE(YEAR(t), 1) + INTERVAL (QUARTER(t) - 1) * 3 MONTH",
    "year": "MAKEDATE(YEAR(t), 1)",
}
_STEP: dict[Grain, tuple[int, str]] = {
    "day": (1, "DAY"),
    "week": (7, "DAY"),
    "month": (1, "MONTH"),
    "quarter": (3, "MONTH"),
    "year": (12, "MONTH"),
}


class Stored(NamedTuple):
    """How a column keeps time; `pattern` is the text or number form, `number` whether it is a number."""

    kind: Kind
    pattern: str = ""
    number: bool = False


def stored(column: Column | None) -> Stored:
    """How this column keeps time, by its type and its examples."""
    kind = column.type.lower() if column else "datetime"
    if kind.startswith(("datetime", "timestamp")):
        return Stored("datetime")
    if kind.startswith("date"):
        return Stored("date")
    examples = column.examples if column else ()
    pattern = next((form for test, form in _PATTERNS for text in examples[:1] if test.fullmatch(text)), "")
    width = re.fullmatch(r"(?:var)?char\((\d+)\)", kind)
    pattern = pattern or (_WIDTHS.get(int(width[1]), "") if width else "")
    if "int" in kind or kind.startswith(("decimal", "numeric")):
        if pattern:
            return Stored("pattern", pattern, number=True)
        return Stored("epoch_s" if any(re.fullmatch(r"\d{9,10}", text) for text in examples) else "epoch_ms")
    return Stored("pattern", pattern or "%Y-%m-%d") if "char" in kind or "text" in kind else Stored("datetime")


def bound(day: date, how: Stored, calendar: CalendarSettings) -> exp.Expr:
    """The first moment of a day in the business time zone, as the column would store it."""
    if how.kind in {"epoch_ms", "epoch_s"}:
        moment = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(calendar.time_zone)).timestamp()
        return exp.Literal.number(int(moment) * (1000 if how.kind == "epoch_ms" else 1))
    if how.kind != "pattern":
        return exp.Literal.string(day.isoformat())
    text = day.strftime(how.pattern)
    return exp.Literal.number(int(text)) if how.number else exp.Literal.string(text)


def within(time: exp.Expr, span: TimeRange, how: Stored, calendar: CalendarSettings) -> list[exp.Expr]:
    """`start <= time AND time < end`, leaving open sides out."""
    conditions: list[exp.Expr] = []
    if span.start is not None:
        conditions.append(exp.GTE(this=time.copy(), expression=bound(span.start, how, calendar)))
    if span.end is not None:
        coarse = how.kind == "pattern" and date.fromisoformat(span.end.isoformat()).strftime(how.pattern)
        last_cut = coarse and (span.end - timedelta(days=1)).strftime(how.pattern) == coarse
        # a month column cannot be cut inside a month: the month that the range ends in is taken whole
        test = exp.LTE if last_cut else exp.LT
        conditions.append(test(this=time.copy(), expression=bound(span.end, how, calendar)))
    return conditions


def as_time(value: exp.Expr, how: Stored, dialect: str, calendar: CalendarSettings, now: datetime) -> exp.Expr:
    """The stored value as something date functions take, in business time."""
    if how.kind in {"date", "datetime"}:
        return value
    if how.kind == "pattern":
        return _from_pattern(value, how, dialect)
    offset = (now.astimezone(ZoneInfo(calendar.time_zone)).utcoffset() or timedelta()).total_seconds()
    zero = datetime(1970, 1, 1) + timedelta(seconds=offset)
    epoch = cast(exp.Literal.string(zero.isoformat(" ")), "DATETIME" if dialect == "mysql" else "TIMESTAMP")
    if dialect == "mysql":
        seconds = value if how.kind == "epoch_s" else exp.Div(this=value, expression=exp.Literal.number(1000))
        return exp.Add(this=epoch, expression=exp.Interval(this=exp.paren(seconds, copy=False), unit=exp.var("SECOND")))
    unit = "TO_SECONDS" if how.kind == "epoch_s" else "TO_MILLISECONDS"
    return exp.Add(this=epoch, expression=call(unit, value))


def _from_pattern(value: exp.Expr, how: Stored, dialect: str) -> exp.Expr:
    text = cast(value, "TEXT")
    rest = {"%Y-%m": "-01", "%Y%m": "01", "%Y": "-01-01"}.get(how.pattern, "")
    pattern = {"%Y-%m": "%Y-%m-%d", "%Y%m": "%Y%m%d", "%Y": "%Y-%m-%d"}.get(how.pattern, how.pattern)
    whole: exp.Expr = exp.Concat(expressions=[text, exp.Literal.string(rest)]) if rest else text
    if not rest:
        width = len(date(2025, 1, 1).strftime(pattern))
        whole = exp.Left(this=text, expression=exp.Literal.number(width))
    name = "STR_TO_DATE" if dialect == "mysql" else "STRPTIME"
    return call(name, whole, exp.Literal.string(pattern))


def label(time: exp.Expr, grain: Grain, dialect: str, calendar: CalendarSettings) -> exp.Expr:
    """The period a moment lies in, as text that sorts by time: 2025-03-07, 2025-W10, 2025-03, 2025-Q1, 2025."""
    if grain == "quarter":
        parts = [call("YEAR", time), exp.Literal.string("-Q"), call("QUARTER", time.copy())]
        return exp.Concat(expressions=parts, safe=False, coalesce=False)
    early = -calendar.week_start % 7
    if grain == "week" and early:
        # a week that starts on Sunday is called like the ISO week that starts the day after
        time = exp.Add(this=time, expression=exp.Interval(this=exp.Literal.string(str(early)), unit=exp.var("DAY")))
    if dialect == "mysql":
        return call("DATE_FORMAT", time, exp.Literal.string(_MYSQL_LABELS[grain]))
    return call("STRFTIME", time, exp.Literal.string(_DUCKDB_LABELS[grain]))


def moved(time: exp.Expr, grain: Grain, steps: int) -> exp.Expr:
    """A date some periods later (earlier when negative)."""
    count, unit = _STEP[grain]
    turn = exp.Add if steps >= 0 else exp.Sub
    interval = exp.Interval(this=exp.Literal.string(str(count * abs(steps))), unit=exp.var(unit))
    return cast(turn(this=time, expression=interval), "DATE")


def period_start(day: date, grain: Grain, calendar: CalendarSettings) -> date:
    """The first day of the period a day lies in."""
    if grain == "week":
        return day - timedelta(days=(day.weekday() - calendar.week_start) % 7)
    if grain == "day":
        return day
    month = {"month": day.month, "quarter": (day.month - 1) // 3 * 3 + 1, "year": 1}[grain]
    return date(day.year, month, 1)


def shifted(day: date, grain: Grain, steps: int) -> date:
    """A day some periods later; the last day of a month stands in for one that does not exist (29 February)."""
    count, unit = _STEP[grain]
    if unit == "DAY":
        return day + timedelta(days=count * steps)
    months = day.year * 12 + day.month - 1 + count * steps
    first = date(months // 12, months % 12 + 1, 1)
    following = date((months + 1) // 12, (months + 1) % 12 + 1, 1)
    return min(first + timedelta(days=day.day - 1), following - timedelta(days=1))


def base_step(comparison: Comparison, grain: Grain) -> tuple[Grain, int]:
    """How far back the base lies: a year of 52 whole weeks for weeks, a calendar year else; one period for `mom`."""
    if comparison == "mom":
        return grain, -1
    return ("week", -52) if grain == "week" else ("year", -1)


def base_range(span: TimeRange, grain: Grain, steps: int) -> TimeRange:
    """The range that a range is compared with, equally long: month to date with the same days of the base month."""
    start = shifted(span.start, grain, steps) if span.start else None
    end = None
    if span.end:
        whole = span.end.day == 1 or grain in {"day", "week"}
        end = shifted(span.end, grain, steps) if whole else shifted(span.end - timedelta(days=1), grain, steps)
        end = end if whole else end + timedelta(days=1)
    return span.model_copy(update={"start": start, "end": end, "label": "", "words": ""})


def periods(start: date, end: date, grain: Grain, calendar: CalendarSettings) -> tuple[date, date, int]:
    """First and last period start of a half-open range, and how many periods that is."""
    first = period_start(start, grain, calendar)
    last = period_start(max(end - timedelta(days=1), start), grain, calendar)
    count, unit = _STEP[grain]
    apart = (last - first).days if unit == "DAY" else (last.year - first.year) * 12 + last.month - first.month
    return first, last, apart // count + 1


def said(span: TimeRange) -> str:
    """The range in plain words: its label, or first and last day."""
    if span.label:
        return span.label
    start = span.start.isoformat() if span.start else ""
    last = (span.end - timedelta(days=1)).isoformat() if span.end else ""
    return start if start == last else f"{start} – {last}".strip()


def first_of(time: exp.Expr, grain: Grain, dialect: str, calendar: CalendarSettings) -> exp.Expr:
    """The first day of the period a moment lies in, as a date."""
    early = str(-calendar.week_start % 7)
    if dialect == "duckdb":
        day = exp.var("DAY")
        ahead = exp.Add(this=time, expression=exp.Interval(this=exp.Literal.string(early), unit=day))
        start = call("DATE_TRUNC", exp.Literal.string(grain), ahead if grain == "week" else time)
        back = exp.Sub(this=start, expression=exp.Interval(this=exp.Literal.string(early), unit=day))
        return cast(back if grain == "week" else start, "DATE")
    tree = parsed(_MYSQL_FIRST[grain].format(early=early))
    for node in list(tree.find_all(exp.Column)):
        node.replace(time.copy())
    return tree
