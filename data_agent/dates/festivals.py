"""Days that come back every year: fixed ones by rule, lunar ones and official breaks from the holiday tables."""

from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from data_agent.dates.spans import Period, add, starting
from data_agent.domain.language import Language

if TYPE_CHECKING:
    from holidays import HolidayBase


class Named(NamedTuple):
    """A festival by key; `extent` is the day itself, the official break, or what its name usually means."""

    key: str
    extent: Literal["day", "break", "usual"] = "usual"
    language: Language = "zh"


class Festival(NamedTuple):
    """How a festival is called and when it is. `long`: its bare name means the whole official break."""

    zh: str
    en: str
    on: Callable[[int], date | None]
    long: bool = False
    statutory: bool = False


def _fixed(month: int, day: int) -> Callable[[int], date | None]:
    return lambda year: date(year, month, day)


def _nth_sunday(month: int, nth: int) -> Callable[[int], date | None]:
    return lambda year: date(year, month, 1 + (6 - date(year, month, 1).weekday()) + 7 * (nth - 1))


def _listed(country: str, name: str, shift: int = 0) -> Callable[[int], date | None]:
    """The first day of `year` whose entry in the country's holiday table has that name, moved by `shift` days."""

    def on(year: int) -> date | None:
        found = sorted(
            day for day, title in _table(country, year).items() if title.startswith(name) and "(o" not in title
        )
        return add(found[0], shift, "day") if found else None

    return on


@lru_cache(maxsize=128)
def _table(country: str, year: int) -> "HolidayBase":
    """One country's public holidays of one year; the library is slow to import, so it waits until it is asked."""
    from holidays import country_holidays

    return country_holidays(country, years=year, language="en_US")


FESTIVALS: dict[str, Festival] = {
    "new_year": Festival("元旦", "New Year's Day", _fixed(1, 1), statutory=True),
    "spring": Festival("春节", "Spring Festival", _listed("CN", "Chinese New Year (S"), long=True, statutory=True),
    "spring_eve": Festival("除夕", "Chinese New Year's Eve", _listed("CN", "Chinese New Year (S", -1)),
    "lantern": Festival("元宵节", "Lantern Festival", _listed("CN", "Chinese New Year (S", 14)),
    "valentine": Festival("情人节", "Valentine's Day", _fixed(2, 14)),
    "women": Festival("妇女节", "Women's Day", _fixed(3, 8)),
    "qingming": Festival("清明节", "Qingming Festival", _listed("CN", "Tomb-Sweeping Day"), statutory=True),
    "labour": Festival("五一", "May Day", _fixed(5, 1), long=True, statutory=True),
    "mother": Festival("母亲节", "Mother's Day", _nth_sunday(5, 2)),
    "children": Festival("儿童节", "Children's Day", _fixed(6, 1)),
    "618": Festival("618", "618", _fixed(6, 18)),
    "father": Festival("父亲节", "Father's Day", _nth_sunday(6, 3)),
    "dragon_boat": Festival("端午节", "Dragon Boat Festival", _listed("CN", "Dragon Boat Festival"), statutory=True),
    "mid_autumn": Festival("中秋节", "Mid-Autumn Festival", _listed("CN", "Mid-Autumn Festival"), statutory=True),
    "national": Festival("国庆", "National Day", _fixed(10, 1), long=True, statutory=True),
    "halloween": Festival("万圣节", "Halloween", _fixed(10, 31)),
    "double_11": Festival("双十一", "Singles' Day", _fixed(11, 11)),
    "thanksgiving": Festival("感恩节", "Thanksgiving", _listed("US", "Thanksgiving")),
    "black_friday": Festival("黑色星期五", "Black Friday", _listed("US", "Thanksgiving", 1)),
    "cyber_monday": Festival("网络星期一", "Cyber Monday", _listed("US", "Thanksgiving", 4)),
    "double_12": Festival("双十二", "Double 12", _fixed(12, 12)),
    "christmas_eve": Festival("平安夜", "Christmas Eve", _fixed(12, 24)),
    "christmas": Festival("圣诞节", "Christmas", _fixed(12, 25)),
    "new_year_eve": Festival("跨年夜", "New Year's Eve", _fixed(12, 31)),
}


TABLED_YEARS = range(1900, 2101)


def period(named: Named, year: int) -> Period | None:
    """The festival of that year, None when the tables do not reach that far."""
    festival = FESTIVALS[named.key]
    day = festival.on(year) if year in TABLED_YEARS else None
    if day is None:
        return None
    title = f"{year}年{festival.zh}" if named.language == "zh" else f"{festival.en} {year}"
    if named.extent == "break" or (named.extent == "usual" and festival.long):
        return _break(day, title) if festival.statutory else starting(day, "day")._replace(title=title)
    return starting(day, "day")._replace(title=title)


def _break(day: date, title: str) -> Period:
    """The official break around a statutory day: days off on end, made-up working weekends respected."""
    start, end = day, add(day, 1, "day")
    while not _works(before := add(start, -1, "day")):
        start = before
    while not _works(end):
        end = add(end, 1, "day")
    return Period(start, end, "day", "range", title)


def _works(day: date) -> bool:
    return _table("CN", day.year).is_working_day(day)
