"""Comparing words that carry their column (older than 30, a greater weight than 10); texts: names containing "Al"."""

import re
from typing import cast

from data_agent.domain.reading import Operator, ReadFilter
from data_agent.reading.draft import Draft
from data_agent.reading.marks import Mark
from data_agent.reading.superlatives import measured_by

_QUOTED = re.compile(r"[\s:：“\"'‘「『]*([^“”\"'‘’「」『』]+?)[”\"'’」』]")
_FORMS: dict[str, str] = {"contains": "%{}%", "starts": "{}%", "ends": "%{}"}


def place_comparatives(draft: Draft) -> None:
    """Each takes the number or the text after it, and the column it speaks of."""
    for index, mark in enumerate(draft.marks):
        if mark.used or mark.things:
            continue
        if mark.says("than"):
            _than(draft, index)
        elif mark.says("more"):
            _more(draft, index)
        elif mark.says("text"):
            _text(draft, index)


def _than(draft: Draft, index: int) -> None:
    """Older than 30."""
    mark, number = draft.marks[index], draft.at(draft.neighbour(index, 1))
    adjective, _, operator = (mark.payload("than") or "").partition(" ")
    if number is None or number.number is None or number.used:
        return
    tables = {thing.table for other in draft.marks if not other.time for thing in other.of("table", "column")}
    found = [column for column, wanted in measured_by(draft, tables, adjective) if wanted]
    if len(found) == 1 and draft.numeric(found[0].id):
        mark.used = number.used = True
        _add(draft, draft.question[mark.start : number.end], found[0].id, operator, number.number.value)


def _more(draft: Draft, index: int) -> None:
    """A greater weight than 10."""
    column, than, number = (draft.at(index + step) for step in (1, 2, 3))
    if not column or not than or not number or not number.number or than.text.casefold() != "than":
        return
    things = [thing for thing in column.of("column") if draft.numeric(thing.name)]
    thing = draft.settle(column, among=things) if things and not column.of("metric") else None
    if thing is None:
        return
    mark = draft.marks[index]
    for each in (mark, column, than, number):
        each.used = True
    words = draft.question[mark.start : number.end]
    _add(draft, words, thing.name, mark.payload("more") or ">", number.number.value)


def _add(draft: Draft, words: str, column: str, operator: str, value: float) -> None:
    shown = int(value) if float(value).is_integer() else value
    draft.filters.append(ReadFilter(words=words, column=column, operator=cast(Operator, operator), values=(shown,)))


def _text(draft: Draft, index: int) -> None:
    """名称包含“Pro”, whose name starts with 'A'; the text stands in quotes, so that nobody guesses where it ends."""
    mark = draft.marks[index]
    quoted = _QUOTED.match(draft.question, mark.end)
    before = draft.at(draft.neighbour(index, -1, "of", "not"))
    if quoted is None or before is None or not quoted[0].strip().startswith(("“", '"', "'", "‘", "「", "『")):
        return
    columns = [thing for thing in before.of("column") if not draft.numeric(thing.name)]
    thing = draft.settle(before, among=columns) if columns else None
    if thing is None:
        return
    negated = (denied := draft.at(index - 1)) is not None and denied.says("not")
    operator: Operator = "not_like" if negated else "like"
    pattern = _FORMS[mark.payload("text") or "contains"].format(quoted[1])
    words = draft.question[before.start : quoted.end()]
    draft.filters.append(ReadFilter(words=words, column=thing.name, operator=operator, values=(pattern,)))
    for other in draft.marks:
        if before.start <= other.start and other.end <= quoted.end():
            _use(other)


def _use(mark: Mark) -> None:
    mark.used = True
