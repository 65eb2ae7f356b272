"""How English names dates: tables of words and the rules made of them."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from data_agent.dates.festivals import Named
from data_agent.dates.frames import Edge, Fields, Part, settle
from data_agent.dates.numerals import EN, full_year, number
from data_agent.dates.rules import Read, Rule, before, current, nearest_edge, rule
from data_agent.dates.spans import (
    Moment,
    Period,
    Unit,
    add,
    completed,
    containing,
    relative,
    rolling,
    starting,
    upcoming,
    year_start,
)

UNITS: dict[str, Unit] = {
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "half year": "half",
    "half-year": "half",
    "year": "year",
    "fiscal year": "fiscal_year",
    "financial year": "fiscal_year",
    "fiscal quarter": "fiscal_quarter",
    "fiscal half": "fiscal_half",
}
DAYS = {
    "today": 0,
    "yesterday": -1,
    "the day before yesterday": -2,
    "day before yesterday": -2,
    "tomorrow": 1,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
}
OFFSETS = {
    "this": 0,
    "current": 0,
    "the current": 0,
    "last": -1,
    "previous": -1,
    "prior": -1,
    "next": 1,
    "the coming": 1,
}
MONTHS = {
    name: index
    for index, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
WEEKDAYS = {
    name: index
    for index, name in enumerate(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"), 1)
}
FESTIVALS = {
    "new year's day": "new_year",
    "new year's eve": "new_year_eve",
    "spring festival": "spring",
    "chinese new year's eve": "spring_eve",
    "chinese new year": "spring",
    "lunar new year": "spring",
    "lantern festival": "lantern",
    "valentine's day": "valentine",
    "women's day": "women",
    "qingming": "qingming",
    "tomb-sweeping day": "qingming",
    "tomb sweeping day": "qingming",
    "may day": "labour",
    "mother's day": "mother",
    "children's day": "children",
    "father's day": "father",
    "dragon boat festival": "dragon_boat",
    "mid-autumn festival": "mid_autumn",
    "mid autumn festival": "mid_autumn",
    "national day": "national",
    "golden week": "national",
    "halloween": "halloween",
    "singles' day": "double_11",
    "singles day": "double_11",
    "double 11": "double_11",
    "double eleven": "double_11",
    "double 12": "double_12",
    "double twelve": "double_12",
    "thanksgiving": "thanksgiving",
    "black friday": "black_friday",
    "cyber monday": "cyber_monday",
    "christmas eve": "christmas_eve",
    "christmas": "christmas",
    "xmas": "christmas",
}
TO_DATE: dict[str, Unit] = {"y": "year", "q": "quarter", "m": "month", "w": "week", "fy": "fiscal_year"}
ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 4}


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_COUNTED = rf"(?:(?P<n>{EN}|an?)\s+(?P<u>{_any(UNITS)})s?|half\s+(?:an?|the)\s+(?P<h>year))\b"
_MONTH = rf"(?P<m>{_any(MONTHS)})\b\.?"
_ORDINAL = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?(?![\w.%]|,\d|:\d)"
_ORDINAL_BEFORE = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_FIRST_FOUR = "first|1st|second|2nd|third|3rd|fourth|4th"
_MONTH_START = r"(?<![\w@./'-])"
_NOT_TOP = r"(?<!top )(?<!first )(?<!last )(?<!bottom )(?<!best )(?<![\w.-])"
_INSIDE = r"\s+(?:of|in)\s+(?:the\s+)?(?:(?:19|20)\d\d|last|this|next|q\d|fy|h\d|current|previous|" + _any(MONTHS) + ")"
_CONTAINER = rf"(?={_INSIDE}|\s+(?:of|in)\s+(?:the\s+)?\d)"
_MAY_BEFORE = re.compile(
    r"\b(?:in|of|since|until|till|for|during|by|before|after|and|to|from|through|between|vs|or|-|,|~)\s*$"
)
_MAY_AFTER = re.compile(r",?\s*(?:\d|of\b|and\b|to\b|-|'s\b|,|$)")


def _count(match: re.Match[str]) -> tuple[int, Unit]:
    return (1, "half") if match["h"] else (number(match["n"]), UNITS[match["u"]])


def _spanning(make: Callable[[Moment, int, Unit], Period]) -> Read:
    return lambda match, moment: Fields(period=make(moment, *_count(match))) if _count(match)[0] else None


def _month(match: re.Match[str], _: Moment) -> Fields | None:
    """ "may" is a month only where a month can stand."""
    name = match["m"]
    ahead, after = before(match), match.string[match.end() :]
    if name in ("may", "mar", "sep", "dec", "jan") and not (_MAY_BEFORE.search(ahead) or _MAY_AFTER.match(after)):
        return None if name == "may" else Fields(month=MONTHS[name])
    return Fields(month=MONTHS[name])


def _month_day(match: re.Match[str], _: Moment) -> Fields:
    return Fields(month=MONTHS[match["m"]], day=int(match["d"]))


def _placed_month(match: re.Match[str], moment: Moment) -> Fields:
    """ "last March" is the latest March that is over, "this March" this year's, "next March" the first to come."""
    month, word = MONTHS[match["m"]], match["w"]
    if word == "this":
        return Fields(year=moment.today.year, month=month)
    begun = settle(Fields(month=month), moment, match[0])
    if word == "next":
        return Fields(year=begun.start.year + 1, month=month)
    return Fields(year=begun.start.year - (begun.end > moment.today), month=month)


