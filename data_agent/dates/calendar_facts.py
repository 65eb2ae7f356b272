"""Today, and a range cut into periods."""

from datetime import datetime

from data_agent.dates.labels import label
from data_agent.dates.spans import add, containing, fiscal_year_of, moment_of
from data_agent.domain.language import Language, language_of
from data_agent.domain.time import CalendarSettings, Grain, TimeRange

_ZH_DAYS = "一二三四五六日"
_EN_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def today_facts(now: datetime, calendar: CalendarSettings, language: Language) -> str:
    """One paragraph for prompts: date, weekday, quarter, ISO week, fiscal year, first day of the week, zone."""
    moment = moment_of(now, calendar)
    day, iso, quarter = moment.today, moment.today.isocalendar(), (moment.today.month + 2) // 3
    fiscal = containing(day, "fiscal_year", calendar)
    name = f"FY{fiscal_year_of(day, calendar)}"
    if language == "zh":
        return (
            f"今天是 {day}，星期{_ZH_DAYS[day.weekday()]}，{day.year} 年第 {quarter} 季度，"
            f"ISO 周 {iso.year}-W{iso.week:02}。本财年 {name} 从 {fiscal.start} 到 {add(fiscal.end, -1, 'day')}。"
            f"一周从星期{_ZH_DAYS[calendar.week_start]}开始。业务时区 {calendar.time_zone}。"
        )
    return (
        f"Today is {day}, {_EN_DAYS[day.weekday()]}, Q{quarter} {day.year}, ISO week {iso.year}-W{iso.week:02}. "
        f"The current fiscal year {name} runs from {fiscal.start} to {add(fiscal.end, -1, 'day')}. "
        f"Weeks start on {_EN_DAYS[calendar.week_start]}. Business time zone {calendar.time_zone}."
    )


def periods(span: TimeRange, grain: Grain, calendar: CalendarSettings) -> list[TimeRange]:
    """`span` cut at the borders of `grain`: contiguous, the first and last clipped to it.

    Raises: ValueError when a side of `span` is open.
    """
    if span.start is None or span.end is None:
        raise ValueError("a range with an open side has no list of periods")
    language = language_of(span.label or span.words)
    found: list[TimeRange] = []
    start = span.start
    while start < span.end:
        whole = containing(start, grain, calendar)
        end = min(whole.end, span.end)
        unit = grain if (start, end) == (whole.start, whole.end) else "range"
        name = label(start, end, unit, language, calendar)
        found.append(TimeRange(words=span.words, start=start, end=end, grain=grain, label=name, span=span.span))
        start = end
    return found
