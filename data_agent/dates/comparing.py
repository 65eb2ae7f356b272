"""Comparison words: 同比, 环比, 去年同期, year over year, vs last month. They say how to compare, not which range."""

import re
from typing import Literal, NamedTuple

from data_agent.dates.numerals import plain

Comparison = Literal["yoy", "mom"]
Span = tuple[int, int]

# the 日 of 10日环比 belongs to the day, the 日 of 日环比 to the comparison
_ZH_RHYTHM = r"(?:(?<![\d零一二三四五六七八九十个今本上去这当前半年月])[年季月周日])"
_ZH_PERIOD = (
    r"上一?个?月|上一?个?周|上一?个?星期|上一?个?季度"
    r"|昨天|昨日|前一天|前一日|前一周|前一个?月|前一个?季度|上一?期|前一?期"
)
# 比去年3月 names a range of its own and is left to the resolver
_ZH_ALONE = (
    r"(?!的?\s*(?:\d|[一二三四五六七八九十]{1,3}[月季]|第|q|h\d|[上下]半|"
    r"双|春节|国庆|中秋|端午|五一|元旦|全年|年?[底末初]|[上中下]旬))"
)
_ZH_THAN = r"(?:相?比于?|相?较于?|对比|环比|同比)\s*"
_ZH_WITH = r"(?:与|和|跟|同)\s*"
_ZH_END = r"\s*(?:相比较?|对比|比较|相较|比)"
_ZH_LAST_YEAR = r"(?:去年|上一?年度?|前一年)"
_EN_AGAINST = r"(?:vs\.?|versus|against|compared\s+(?:to|with)|relative\s+to|than)\s+(?:the\s+)?"
_EN_CHANGE = (
    r"(?:(?<=up )|(?<=rew )|(?<=own )|(?<=ase )|(?<=wth )|(?<=ged )|(?<=nge )|(?<=row ))"
    r"(?:from|over|on|since)\s+(?:the\s+)?"
)
_EN_PERIOD = (
    r"(?:last|previous|prior|preceding)\s+(?:day|week|month|quarter|period)(?:'s)?|yesterday"
    r"|(?:day|week|month|quarter)\s+before(?!\s+last)"
)
_EN_ALONE = r"(?!'s\s+(?:q\d|h\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|christmas|black))(?!\s+(?:q\d|h\d|\d))"

_YOY = re.compile(
    rf"(?:{_ZH_THAN}|{_ZH_WITH})?{_ZH_LAST_YEAR}的?(?:同期|同月|同季度?|同日|同周|同比)(?:{_ZH_END})?"
    rf"|{_ZH_THAN}{_ZH_LAST_YEAR}{_ZH_ALONE}|{_ZH_WITH}{_ZH_LAST_YEAR}{_ZH_END}"
    rf"|{_ZH_RHYTHM}?同比|(?<![\d年月日周季天])(?:历史)?同期"
    r"|\b(?:yoy|y/y|y-o-y|year[\s-](?:over|on|to)[\s-]year)\b"
    rf"|\b(?:{_EN_AGAINST})?(?:in\s+|for\s+|from\s+)?(?:the\s+)?same\s+(?:period|time|day|date|week|month|quarter)s?\s+(?:of\s+|in\s+|from\s+)?(?:the\s+)?(?:last|previous|prior)\s+year\b"
    rf"|\b{_EN_AGAINST}(?:last\s+year|(?:a|one)\s+year\s+(?:ago|earlier|before)|the\s+year\s+before|(?:previous|prior)\s+year)\b{_EN_ALONE}"
    rf"|\b{_EN_CHANGE}(?:last\s+year|a\s+year\s+(?:ago|earlier)|(?:previous|prior)\s+year)\b{_EN_ALONE}"
    r"|\ba\s+year\s+earlier\b|\b(?:prior|previous)[\s-]year\s+period\b"
)
_MOM = re.compile(
    rf"(?:{_ZH_THAN}|{_ZH_WITH})?(?:{_ZH_PERIOD})的?同期(?:{_ZH_END})?"
    rf"|{_ZH_THAN}(?:{_ZH_PERIOD}){_ZH_ALONE}|{_ZH_WITH}(?:{_ZH_PERIOD}){_ZH_END}|{_ZH_RHYTHM}?环比"
    r"|\b(?:m/m|m-o-m|q/q|w/w|(?:day|week|month|quarter|period)[\s-](?:over|on|to)[\s-](?:day|week|month|quarter|period))\b"
    r"|\b(?:qoq|mom)\b(?!\s+and\s+dad)"
    rf"|\b(?:{_EN_AGAINST})?(?:the\s+)?same\s+(?:period|time|day|date)\s+(?:of\s+)?(?:the\s+)?(?:last|previous|prior)\s+(?:week|month|quarter)\b"
    rf"|\b(?:{_EN_AGAINST}|{_EN_CHANGE})(?:{_EN_PERIOD})\b{_EN_ALONE}"
)
_SHOUTED = re.compile(r"\b(?:WoW|WOW|DoD)\b")
# 2024年同期 compares with a year of its own, which is neither: closed to the resolver, and nobody claims it
_OTHER = re.compile(r"(?:(?:19|20)\d\d|前)年的?(?:同期|同月|同季度?|同日)")
_UNITS = {
    "day": re.compile(r"[今昨]天|[今昨]日|当[天日]|\d\s*[日号]|\b(?:today|yesterday|day)\b"),
    "week": re.compile(r"周(?!边|年|围)|星期|\bweek"),
    "month": re.compile(r"月|\b(?:months?|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"),
    "quarter": re.compile(r"季|q[1-4]|\bquarter"),
}


class Marker(NamedTuple):
    """A comparison word: its place, its words and what it asks for."""

    span: Span
    words: str
    comparison: Comparison


def comparisons(text: str) -> list[Marker]:
    """The comparison words of `text`: "yoy" against a year before, "mom" against the period before of the same grain.

    `resolve` leaves them out; `base_range` turns the current range and the comparison into the range to compare with.
    """
    line = plain(text)
    found = [(match.span(), "yoy") for match in _YOY.finditer(line)]
    found += [(match.span(), "mom") for match in _MOM.finditer(line) if _fits(match, line)]
    found += [(match.span(), "mom") for match in _SHOUTED.finditer(text)]
    markers: list[Marker] = []
    for (start, end), kind in sorted(found, key=lambda item: (item[0][0], -item[0][1])):
        if not markers or start >= markers[-1].span[1]:
            markers.append(Marker((start, end), text[start:end], "yoy" if kind == "yoy" else "mom"))
    return markers


def comparison_spans(text: str) -> list[Span]:
    """Where the resolver must not look for ranges."""
    return [marker.span for marker in comparisons(text)] + [match.span() for match in _OTHER.finditer(plain(text))]


def unit_of(words: str) -> str | None:
    """The unit that comparison words name themselves (比上个月: month), if any."""
    line = plain(words)
    return next((unit for unit, pattern in _UNITS.items() if pattern.search(line)), None)


def _fits(match: re.Match[str], line: str) -> bool:
    """3月5日比上周 sets a day against a week: two ranges then, and no "period before"."""
    unit = unit_of(match[0])
    rest = line[: match.start()] + " " + line[match.end() :]
    others = {name for name, pattern in _UNITS.items() if pattern.search(rest)}
    return unit is None or not others or unit in others
