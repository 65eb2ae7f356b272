"""A table beside a column says whose column it is: 客户姓名, the name of the product."""

from data_agent.reading.draft import Draft
from data_agent.reading.lexicon import Thing
from data_agent.reading.marks import Mark

_OWNERS_TAKEN = ("each", "count", "top", "not", "never")


def narrow(draft: Draft) -> None:
    """Merge table and column marks that belong together, from left to right."""
    index = 0
    while index < len(draft.marks):
        if draft.marks[index].of("column") and (_owner_before(draft, index) or _owner_after(draft, index)):
            continue
        index += 1


def _owner_before(draft: Draft, index: int) -> bool:
    owner = draft.neighbour(index, -1, "of")
    if owner is None or _is_taken(draft, owner):
        return False
    kept = _columns_of(draft.marks[owner], draft.marks[index])
    if not kept:
        return False
    _merge(draft, owner, index, kept)
    return True


def _owner_after(draft: Draft, index: int) -> bool:
    link, owner = draft.at(index + 1), draft.at(index + 2)
    if not link or not owner or not link.says("of") or draft.language != "en":
        return False
    kept = _columns_of(owner, draft.marks[index])
    if not kept:
        return False
    _merge(draft, index, index + 2, kept)
    return True


def _is_taken(draft: Draft, owner: int) -> bool:
    """Whether the table already stands in a phrase of its own (每个客户的…)."""
    before = draft.at(owner - 1)
    mark = draft.marks[owner]
    return bool(mark.of("value")) or bool(before and before.says(*_OWNERS_TAKEN))


def _columns_of(owner: Mark, mark: Mark) -> tuple[Thing, ...]:
    tables = {thing.name for thing in owner.of("table")}
    return tuple(thing for thing in mark.of("column") if thing.table in tables)


def _merge(draft: Draft, first: int, last: int, kept: tuple[Thing, ...]) -> None:
    start, end = draft.marks[first].start, draft.marks[last].end
    merged = Mark(start, end, draft.question[start:end], things=kept)
    draft.marks[first : last + 1] = [merged]
    draft.rows = True
