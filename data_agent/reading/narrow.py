"""A table beside a column says whose column it is: 客户姓名, the name of the product."""

from data_agent.domain.reading import ReadFilter
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
    if not kept and (kept := _looked_up(draft, owner, draft.marks[index])):
        draft.holders.append(ReadFilter(words=owner.text, column=f"{owner.of('table')[0].name}.*", operator="has_rows"))
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


def _looked_up(draft: Draft, owner: Mark, mark: Mark) -> tuple[Thing, ...]:
    """The names of poker players, who are people: the one column so called that rows of the table look up directly."""
    tables = [thing.name for thing in owner.of("table")]
    near = {
        link.to_table
        for link in draft.lexicon.catalog.relationships
        if link.from_table in tables and not link.multiplies
    }
    found = tuple(thing for thing in mark.of("column") if thing.table in near)
    return found if len(found) == 1 and len(tables) == 1 and owner.text.casefold() != mark.text.casefold() else ()


def _merge(draft: Draft, first: int, last: int, kept: tuple[Thing, ...]) -> None:
    start, end = draft.marks[first].start, draft.marks[last].end
    merged = Mark(start, end, draft.question[start:end], things=kept)
    draft.marks[first : last + 1] = [merged]
    draft.rows = True
