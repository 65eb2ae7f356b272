"""The question's words for time, resolved to half-open ranges."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache
from typing import NamedTuple

from data_agent.dates import en, numeric, zh
from data_agent.dates.comparing import comparison_spans
from data_agent.dates.frames import Fields, settle
from data_agent.dates.labels import label
from data_agent.dates.links import Frame, assemble, share
from data_agent.dates.marks import recurring
from data_agent.dates.numerals import plain
from data_agent.dates.rules import scan
from data_agent.dates.spans import Moment, Period, Unit, add, moment_of
from data_agent.domain.language import Language, language_of
from data_agent.domain.time import CalendarSettings, Grain, TimeRange
from data_agent.errors import ImpossibleDate

RULES = (*numeric.RULES, *zh.RULES, *en.RULES)
FINENESS: tuple[Grain, ...] = ("day", "week", "month", "quarter", "year")

_TO_NOW = re.compile(
    r"\s*(?:(?:一直)?(?:到|至)\s*(?:现在|目前|今|当前|如今)(?:为止)?|迄今(?:为止)?|以来|截[至止](?:到)?(?:目前|现在)(?:为止)?"
    r"|(?:(?:up\s+)?(?:to|until|till|through)|-|~)\s*(?:date|now|the\s+present|present)\b|so\s+far\b)"
)
_ONWARD = re.compile(r"\s*(?:起|[及和](?:其)?(?:之后|以后)|开始(?!的)|on(?:wards?)?\b(?=\s*(?:$|[,?.]|by\b)))")
_FORWARD = re.compile(r"\s*(?:之后|以后|后(?!\s*[\d一二两三四五六七八九十几台续端勤缀]))")
_BACKWARD = re.compile(r"\s*(?:之前|以前|前(?!\s*[\d一二两三四五六七八九十百几端台十]))")
_UP_TO = re.compile(r"\s*(?:为止|[及和](?:其)?(?:之前|以前))")
_CLOSING = re.compile(r"\s*(?:之间|期间|为止|这段时间)")

_SINCE = re.compile(r"(?:\b(?:ever\s+)?since\s+(?:the\s+)?|(?<!来)自从?\s*)$")
_UNTIL = re.compile(
    r"(?:\b(?:until|till|up\s+to|through|no\s+later\s+than|as\s+of|on\s+or\s+before)\s+(?:the\s+)?|不晚于\s*|(?:截至|截止)到?\s*|直到\s*|(?<![达得收看买做])到\s*)$"
)
_BEFORE = re.compile(
    r"(?:\b(?:(?<!or )before|prior\s+to|(?<!no )(?<!not )earlier\s+than)\s+(?:the\s+)?|(?<!不)早于\s*)$"
)
_AFTER = re.compile(r"(?:\b(?:(?<!or )after|(?<!no )(?<!not )later\s+than)\s+(?:the\s+)?|(?<!不)晚于\s*)$")
_NOT_BEFORE = re.compile(r"(?:\b(?:(?:no|not)\s+earlier\s+than|on\s+or\s+after)\s+(?:the\s+)?|不早于\s*)$")
_NOTHING = re.compile(r"(?!)")
_FROM = re.compile(r"(?:\b(?:from|between)\s+(?:the\s+)?|自从?\s*|从\s*|介于\s*)$")


_SIDES = (
    (_BEFORE, _BACKWARD, "before"),
    (_AFTER, _FORWARD, "after"),
    (_FROM, _ONWARD, "from"),
    (_UNTIL, _UP_TO, "until"),
    (_NOT_BEFORE, _NOTHING, "from on"),
)


class Question(NamedTuple):
    """The text as typed, the same in plain characters (equal offsets), and its day."""

    text: str
    line: str
    moment: Moment


class Bounds(NamedTuple):
    """A resolved phrase with the place it takes in the text; None is an open side."""

    start: date | None
    end: date | None
    grain: Grain
    unit: Unit
    title: str
    left: int
    right: int


def resolve(text: str, now: datetime, calendar: CalendarSettings) -> list[TimeRange]:
    """The ranges that `text` names, in order. Conventions: docs/dates.md.

    Phrases of a comparison (去年同期, vs last year) and of a rhythm (每月, every Monday) are not among them.
    Raises: ImpossibleDate, AmbiguousDate, InvalidSettings.
    """
    moment = moment_of(now, calendar)
    return list(_resolve(text, moment.today, calendar))


@lru_cache(maxsize=512)
def _resolve(text: str, today: date, calendar: CalendarSettings) -> tuple[TimeRange, ...]:
    question, language = Question(text, plain(text), Moment(today, calendar)), language_of(text)
    closed = [*comparison_spans(text), *recurring(question.line)]
    frames = assemble(question.line, scan(question.line, RULES, question.moment, closed))
    frames = [frame for frame in frames if _stands(question.line, frame, frames)]
    share(frames, from_left=language == "zh")
    return tuple(_range(text, bounds, language, calendar) for bounds in _apart(_linked(question, frames)))


def _stands(text: str, frame: Frame, frames: list[Frame]) -> bool:
    """A weekday beside other dates is a condition on them, and "first 3 months" of nothing is nothing."""
    filled = frame.what.filled
    if filled == {"weekday"}:
        return len(frames) == 1 or bool(frame.tie) or any(other.tie for other in frames)
    if filled == {"part"}:
        return not text[frame.start : frame.end].isascii() and not (frame.what.part or (0, "day", True))[2]
    return True


def _linked(question: Question, frames: list[Frame]) -> list[Bounds]:
    found: list[Bounds] = []
    index = 0
    while index < len(frames):
        following = frames[index + 1] if index + 1 < len(frames) else None
        if following is not None and following.tie == "to":
            found.append(_pair(question, frames[index], following))
            index += 2
        else:
            found.append(_single(question, frames[index]))
            index += 1
    return found


def _apart(found: list[Bounds]) -> Iterator[Bounds]:
    """What begins inside an earlier phrase took a word of it (去年之前1月1日 holds no 前1月)."""
    end = 0
    for bounds in found:
        if bounds.left >= end:
            end = bounds.right
            yield bounds


def _pair(question: Question, first: Frame, last: Frame) -> Bounds:
    text, moment = question.line, question.moment
    words = question.text[first.start : last.end]
    begin, finish = _ends(first, last, moment, words)
    grain = _to_date_grain(first, moment) or FINENESS[min(map(FINENESS.index, (begin.grain, finish.grain)))]
    if finish.end < begin.start:
        if not add(moment.today, -1, "day") <= finish.start <= moment.today:
            raise ImpossibleDate(
                f"「{words}」的结束早于开始 / The range ends before it starts: {words}",
                hint="请交换两个日期 / Please swap the two dates.",
            )
        finish = finish._replace(end=begin.start)  # 月初到昨天 on the 1st: no complete day yet, which is no mistake
    left, right = _before(_FROM, text, first.start), _after(_CLOSING, text, last.end)
    return Bounds(begin.start, finish.end, grain, "range", "", left, right)


def _ends(first: Frame, last: Frame, moment: Moment, words: str) -> tuple[Period, Period]:
    """Both ends as periods; what the one does not say is taken from the other, so that the end comes after."""
    begin = settle(first.what, moment, words, anchor=True)
    finish = begin
    for what in _continuations(first, last, begin):
        finish = settle(what, moment, words, anchor=True)
        if finish.start >= begin.start:
            return begin, finish
    if last.own and first.what.year is not None and not first.own:
        begin = settle(replace(first.what, year=first.what.year - 1), moment, words)
    return begin, finish


def _continuations(first: Frame, last: Frame, begin: Period) -> Iterator[Fields]:
    what, start = last.what, begin.start
    if last.own or what.filled & {"period", "ago", "week_of"}:
        yield what
    elif what.filled <= {"day", "tenth"}:
        yield replace(what, year=start.year, month=start.month)
        if first.what.month is None:
            following = add(start.replace(day=1), 1, "month")
            yield replace(what, year=following.year, month=following.month)
    elif what.weekday is not None:
        yield replace(what, week_of=first.what.week_of)
    elif first.what.fiscal_year is not None:
        yield replace(what, fiscal_year=first.what.fiscal_year)
    else:
        yield replace(what, year=start.year)
        yield replace(what, year=start.year + 1)


def _single(question: Question, frame: Frame) -> Bounds:
    """One date, or a range with one side given by the words around it: since, from … on, until, before, after."""
    text, moment, left, right = question.line, question.moment, frame.start, frame.end
    words = question.text[left:right]
    anchor = settle(frame.what, moment, words, anchor=True)
    since = _before(_SINCE, text, left)
    if (end := _after(_TO_NOW, text, right)) > right or (since < left and _after(_ONWARD, text, right) == right):
        grain = _to_date_grain(frame, moment) or anchor.grain
        start = min(since, _before(_FROM, text, left))
        return Bounds(anchor.start, max(anchor.start, moment.tomorrow), grain, "range", "", start, end)
    for pattern_before, pattern_after, side in _SIDES:
        start = _before(pattern_before, text, left)
        end = _after(pattern_after, text, right)
        if end > right or (start < left and side != "from"):
            bounds = {"before": (None, anchor.start), "after": (anchor.end, None)}.get(side)
            low, high = bounds or ((anchor.start, None) if side.startswith("from") else (None, anchor.end))
            return Bounds(low, high, anchor.grain, "range", "", start, end)
    return Bounds(*settle(frame.what, moment, words), left, right)


def _to_date_grain(frame: Frame, moment: Moment) -> Grain | None:
    """月初 until some day is a month to date, 年初 until some day a year to date."""
    if frame.what.edge != "start":
        return None
    return settle(replace(frame.what, edge=None), moment, "").grain


def _before(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where the phrase begins once the words in front that match belong to it."""
    begin = max(0, at - 40)
    match = pattern.search(text[begin:at])
    return begin + match.start() if match else at


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where the phrase ends once the words behind that match belong to it."""
    match = pattern.match(text, at)
    return match.end() if match else at


def _range(text: str, bounds: Bounds, language: Language, calendar: CalendarSettings) -> TimeRange:
    start, end, grain, unit, title, left, right = bounds
    name = title or label(start, end, unit, language, calendar)
    return TimeRange(words=text[left:right], start=start, end=end, grain=grain, label=name, span=(left, right))
