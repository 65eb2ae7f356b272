"""Numbers as people write them: 20万, 1.5亿, 10k, 2 million, 30%, top 十."""

import re
from typing import NamedTuple

from data_agent.reading.text import fold

_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
_SCALES: dict[str, float] = {
    "千": 1e3,
    "k": 1e3,
    "thousand": 1e3,
    "w": 1e4,
    "万": 1e4,
    "十万": 1e5,
    "百万": 1e6,
    "m": 1e6,
    "mn": 1e6,
    "million": 1e6,
    "千万": 1e7,
    "亿": 1e8,
    "b": 1e9,
    "bn": 1e9,
    "billion": 1e9,
}
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = re.compile(
    r"(?<![\w.])[$¥€]?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*"
    r"(?P<scale>十万|百万|千万|千|万|亿|thousand\b|million\b|billion\b|(?:k|m|mn|w|b|bn)\b)?(?P<percent>\s*(?:%|percent\b))?"
    r"|(?<=[^\W\d_])(?<![a-z])(?P<after>\d+(?:\.\d+)?)(?P<after_scale>十万|百万|千万|千|万|亿|k\b|m\b|w\b)?(?P<after_percent>%)?(?![a-z\d])"
)
_HAN = re.compile(
    r"百分之([零一二两三四五六七八九十百]+|\d+(?:\.\d+)?)|(?<![\d.])([一二两三四五六七八九十百千]+)(万|亿)?(?=个|家|位|名|款|种|笔|类|条|单|元|块|次|人|件|$|的|大|[^\w])"
)
_TOP = re.compile(r"(?<=top)\d+")
_ENGLISH = re.compile(rf"\b({'|'.join(_WORDS)})\b")


class Number(NamedTuple):
    """A number with its offsets; `percent` tells 30 % (value 0.3) from 0.3."""

    start: int
    end: int
    value: float
    percent: bool = False


def _of(match: re.Match[str]) -> Number:
    digits = match["digits"] or match["after"]
    scale = match["scale"] or match["after_scale"] or ""
    percent = bool(match["percent"] or match["after_percent"])
    value = float(digits.replace(",", "")) * _SCALES.get(scale, 1.0)
    return Number(match.start(), match.end(), _exact(value / 100 if percent else value), percent)


def _exact(value: float) -> float:
    return round(value, 10)


def han_number(text: str) -> int:
    """十 → 10, 二十五 → 25, 一百 → 100."""
    total, digit = 0, 0
    for char in text:
        if char in _HAN_UNITS:
            total += (digit or 1) * _HAN_UNITS[char]
            digit = 0
        else:
            digit = _HAN_DIGITS[char]
    return total + digit


def _han(match: re.Match[str]) -> Number:
    if match[1]:
        value = float(match[1]) if match[1][0].isdigit() else han_number(match[1])
        return Number(match.start(), match.end(), _exact(value / 100), percent=True)
    return Number(match.start(), match.end(), han_number(match[2]) * _SCALES.get(match[3] or "", 1.0))


def numbers(question: str) -> list[Number]:
    """Every number of the question, in order of appearance per kind."""
    text = fold(question)
    found = [_of(match) for match in _NUMBER.finditer(text)]
    found += [Number(m.start(), m.end(), float(m[0])) for m in _TOP.finditer(text)]
    found += [_han(match) for match in _HAN.finditer(text)]
    found += [Number(m.start(), m.end(), float(_WORDS.index(m[1]) + 1)) for m in _ENGLISH.finditer(text)]
    return found
