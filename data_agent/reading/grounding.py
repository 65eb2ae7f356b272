"""Stored values in the question: which words they stand on and how surely."""

import re
from collections.abc import Iterator, Sequence

from data_agent.domain.value import Value
from data_agent.reading.lexicon import Lexicon, Thing
from data_agent.reading.text import Piece, fold, key_of
from data_agent.reading.trie import Trie
from data_agent.reading.words import roles

_SUFFIXES = (
    "特别行政区",
    "壮族自治区",
    "维吾尔自治区",
    "回族自治区",
    "自治区",
    "自治州",
    "市",
    "省",
    "区",
    "县",
    "州",
    "镇",
)
EXACT, SUFFIX, NEAR = 1.0, 0.9, 0.6
_TRUSTED = 0.75
_TELLING = 7
"""Letters from which on a part or neighbour of a name in another script may be meant."""
_NUMBER = re.compile(r"\d+")
Found = tuple[int, int, tuple[Thing, ...], tuple[str, ...]]


def ground(
    question: str, tokens: Sequence[Piece], joined: Sequence[bool], values: Sequence[Value], lexicon: Lexicon
) -> Iterator[Found]:
    """Every stretch a value stands on, as (first token, token after, things, notes)."""
    trie = _trie(values, lexicon)
    stems = [piece.stem for piece in tokens]
    for start in range(len(stems)):
        for end, found in trie.walk(stems, start, joined):
            said = question[tokens[start].start : tokens[end - 1].end]
            sure = tuple(value for value in found if value.score > NEAR)
            things = _things(sure or _unless_known(said, found, lexicon))
            things = tuple(thing for thing in things if not _is_small_word(said, thing))
            if things:
                yield start, end, things, _notes(said, things)


def _trie(values: Sequence[Value], lexicon: Lexicon) -> Trie[Value]:
    """Each value under its own text and under the word that found it; `score` becomes how surely they are one."""
    trie: Trie[Value] = Trie()
    for value in values:
        exact = value.model_copy(update={"score": EXACT})
        trie.add(key_of(value.text), exact)
        for suffix in _SUFFIXES:
            if value.text.endswith(suffix) and len(value.text) - len(suffix) >= 2:
                trie.add(key_of(value.text.removesuffix(suffix)), value.model_copy(update={"score": SUFFIX}))
                break
        for spoken in lexicon.synonyms.get(key_of(value.text)):
            trie.add(key_of(spoken), exact)
        if value.word:
            trie.add(key_of(value.word), value.model_copy(update={"score": _sureness(value)}))
    return trie


def _sureness(value: Value) -> float:
    word, text = fold(value.word).replace(" ", ""), fold(value.text).replace(" ", "")
    if word == text:
        return EXACT
    if any(text == word + suffix or word == text + suffix for suffix in _SUFFIXES):
        return SUFFIX
    if value.score < SUFFIX and set(_NUMBER.findall(word)) - set(_NUMBER.findall(text)):
        return 0.0  # a number says something of its own: 小米 2026年 is no name of 小米
    if word.isascii() and text.isascii() and text.startswith(word) and not _whole_words(value):
        return 0.0
    if word.isascii() and not text.isascii() and value.score < SUFFIX and len(word) < _TELLING:
        return 0.0  # it begins another name of the value: "mid" is not Midea 美的
    return NEAR if value.score >= _TRUSTED else 0.0


def _whole_words(value: Value) -> bool:
    """Whether the word ends where a word of the value does: "his" is no part of "history"."""
    said, held = key_of(value.word), key_of(value.text)
    return said == held[: len(said)]


def _unless_known(said: str, found: Sequence[Value], lexicon: Lexicon) -> tuple[Value, ...]:
    """A near value counts only for a word that means nothing else."""
    near = tuple(value for value in found if value.score >= NEAR)
    return () if lexicon.lookup(said) or roles().get(key_of(said)) else near


def _things(values: Sequence[Value]) -> tuple[Thing, ...]:
    """One thing per column and spelling: stored variants that differ in case only are asked for together."""
    groups: dict[tuple[str, str], list[Value]] = {}
    for value in values:
        groups.setdefault((value.column_id, fold(value.text)), []).append(value)
    things = []
    for (column, _), group in groups.items():
        texts = tuple(dict.fromkeys(value.text for value in group))
        things.append(Thing("value", column, texts, max(value.score for value in group)))
    return tuple(things)


def _is_small_word(said: str, thing: Thing) -> bool:
    """Whether a function word was taken for a value that only looks like it (a, in, no)."""
    return bool(roles().get(key_of(said))) and said not in thing.texts


def _notes(said: str, things: Sequence[Thing]) -> tuple[str, ...]:
    weak = [thing for thing in things if thing.weight < SUFFIX]
    return tuple(f"{said} → {', '.join(thing.texts)}" for thing in weak)
