"""Cut the question into marks: the fewest, longest stretches that leave the least unexplained."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from data_agent.dates import comparisons
from data_agent.domain.time import TimeRange
from data_agent.domain.value import Value
from data_agent.reading.grounding import ground
from data_agent.reading.lexicon import Lexicon, Thing
from data_agent.reading.marks import Mark
from data_agent.reading.numbers import numbers
from data_agent.reading.text import Piece, pieces, touches
from data_agent.reading.words import Role, idioms, roles

_SKIP = 3.0
_TOTAL = "总"
_DROPPED = frozenset("?。!？！*")
_QUOTED = re.compile(r"[“\"「『《]([^“”\"「」『』《》]+)[”\"」』》]|(?<!\w)'([^']+)'(?!\w)|‘([^’]+)’")
Edges = dict[tuple[int, int], Mark]


def cover(question: str, lexicon: Lexicon, values: Sequence[Value], times: Iterable[TimeRange]) -> list[Mark]:
    """The marks of a question from left to right, unknown stretches included."""
    tokens = [piece for piece in pieces(question) if piece.text not in _DROPPED]
    joined = [False] + [touches(question, a, b) for a, b in pairwise(tokens)]
    edges = _Edges(question, tokens)
    _add_names(edges, lexicon, joined)
    for start, end, things, note in ground(question, tokens, joined, values, lexicon):
        edges.at(start, end).things += things
        edges.at(start, end).notes += note
    for number in numbers(question):
        if mark := edges.between(number.start, number.end):
            mark.number = number
    for span, _, kind in comparisons(question):
        if mark := edges.between(*span):
            mark.roles += (Role(kind),)
    for time in times:
        if mark := edges.between(*time.span):
            mark.time = time
    return _shortest(question, tokens, edges.outside(_quotes(question)))


class _Edges:
    """Possible marks by token range; several meanings of one range meet in one mark."""

    def __init__(self, question: str, tokens: Sequence[Piece]) -> None:
        self.question, self.tokens = question, tokens
        self.marks: Edges = {}
        self._starts = {piece.start: index for index, piece in enumerate(tokens)}
        self._ends = {piece.end: index + 1 for index, piece in enumerate(tokens)}

    def at(self, start: int, end: int) -> Mark:
        if (start, end) not in self.marks:
            first, last = self.tokens[start].start, self.tokens[end - 1].end
            self.marks[start, end] = Mark(first, last, self.question[first:last])
        return self.marks[start, end]

    def between(self, start: int, end: int) -> Mark | None:
        """The mark at character offsets; blanks at either side are forgiven, half a word is not."""
        text = self.question[start:end]
        start += len(text) - len(text.lstrip())
        end -= len(text) - len(text.rstrip())
        first, last = self._starts.get(start), self._ends.get(end)
        return self.at(first, last) if first is not None and last is not None and first < last else None

    def outside(self, quotes: Sequence[tuple[int, int]]) -> Edges:
        """Drop marks that cut into a quotation: what is quoted is one name, not words."""
        if not quotes:
            return self.marks
        kept = {key: mark for key, mark in self.marks.items() if all(_whole(mark, quote) for quote in quotes)}
        for start, end in quotes:
            self._hold(kept, start, end)
        return kept

    def _hold(self, kept: Edges, start: int, end: int) -> None:
        inside = [index for index, piece in enumerate(self.tokens) if start <= piece.start and piece.end <= end]
        if inside:
            key = (inside[0], inside[-1] + 1)
            held = kept.setdefault(key, Mark(start, end, self.question[start:end]))
            held.roles = ()


def _whole(mark: Mark, quote: tuple[int, int]) -> bool:
    start, end = quote
    return mark.end <= start or mark.start >= end or (mark.start <= start and mark.end >= end and not mark.time)


def _quotes(question: str) -> list[tuple[int, int]]:
    found = []
    for match in _QUOTED.finditer(question):
        group = next(index for index in (1, 2, 3) if match[index])
        found.append(match.span(group))
    return found


def _add_names(edges: _Edges, lexicon: Lexicon, joined: Sequence[bool]) -> None:
    stems = [piece.stem for piece in edges.tokens]
    texts = [piece.text for piece in edges.tokens]
    words = roles()
    for start in range(len(stems)):
        for end, things in lexicon.names.walk(stems, start, joined):
            edges.at(start, end).things += things
        for end, things in _around_total(stems, start, joined, lexicon):
            edges.at(start, end).things += things
        for end, found in words.walk(texts, start, joined):
            edges.at(start, end).roles += found
        for end, names in idioms().walk(texts, start, joined):
            known = next((things for name in names if (things := lexicon.lookup(name))), ())
            if known:
                edges.at(start, end).things += known


def _around_total(
    stems: Sequence[str], start: int, joined: Sequence[bool], lexicon: Lexicon
) -> Iterable[tuple[int, tuple[Thing, ...]]]:
    """已支付总金额 is 已支付金额: a total of what adds up says nothing new."""
    if _TOTAL not in stems[start + 1 :]:
        return
    inside = stems.index(_TOTAL, start + 1)
    without, touching = [*stems[:inside], *stems[inside + 1 :]], [*joined[:inside], *joined[inside + 1 :]]
    for end, things in lexicon.names.walk(without, start, touching):
        kept = tuple(thing for thing in things if thing.kind == "metric" and _adds_up(lexicon, thing.name))
        if end > inside and kept:
            yield end + 1, kept


def _adds_up(lexicon: Lexicon, name: str) -> bool:
    metric = lexicon.catalog.metric(name)
    return metric is not None and metric.additivity == "additive" and not metric.derived


def _cost(mark: Mark) -> float:
    """One per mark, less for what is surer: a date or a catalog word beats the function words in its letters."""
    if mark.unknown:
        return 1.5
    return 1.0 - (0.3 if mark.time else 0.2 if mark.things else 0.0)


def _shortest(question: str, tokens: Sequence[Piece], edges: Edges) -> list[Mark]:
    count = len(tokens)
    starting: dict[int, list[tuple[int, Mark]]] = {}
    for (start, end), mark in edges.items():
        starting.setdefault(start, []).append((end, mark))
    best: list[tuple[float, int, Mark | None]] = [(0.0, count, None)] * (count + 1)
    for index in range(count - 1, -1, -1):
        best[index] = (best[index + 1][0] + _SKIP, index + 1, None)
        for end, mark in starting.get(index, ()):
            cost = best[end][0] + _cost(mark)
            if cost <= best[index][0]:
                best[index] = (cost, end, mark)
    return list(_walk(question, tokens, best))


def _walk(question: str, tokens: Sequence[Piece], best: Sequence[tuple[float, int, Mark | None]]) -> Iterable[Mark]:
    index, pending = 0, None
    while index < len(tokens):
        _, end, mark = best[index]
        piece = tokens[index]
        if mark is None and pending is not None and touches(question, tokens[index - 1], piece):
            pending.end, pending.text = piece.end, question[pending.start : piece.end]
        elif mark is None:
            if pending:
                yield pending
            pending = Mark(piece.start, piece.end, question[piece.start : piece.end])
        else:
            if pending:
                yield pending
            pending = None
            yield mark
        index = end
    if pending:
        yield pending
