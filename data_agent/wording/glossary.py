"""Words that data is named with, in Chinese and English, so that a question in one finds names in the other."""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files

import yaml

from data_agent.wording.tokens import is_han, tokens

_LONGEST = 8


@cache
def pairs() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Chinese word → English tokens, and English token → Chinese words."""
    lines: dict[str, str] = yaml.safe_load(files(__package__).joinpath("glossary.yaml").read_text(encoding="utf-8"))
    english: dict[str, list[str]] = {}
    chinese: dict[str, list[str]] = {}
    for left, right in lines.items():
        for word in left.split():
            english.setdefault(word, []).extend(tokens(right))
        for token in tokens(right):
            chinese.setdefault(token, []).extend(left.split())
    return {k: tuple(dict.fromkeys(v)) for k, v in english.items()}, {k: tuple(v) for k, v in chinese.items()}


@lru_cache(maxsize=20_000)
def translated(text: str) -> tuple[str, ...]:
    """Tokens of the other language for every known word in `text`; the longest word wins at each place."""
    english, chinese = pairs()
    found = [token for word in _known(text, english) for token in english[word]]
    found += [pair for token in tokens(text) for word in chinese.get(token, ()) for pair in tokens(word)]
    return tuple(dict.fromkeys(found))


def spoken(words: Iterable[str]) -> set[str]:
    """Every token that the words say, in both languages."""
    return {token for word in words for token in (*tokens(word), *translated(word))}


def _known(text: str, known: dict[str, tuple[str, ...]]) -> Iterator[str]:
    start = 0
    while start < len(text):
        if not is_han(text[start]):
            start += 1
            continue
        word = next((text[start : start + n] for n in range(_LONGEST, 0, -1) if text[start : start + n] in known), "")
        if word:
            yield word
        start += len(word) or 1
