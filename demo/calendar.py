"""The demo's calendar: public holidays of mainland China as announced, with the shifted working days."""

from datetime import date, timedelta

FIRST, LAST = date(2024, 1, 1), date(2026, 12, 31)

# name, first day, last day
HOLIDAYS = (
    ("元旦", "2024-01-01", "2024-01-01"),
    ("春节", "2024-02-10", "2024-02-17"),
    ("清明节", "2024-04-04", "2024-04-06"),
    ("劳动节", "2024-05-01", "2024-05-05"),
    ("端午节", "2024-06-10", "2024-06-10"),
    ("中秋节", "2024-09-15", "2024-09-17"),
    ("国庆节", "2024-10-01", "2024-10-07"),
    ("元旦", "2025-01-01", "2025-01-01"),
    ("春节", "2025-01-28", "2025-02-04"),
    ("清明节", "2025-04-04", "2025-04-06"),
    ("劳动节", "2025-05-01", "2025-05-05"),
    ("端午节", "2025-05-31", "2025-06-02"),
    ("国庆节", "2025-10-01", "2025-10-08"),
    ("元旦", "2026-01-01", "2026-01-03"),
    ("春节", "2026-02-15", "2026-02-23"),
    ("清明节", "2026-04-04", "2026-04-06"),
    ("劳动节", "2026-05-01", "2026-05-05"),
    ("端午节", "2026-06-19", "2026-06-21"),
    ("中秋节", "2026-09-25", "2026-09-27"),
    ("国庆节", "2026-10-01", "2026-10-07"),
)
SHIFTED_WORKDAYS = (
    "2024-02-04 2024-02-18 2024-04-07 2024-04-28 2024-05-11 2024-09-14 2024-09-29 2024-10-12 2025-01-26 2025-02-08 "
    "2025-04-27 2025-09-28 2025-10-11 2026-01-04 2026-02-14 2026-02-28 2026-05-09 2026-09-20 2026-10-10"
)


def days() -> list[date]:
    """Every day of the calendar."""
    return [FIRST + timedelta(days=offset) for offset in range((LAST - FIRST).days + 1)]


def holiday_of() -> dict[str, str]:
    """ISO day -> name of the holiday it belongs to."""
    found = {}
    for name, first, last in HOLIDAYS:
        day = date.fromisoformat(first)
        while day <= date.fromisoformat(last):
            found[day.isoformat()] = name
            day += timedelta(days=1)
    return found


def is_workday(day: date, holidays: dict[str, str]) -> bool:
    """Weekdays that are no holiday, and the weekend days worked instead of one."""
    iso = day.isoformat()
    return iso in SHIFTED_WORKDAYS or (day.weekday() < 5 and iso not in holidays)
