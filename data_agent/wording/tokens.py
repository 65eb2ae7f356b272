"""Text to search tokens: words of names in any case style, Chinese as overlapping pairs."""

import re
import unicodedata
from functools import lru_cache

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PIECES = re.compile(r"[a-z]+|\d+|[\u3400-\u4dbf\u4e00-\u9fff]+|[^\W\d_]+")


def fold(text: str) -> str:
    """Full width to half width, letter case away, runs of white space to one blank."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def spelled_out(name: str) -> str:
    """A name as words: `CamelCase`, `snake_case` and dots become blanks."""
    return " ".join(re.sub(r"[_\W]+", " ", _CAMEL.sub(" ", name)).split()).casefold()


def is_han(char: str) -> bool:
    """Whether this is a Chinese character."""
    return "\u4e00" <= char <= "\u9fff" or "\u3400" <= char <= "\u4dbf"


@lru_cache(maxsize=50_000)
def tokens(text: str) -> tuple[str, ...]:
    """Lower-case words with the plural cut off, numbers, and overlapping pairs of Chinese characters."""
    pieces = _PIECES.findall(fold(_CAMEL.sub(" ", text)))
    return tuple(token for piece in pieces for token in _of_piece(piece))


def _of_piece(piece: str) -> list[str]:
    if is_han(piece[0]):
        return [piece[i : i + 2] for i in range(len(piece) - 1)] or [piece]
    return [singular(piece)]


def singular(word: str) -> str:
    """The word without its English plural ending; crude on purpose, both sides are cut alike."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
