"""Ranges said plainly, in the language of the question."""

from datetime import date

from data_agent.dates.spans import MONTHS, Unit, add, fiscal_year_of
from data_agent.domain.language import Language
from data_agent.domain.time import CalendarSettings

_MONTH_NAMES = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def label(start: date | None, end: date | None, unit: Unit, language: Language, calendar: CalendarSettings) -> str:
    """The name of a span: "2026年2月", "FY2025 Q4", "2026-03-05 to 2026-03-10"."""
    if start is None or end is None:
        return _open(start, end, language)
    if unit.startswith("fiscal"):
        return _fiscal(start, unit, calendar)
    if unit == "range":
        return _range(start, end, language)
    return _zh(start, end, unit, calendar) if language == "zh" else _en(start, end, unit, calendar)


def _day(day: date, language: Language) -> str:
    return f"{day.year}年{day.month}月{day.day}日" if language == "zh" else day.isoformat()


def _month(day: date, language: Language) -> str:
    return f"{day.year}年{day.month}月" if language == "zh" else f"{_MONTH_NAMES[day.month - 1]} {day.year}"


def _open(start: date | None, end: date | None, language: Language) -> str:
    if start is not None:
        return f"{_day(start, language)}起" if language == "zh" else f"from {start} on"
    if end is not None:
        return f"{_day(end, language)}之前" if language == "zh" else f"before {end}"
    return "全部时间" if language == "zh" else "all time"


def _range(start: date, end: date, language: Language) -> str:
    if end <= start:
        return f"{_day(start, language)}之前没有完整的一天" if language == "zh" else f"no complete day from {start}"
    last = add(end, -1, "day")
    if start.day == end.day == 1:
        names = [_month(start, language), _month(last, language)]
        return (
            names[0] if names[0] == names[1] else f"{names[0]}至{names[1]}" if language == "zh" else " to ".join(names)
        )
    if last == start:
        return _day(start, language)
    return f"{_day(start, language)}至{_day(last, language)}" if language == "zh" else f"{start} to {last}"


def _fiscal(start: date, unit: Unit, calendar: CalendarSettings) -> str:
    passed = (start.month - calendar.fiscal_year_start) % 12 // MONTHS[unit] + 1
    name = f"FY{fiscal_year_of(start, calendar)}"
    return {"fiscal_quarter": f"{name} Q{passed}", "fiscal_half": f"{name} H{passed}"}.get(unit, name)


def _zh(start: date, end: date, unit: Unit, calendar: CalendarSettings) -> str:
    year = f"{start.year}年"
    if unit == "week":
        iso = start.isocalendar()
        return f"{iso.year}年第{iso.week}周" if calendar.week_start == 0 else _range(start, end, "zh")
    names = {
        "month": f"{start.month}月",
        "quarter": f"第{(start.month + 2) // 3}季度",
        "half": "上半年" if start.month == 1 else "下半年",
        "day": f"{start.month}月{start.day}日",
    }
    return year + names.get(unit, "")


def _en(start: date, end: date, unit: Unit, calendar: CalendarSettings) -> str:
    if unit == "week":
        iso = start.isocalendar()
        return f"{iso.year}-W{iso.week:02}" if calendar.week_start == 0 else _range(start, end, "en")
    names = {
        "month": _month(start, "en"),
        "quarter": f"Q{(start.month + 2) // 3} {start.year}",
        "half": f"H{1 if start.month == 1 else 2} {start.year}",
        "day": start.isoformat(),
    }
    return names.get(unit, str(start.year))