def _placed_weekday(match: re.Match[str], moment: Moment) -> Fields:
    """ "last Monday" is the latest before today, "next Monday" the first after it, "this Monday" this week's."""
    day, word = WEEKDAYS[match["d"]], match["w"]
    if word == "this":
        return Fields(week_of=relative(moment, "week", 0).start, weekday=day)
    gap = (
        (moment.today.isoweekday() - day) % 7 or 7 if word == "last" else -((day - moment.today.isoweekday()) % 7 or 7)
    )
    return Fields(period=containing(add(moment.today, -gap, "day"), "day", moment.calendar))


def _weekend(match: re.Match[str], moment: Moment) -> Fields:
    week = relative(moment, "week", OFFSETS[match["w"]]).start
    return Fields(period=starting(add(week, (5 - week.weekday()) % 7, "day"), "day", 2))


def _past(match: re.Match[str], moment: Moment) -> Fields:
    return Fields(period=rolling(moment, 1, UNITS[match["u"]]))


def _to_date(match: re.Match[str], moment: Moment) -> Fields:
    word = match["s"] or match["u"]
    whole = relative(moment, TO_DATE[word] if match["s"] else UNITS[word], 0)
    return Fields(period=Period(whole.start, moment.tomorrow, whole.grain))


def _festival(match: re.Match[str], moment: Moment) -> Fields:
    """ "this Christmas" is this year's, "next Christmas" the first to come; else the latest unless a year follows."""
    what = Fields(festival=Named(FESTIVALS[match["f"]], "break" if match["x"] else "usual", "en"))
    if match["w"] == "next":
        return replace(what, year=settle(what, moment, match[0]).start.year + 1)
    return replace(what, year=moment.today.year) if match["w"] == "this" else what


def _part(match: re.Match[str], _: Moment) -> Fields:
    return Fields(part=Part(*_count(match), from_end=match["w"] != "first"))


def _single_part(match: re.Match[str], _: Moment) -> Fields:
    """The last month of 2025; a week of a month is its first or last seven days."""
    return Fields(part=Part(1, UNITS[match["u"]], from_end=match["w"] != "first"))


def _edge(match: re.Match[str], moment: Moment) -> Fields:
    edge: Edge = "end" if match["e"] == "end" else "start"
    return replace(current(moment, UNITS[match["u"]], 0), edge=edge) if match["u"] else Fields(edge=edge)


def _hyphenated_edge(match: re.Match[str], moment: Moment) -> Fields:
    """ "year-end 2025" belongs to its year, a bare "year-end" is the latest."""
    edge: Edge = "end" if match["e"] == "end" else "start"
    return Fields(edge=edge) if match["y"] is not None else nearest_edge(moment, UNITS[match["u"]], edge)


def _ordinal_quarter(match: re.Match[str], _: Moment) -> Fields:
    return Fields(quarter=ORDINALS[match["q"] or match["r"]])


def _named_unit(match: re.Match[str], _: Moment) -> Fields:
    value = number(match["n"])
    return {"week": Fields(week=value), "wk": Fields(week=value), "month": Fields(month=value)}.get(
        match["u"], Fields(quarter=value)
    )


