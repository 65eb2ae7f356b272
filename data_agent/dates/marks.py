"""Words about time that are no range: rhythms (每月), kinds of day (周末) and the newest state (最新)."""

import re
from typing import Literal

from data_agent.dates.numerals import plain
from data_agent.domain.time import Grain

DayType = Literal[
    "workday", "weekend", "holiday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"
]
Span = tuple[int, int]

_ZH_UNITS: dict[str, Grain] = {
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "月": "month",
    "季": "quarter",
    "年": "year",
}
_EN_UNITS: dict[str, Grain] = {"da": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year"}
_WEEKDAYS: tuple[DayType, ...] = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_ZH_GRAIN = re.compile(
    r"(?:(?:每一?|[按逐各分](?:自然)?|哪一?)个?(?P<a>天|日|周|星期|月|季|年)(?:度|份)?(?![一二三四五六日末龄度]|中行|\d)"
    r"|(?<![本上下今去前明一二三四1234第这个年月每各财按逐分])(?P<b>日|周|月|季|年)度(?![假末初底])"
    r"|(?<![一二三四五六七八九十\d个本上下前这])(?P<c>月)份(?!额))"
)
_EN_GRAIN = re.compile(
    r"\b(?:(?:by|per|each|every|which|what|in\s+each|for\s+each)[\s-]+(?:calendar\s+|fiscal\s+)?(?P<a>day|week|month|quarter|year)"
    r"|(?P<b>dai|week|month|quarter|year)ly|(?P<c>annual)(?:ly)?|(?P<d>day|week|month|quarter|year)[\s-](?:by|after)[\s-](?P=d))\b"
)
_RECURRING = re.compile(
    r"每年(?:的)?(?=\S)(?:\d{1,2}|[一二三四五六七八九十]{1,2})月(?:\d{1,2}[日号])?|(?:每年|历年)(?:的)?(?:双\S{1,2}|国庆|春节|中秋|端午|五一|618|元旦)"
    r"|历年|每个?月(?:的)?\s*\d{1,2}\s*[日号]|(?:每个?|逢)(?:周|星期|礼拜)[一二三四五六日天](?!共)"
    r"|(?<![本上下这])(?:周|星期)[一二三四五六日天]\s*[到至~-]\s*(?:周|星期)[一二三四五六日天]"
    r"|\b(?:each|every)\s+(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|christmas|black friday)\b"
    r"|\bmonday\s+(?:to|through|-)\s+friday\b"
)
_DAY_TYPES: tuple[tuple[DayType, re.Pattern[str]], ...] = (
    ("weekend", re.compile(r"(?<![上下本这])(?<!这个)(?:周末|双休日)|(?<!last )(?<!this )(?<!next )\bweekends?\b")),
    ("workday", re.compile(r"工作日|平日|\b(?:workdays?|working days?|business days?|weekdays?)\b")),
    ("holiday", re.compile(r"(?:法定)?节假日|法定假日|\b(?:public |bank )?holidays\b")),
)
_RHYTHM_DAY = re.compile(
    r"(?:每个?|逢)(?:周|星期|礼拜)(?P<zh>[一二三四五六日天])(?!共)"
    r"|\b(?:(?:each|every)\s+(?P<a>\w+day)|(?:on\s+)?(?P<b>\w+day)s)\b"
)
_LATEST = re.compile(
    r"最新(?:一[期天月周年次])?|(?:(?<=^)|(?<=[,，、\s的]))(?:截[至止]到?|到)(?:目前|现在)(?:为止)?|(?<![到至止])(?:当前|目前|现在|现有|眼下|此刻)(?!的?(?:财年|季度|[周月年]))|最近一[次期]"
    r"|\b(?:latest|most recent|newest|currently|right now|as of now|at present|at the moment)\b(?!\s+\d)"
    r"|\bcurrent\b(?!\s+(?:fiscal|day|week|month|quarter|year))|(?<!to )(?<!until )(?<!till )(?<!- )(?<!-)\bnow\b"
)


def grains(text: str) -> list[tuple[Span, str, Grain]]:
    """Words that only name a grain (每月, 按周, monthly, by quarter): where, the words, the grain. Never a range."""
    line = plain(text)
    found: list[tuple[Span, str, Grain]] = []
    for match in _ZH_GRAIN.finditer(line):
        found.append((match.span(), text[slice(*match.span())], _ZH_UNITS[match["a"] or match["b"] or match["c"]]))
    for match in _EN_GRAIN.finditer(line):
        unit = match["a"] or match["b"] or match["d"] or "year"
        found.append((match.span(), text[slice(*match.span())], _EN_UNITS["da" if unit.startswith("da") else unit]))
    closed = recurring(line)
    return sorted(item for item in found if not _inside(item[0], closed))


def recurring(line: str) -> list[Span]:
    """Where a rhythm with a name stands (每年3月, every Monday, 周一到周五): its dates are no range."""
    return [match.span() for match in _RECURRING.finditer(line)]


def day_types(text: str) -> list[tuple[Span, str, DayType]]:
    """Words that keep days of a kind (周末, 工作日, weekends, every Monday): where, the words, the kind."""
    line = plain(text)
    found = [
        (match.span(), text[slice(*match.span())], kind)
        for kind, pattern in _DAY_TYPES
        for match in pattern.finditer(line)
    ]
    for match in _RHYTHM_DAY.finditer(line):
        kind = _weekday(match["zh"], match["a"] or match["b"])
        if kind:
            found.append((match.span(), text[slice(*match.span())], kind))
    return sorted(found)


def _weekday(zh: str | None, en: str | None) -> DayType | None:
    if zh:
        return _WEEKDAYS[("一二三四五六日".find(zh)) % 7]
    return next((day for day in _WEEKDAYS if day == en), None)


def latest(text: str) -> list[tuple[Span, str]]:
    """Words that ask for the newest state (最新, 当前, latest, current): where and the words."""
    line = plain(text)
    return [(match.span(), text[slice(*match.span())]) for match in _LATEST.finditer(line)]


def _inside(span: Span, closed: list[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in closed)
