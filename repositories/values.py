"""What the value indexes of every technology share: how a value is stored, and which of those found are the best."""

from collections.abc import Iterable
from typing import NamedTuple

from data_agent.domain.value import Value
from data_agent.wording.likeness import likeness


class Stored(NamedTuple):
    """A value as it lies in an index: `said` is what finds it, `text` what the warehouse holds."""

    table: str
    column: str
    text: str
    said: str


def best(word: str, candidates: Iterable[Stored], limit: int) -> list[Value]:
    """The candidates that are like the word, each stored value once, the likeliest first."""
    scores: dict[tuple[str, str, str], float] = {}
    for one in candidates:
        if score := likeness(word, one.said):
            scores[one[:3]] = max(score, scores.get(one[:3], 0.0))
    order = sorted(scores.items(), key=lambda one: (-round(one[1], 4), len(one[0][2]), one[0][2]))
    return [
        Value(table=table, column=column, text=text, word=word, score=round(score, 4))
        for (table, column, text), score in order[:limit]
    ]