RULES: tuple[Rule, ...] = (
    rule(rf"\b(?:{_any(DAYS)})\b", lambda m, now: current(now, "day", DAYS[m[0]])),
    rule(
        rf"\b(?:the\s+)?(?P<o>{_any(OFFSETS)})\s+(?P<u>{_any(UNITS)})\b(?!\s+(?:over|on)\b)(?!{_INSIDE})",
        lambda m, now: current(now, UNITS[m["u"]], OFFSETS[m["o"]]),
    ),
    rule(rf"\b(?:the\s+)?(?P<u>{_any(UNITS)})\s+before\s+last\b", lambda m, now: current(now, UNITS[m["u"]], -2)),
    rule(rf"\b(?:the\s+)?(?:past|trailing)\s+(?P<u>{_any(UNITS)})\b", _past),
    rule(rf"\b(?:the\s+)?(?:last|past|trailing|rolling|recent|most recent)[\s-]+{_COUNTED}", _spanning(rolling)),
    rule(rf"\b(?:the\s+)?(?:previous|prior)\s+{_COUNTED}", _spanning(completed)),
    rule(
        rf"\b(?:the\s+)?(?:last|past)\s+(?P<n>{EN})\s+(?:full|complete|completed|whole)\s+(?P<u>{_any(UNITS)})s?\b(?P<h>)",
        _spanning(completed),
    ),
    rule(rf"\b(?:the\s+)?(?:next|coming|following)\s+{_COUNTED}", _spanning(upcoming)),
    rule(rf"\b{_COUNTED}\s+ago\b", lambda m, _: Fields(ago=_count(m)) if _count(m)[0] else None),
    rule(rf"\b(?:the\s+)?(?P<w>first|last)\s+{_COUNTED}{_CONTAINER}", _part),
    rule(rf"\b(?:the\s+)?(?P<w>first|last)\s+(?P<u>day|month)\b{_CONTAINER}", _single_part),
    rule(rf"\b(?:the\s+)?(?P<w>first|last)\s+(?P<u>week)\b(?=\s+(?:of|in)\s+(?:{_any(MONTHS)})\b)", _single_part),
    rule(r"\b(?:ltm|ttm)\b", lambda _, now: Fields(period=rolling(now, 12, "month"))),
    rule(rf"\b(?:(?P<s>fy|[yqmw])td|(?P<u>{_any(UNITS)})[\s-]to[\s-]date)\b", _to_date),
    rule(rf"{_MONTH_START}{_MONTH}", _month),
    rule(rf"{_MONTH_START}{_MONTH}\s+(?:the\s+)?{_ORDINAL}", _month_day),
    rule(rf"{_NOT_TOP}(?:the\s+)?{_ORDINAL_BEFORE}\s+(?:of\s+)?{_MONTH}", _month_day),
    rule(rf"\b(?P<w>last|this|next)\s+{_MONTH}(?!\s+\d{{1,2}}\b)", _placed_month),
    rule(rf"\b(?P<w>last|this|next)\s+(?P<d>{_any(WEEKDAYS)})\b", _placed_weekday),
    rule(rf"(?<!every )(?<!each )\b(?P<d>{_any(WEEKDAYS)})\b", lambda m, _: Fields(weekday=WEEKDAYS[m["d"]])),
    rule(r"\b(?P<w>last|this|next)\s+weekend\b", _weekend),
    rule(
        rf"\b(?:the\s+)?(?P<q>{_any(ORDINALS)})\s+quarter\b(?=\s+(?:of|in)\b)|\b(?:the\s+)?(?P<r>{_FIRST_FOUR})\s+quarter\b",
        _ordinal_quarter,
    ),
    rule(r"\b(?:the\s+)?(?P<h>first|1st|second|2nd)\s+half(?:\s+year)?\b", lambda m, _: Fields(half=ORDINALS[m["h"]])),
    rule(r"\b(?P<u>week|wk|month|quarter)\s+(?P<n>\d{1,2})(?![\w.])", _named_unit),
    rule(r"\bthe\s+(?P<n>\d{1,2})(?:st|nd|rd|th)\s+week\b", lambda m, _: Fields(week=int(m["n"]))),
    rule(
        r"\b(?:fiscal|financial)(?:\s+year)?\s+(?P<y>(?:19|20|21)\d\d)(?!\d)",
        lambda m, _: Fields(fiscal_year=full_year(m["y"])),
    ),
    rule(
        r"\b(?P<y>(?:19|20|21)\d\d)\s+(?:fiscal|financial)\s+year\b", lambda m, _: Fields(fiscal_year=full_year(m["y"]))
    ),
    rule(
        r"\b(?:the\s+)?(?P<y>(?:19|20)\d0)'?s\b",
        lambda m, _: Fields(period=starting(year_start(int(m["y"])), "year", 10)),
    ),
    rule(
        rf"(?<!\w)(?:(?P<w>last|this|next)\s+)?(?P<f>{_any(FESTIVALS)})(?!\w)(?P<x>\s+(?:holidays?|break|vacation))?",
        _festival,
    ),
    rule(
        r"(?<![\w.#$])618(?=\s+(?:sales?|festival|revenue|shopping|promotion|campaign|orders)\b)",
        lambda *_: Fields(festival=Named("618", language="en")),
    ),
    rule(r"\b(?:the\s+)?(?P<e>end|start|beginning)\s+of(?:\s+(?:the|this)\s+(?P<u>month|quarter|year))?\b", _edge),
    rule(
        r"\b(?:the\s+)?(?P<u>month|quarter|year)[\s-](?P<e>end|start)\b(?P<y>(?=\s+(?:of\s+)?(?:19|20)\d\d))?",
        _hyphenated_edge,
    ),
)
