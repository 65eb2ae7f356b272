"""A rule reads one phrase into slots; scanning takes the longest phrase at each place."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from data_agent.dates.frames import Edge, Fields
from data_agent.dates.spans import Moment, Unit, fiscal_year_of, relative

Read = Callable[[re.Match[str], Moment], Fields | None]


class Rule(NamedTuple):
    """`read` may still say no (None) when the match turns out to be a quantity or a name."""

    pattern: re.Pattern[str]
    read: Read


class Token(NamedTuple):
    """A phrase at `start`-`end` of the text and what it says."""

    start: int
    end: int
    fields: Fields


def rule(pattern: str, read: Read) -> Rule:
    """A rule, compiled once."""
    return Rule(re.compile(pattern), read)


def scan(text: str, rules: Iterable[Rule], moment: Moment, closed: list[tuple[int, int]]) -> list[Token]:
    """The phrases of `text` from left to right, without overlap and outside the `closed` places."""
    found: list[tuple[int, int, re.Match[str], Read]] = []
    for pattern, read in rules:
        found += [(match.start(), -match.end(), match, read) for match in pattern.finditer(text)]
    found.sort(key=lambda item: item[:2])
    tokens: list[Token] = []
    reached = 0
    for start, minus_end, match, read in found:
        if start < reached or overlaps(closed, start, -minus_end):
            continue
        fields = read(match, moment)
        if fields is not None:
            tokens.append(Token(start, -minus_end, fields))
            reached = -minus_end
    return tokens


def overlaps(spans: Iterable[tuple[int, int]], start: int, end: int) -> bool:
    """Whether `start`-`end` touches one of the spans."""
    return any(start < other_end and other_start < end for other_start, other_end in spans)


def before(match: re.Match[str]) -> str:
    """The few characters in front of a match: enough to see what it hangs on."""
    return match.string[max(0, match.start() - 24) : match.start()]


def current(moment: Moment, unit: Unit, offset: int) -> Fields:
    """The unit `offset` from the current one, as slots, so that narrower words can still be added (上个月 + 5号)."""
    period = relative(moment, unit, offset)
    first = period.start
    if unit == "day":
        return Fields(year=first.year, month=first.month, day=first.day)
    if unit == "week":
        return Fields(week_of=first)
    if unit == "month":
        return Fields(year=first.year, month=first.month)
    if unit == "quarter":
        return Fields(year=first.year, quarter=(first.month + 2) // 3)
    if unit == "year":
        return Fields(year=first.year)
    if unit == "half":
        return Fields(year=first.year, half=1 if first.month == 1 else 2)
    fiscal_year = fiscal_year_of(first, moment.calendar)
    passed = (first.month - moment.calendar.fiscal_year_start) % 12
    if unit == "fiscal_year":
        return Fields(fiscal_year=fiscal_year)
    if unit == "fiscal_half":
        return Fields(fiscal_year=fiscal_year, half=passed // 6 + 1)
    return Fields(fiscal_year=fiscal_year, quarter=passed // 3 + 1)


def nearest_edge(moment: Moment, unit: Unit, edge: Edge) -> Fields:
    """The first day of the current unit, or the latest last day that has come: 月底 on the 15th is last month's."""
    come = edge == "start" or relative(moment, unit, 0).end == moment.tomorrow
    return replace(current(moment, unit, 0 if come else -1), edge=edge)
