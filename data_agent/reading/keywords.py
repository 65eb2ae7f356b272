"""The words worth looking up: catalog names whole, numbers and codes whole, function words gone."""

import re
from collections.abc import Iterator, Sequence

from data_agent.reading.cover import cover
from data_agent.reading.lexicon import Lexicon
from data_agent.reading.marks import Mark
from data_agent.reading.text import key_of

_SCRIPTS = re.compile(r"[\u2e80-\u9fff]{2,}|[^\s\u2e80-\u9fff]{2,}")
"""Words that stand together without a blank (华东GMV); one sign alone stays where it is (A级)."""
_TO_A_NUMBER = re.compile(r"^.*\d\S*(?=\s)")


def keywords(question: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Keywords of a mixed Chinese and English question, synonyms included; else the whole question."""
    marks = cover(question, lexicon, (), ())
    found = [word for index in range(len(marks)) for word in _words(question, marks, index)]
    found += _models(question, marks)
    found += [spoken for word in tuple(found) for spoken in lexicon.synonyms.get(key_of(word))]
    return tuple(dict.fromkeys(word for word in found if word)) or (question.strip(),)


def _words(question: str, marks: Sequence[Mark], index: int) -> Iterator[str]:
    mark = marks[index]
    if mark.things or (mark.number and not mark.roles):
        yield mark.text
    elif mark.unknown:
        yield mark.text
        yield from mark.text.split()
        yield from _SCRIPTS.findall(mark.text)
        yield _widened(question, marks, index)


def _models(question: str, marks: Sequence[Mark]) -> Iterator[str]:
    """Names that go on with a number (iPhone 17 Pro, Route 11 7f3, 上都仓10): whole, and up to the last number."""
    index = 0
    while index < len(marks):
        last = index
        while last + 1 < len(marks) and _goes_on(question, marks[last], marks[last + 1]):
            last += 1
        run = marks[index : last + 1]
        if any(mark.number for mark in run) and not all(mark.number for mark in run):
            whole = question[run[0].start : run[-1].end]
            yield from (whole, *_TO_A_NUMBER.findall(whole))
        index = last + 1


def _goes_on(question: str, mark: Mark, after: Mark) -> bool:
    between = question[mark.end : after.start]
    if after.number and not after.things and mark.things:
        return bool(between) and not between.strip(" ")
    return not between.strip(" -") and all(_part(one, touching=not between) for one in (mark, after))


def _part(mark: Mark, touching: bool) -> bool:
    return mark.unknown or bool(mark.number and not mark.things) or (touching and _is_letter(mark))


def _widened(question: str, marks: Sequence[Mark], index: int) -> str:
    """A name may hold a letter that is also a function word (中国, 对外): offer it with its neighbours too."""
    start, end = marks[index].start, marks[index].end
    before = marks[index - 1] if index else None
    after = marks[index + 1] if index + 1 < len(marks) else None
    if before and before.end == start and _is_letter(before):
        start = before.start
    if after and after.start == end and _is_letter(after):
        end = after.end
    return question[start:end]


def _is_letter(mark: Mark) -> bool:
    joins = mark.says("of", "and", "or", "comma", "each", "not")
    return len(mark.text) == 1 and not joins and not mark.things and not mark.time and mark.text.isalpha()
