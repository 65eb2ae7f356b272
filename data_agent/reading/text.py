"""Text as the reader sees it: folded one character to one, cut into tokens, English words without their plural."""

import re
from collections.abc import Iterable
from typing import NamedTuple

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x2019: 0x27, 0x2018: 0x27}
_TOKEN = re.compile(
    r"top(?=\d)|[0-9]+(?:\.[0-9]+)?%?(?![0-9a-z])|[0-9a-z\u00c0-\u024f]+|[\u3400-\u9fff]|>=|<=|!=|<>|[><=≥≤、,;:&/?!。？！+*]|[^\W_]"
)
_GAP = re.compile(r"[\s_\-'.·]*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SHORTEST_PLURAL = 4


class Piece(NamedTuple):
    """One token: character offsets in the question, its folded text and its stem."""

    start: int
    end: int
    text: str
    stem: str


def fold(text: str) -> str:
    """Lower case and half width, with every character in its place."""
    wide = text.translate(_WIDE)
    lowered = wide.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in wide)


def stem(word: str) -> str:
    """The word without an English plural; good enough to match names, never shown."""
    if word == "ids":
        return "id"
    if len(word) < _SHORTEST_PLURAL or not word.isascii() or not word.endswith("s"):
        return word
    if word.endswith("ies") and len(word) > _SHORTEST_PLURAL:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word[:-1]


def pieces(text: str) -> list[Piece]:
    """Tokens of a question: Latin words and numbers whole, every Han character alone."""
    folded = fold(text)
    found = (match.span() for match in _TOKEN.finditer(folded))
    return [Piece(start, end, folded[start:end], stem(folded[start:end])) for start, end in found]


def touches(text: str, before: Piece, after: Piece) -> bool:
    """Whether nothing but blanks or joiners stands between two tokens."""
    return _GAP.fullmatch(text, before.end, after.start) is not None


def key_of(name: str) -> tuple[str, ...]:
    """The stems a name is looked up by; snake_case counts as several words."""
    return tuple(piece.stem for piece in pieces(name))


def parts_of(key: Iterable[str]) -> set[str]:
    """What similar names share: each Han character, the first two letters of each other word."""
    return {token[:2] for token in key}


def camel_key(name: str) -> tuple[str, ...]:
    """The stems of a camelCase identifier taken apart."""
    return key_of(_CAMEL.sub(" ", name))


def plain_key(phrase: str) -> tuple[str, ...]:
    """The tokens of a function word, with its inflection kept."""
    return tuple(piece.text for piece in pieces(phrase))
