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
        if draft.marks[index].of("column") and (
            _owner_before(draft, index) or _owner_after(draft, index) or _owner_over_average(draft, index)
        ):
            continue
        index += 1
    for step in (1, -1):
        _like_neighbour(draft, step)


def _like_neighbour(draft: Draft, step: int) -> None:
    """学生的名字和年龄: the second is the age of the same table's rows, when that has one."""
    order = range(len(draft.marks)) if step > 0 else range(len(draft.marks) - 1, -1, -1)
    for index in order:
        mark, link, other = draft.marks[index], draft.at(index - step), draft.at(index - 2 * step)
        if not link or not other or link.things or not link.says("and", "comma") or len(mark.of("column")) < 2:
            continue
        tables = {thing.table for thing in other.of("column")}
        kept = tuple(thing for thing in mark.of("column") if thing.table in tables)
        if len(tables) == 1 and kept and not other.of("metric", "value") and not mark.of("metric", "value", "table"):
            mark.things = kept


def _owner_over_average(draft: Draft, index: int) -> bool:
    """学生平均年龄: whose age is said before the average."""
    middle, owner = draft.at(index - 1), draft.at(draft.neighbour(index - 1, -1, "of")) if index else None
    if not middle or not owner or draft.language != "zh" or middle.things or not middle.says("agg", "super"):
        return False
    kept = _columns_of(owner, draft.marks[index])
    if kept and not owner.of("value", "metric") and len(kept) < len(draft.marks[index].of("column")):
        draft.marks[index].things = kept
        owner.used = True
    return False


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
