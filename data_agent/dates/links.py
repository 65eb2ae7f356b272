"""Words that tie dates together: lists hand a year on, "to" makes one range of two, "since" opens a side."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from data_agent.dates.frames import Fields, merged
from data_agent.dates.rules import Token

_GLUE = re.compile(r"\s*(?:的|中|里|of(?:\s+the)?|in|'s)?\s*(?:the\s+)?")
_COMMA = re.compile(r"\s*,\s*")
_TO = re.compile(
    r"\s*(?:一直到|直到|截至到|截止到|截至|截止|到了?|至|[-~]+|to|thru|through|until|till|up\s+to)\s*(?:the\s+)?"
)
_AND = re.compile(
    r"\s*(?:、|,|，|以及|和|与|跟|同|及|或者?|/|&|比|较|对比|相比|vs\.?|versus|and|or|against|than"
    r"|compared\s+(?:to|with)|,\s*and)\s*(?:the\s+|in\s+)?"
)


@dataclass(slots=True)
class Frame:
    """One date of the question. `tie` says how it hangs on the one before: "to", "and" or nothing.

    `own`: its own words gave a year, it was not lent by a neighbour. `year_first`: and they began with it.
    """

    start: int
    end: int
    what: Fields
    tie: str = ""
    own: bool = False
    year_first: bool = False

    @property
    def dated(self) -> bool:
        """Whether the words gave a year."""
        return bool(self.what.filled & {"year", "fiscal_year"})


def assemble(text: str, tokens: list[Token]) -> list[Frame]:
    """Tokens that stand side by side and fit become one date (2025年 + 3月 + 5日, Q1 + of + 2025)."""
    frames: list[Frame] = []
    for start, end, what in tokens:
        before = frames[-1] if frames else None
        both = merged(before.what, what) if before and _touch(text[before.end : start], what) else None
        if before and both:
            before.end, before.what = end, both
        else:
            frames.append(Frame(start, end, what, year_first=what.year is not None and what.month is None))
    frames = [frame for frame in frames if frame.what.filled != {"edge"}]
    for frame in frames:
        frame.own = frame.dated
    _tie(text, frames)
    return frames


def _touch(gap: str, what: Fields) -> bool:
    return bool(_GLUE.fullmatch(gap) or (_COMMA.fullmatch(gap) and what.filled == {"year"}))


def _tie(text: str, frames: list[Frame]) -> None:
    for before, frame in pairwise(frames):
        gap = text[before.end : frame.start]
        if _TO.fullmatch(gap) or (_AND.fullmatch(gap) and _between(text, before.start, frame.end)):
            frame.tie = "to" if before.tie != "to" else ""
        elif _AND.fullmatch(gap):
            frame.tie = "and"


def _between(text: str, start: int, end: int) -> bool:
    return bool(
        re.search(r"\bbetween\s+(?:the\s+)?$|介于\s*$", text[max(0, start - 40) : start])
        or re.match(r"\s*之间", text[end : end + 20])
    )


def share(frames: list[Frame], *, from_left: bool) -> None:
    """Hand years (and months, weeks) along a list: 2025年1月和2月, January and February 2025, 去年和今年3月."""
    pairs = list(pairwise(frames))
    lenders = [frames[n - 1] if n and frames[n].tie == "to" else frames[n] for n in range(len(frames) - 1)]
    lent = list(zip(lenders, frames[1:], strict=True))  # 1月到3月、7月到9月: the year stands with the first month
    for before, frame in lent if from_left else []:
        _from_left(before, frame)
    for before, frame in reversed(pairs):
        _from_right(before, frame)
    for before, frame in [] if from_left else lent:
        _from_left(before, frame)


def _from_left(before: Frame, frame: Frame) -> None:
    if frame.tie != "and" or frame.dated or before.what.period:
        return
    for slots in (("year", "month"), ("year",), ("fiscal_year",), ("month",), ("week_of",)):
        given = {name: getattr(before.what, name) for name in slots}
        lent = merged(Fields(**given), frame.what) if None not in given.values() else None
        if lent and _same_kind(before.what, frame.what, given):
            frame.what = lent
            return


def _same_kind(before: Fields, what: Fields, given: dict[str, object]) -> bool:
    """A month is handed on from a day only, and a week to a weekday only."""
    if "month" in given and (before.day is None or what.day is None):
        return False
    return "week_of" not in given or what.weekday is not None


def _from_right(before: Frame, frame: Frame) -> None:
    if not frame.tie or not frame.dated or before.what.period or before.what.ago:
        return
    if not before.dated and before.what.filled:
        lent = merged(Fields(year=frame.what.year, fiscal_year=frame.what.fiscal_year), before.what)
        before.what = lent or before.what
    elif frame.tie == "and" and before.what.filled == {"year"} and frame.year_first and frame.what.filled > {"year"}:
        before.what = replace(frame.what, year=before.what.year)
