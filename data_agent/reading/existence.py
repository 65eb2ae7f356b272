"""Things that have, or never had, rows elsewhere: 从未下单的客户, customers without orders, 有退款的订单."""

from data_agent.domain.reading import Operator, ReadFilter
from data_agent.reading.draft import Draft
from data_agent.reading.lexicon import Thing
from data_agent.reading.marks import Mark


def place_existence(draft: Draft) -> None:
    """A word of having or lacking before a table or its verb is a condition on the thing that is asked about."""
    for index, mark in enumerate(draft.marks):
        if mark.used or mark.things:
            continue
        if mark.says("never") or (mark.says("not") and not draft.used_with_value(index)):
            _condition(draft, index, "no_rows")
        elif mark.says("has"):
            _condition(draft, index, "has_rows")


def _condition(draft: Draft, index: int, operator: Operator) -> None:
    target = draft.neighbour(index, 1, "measure", "has")
    table = _table(draft, target)
    if target is None or table is None or not _entity(draft, (index, target), table, operator):
        return
    for mark in draft.marks[index : target + 1]:
        mark.used = True
    table = _bridge(draft, table) or table
    words = draft.question[draft.marks[index].start : draft.marks[target].end]
    draft.filters.append(ReadFilter(words=words, column=f"{table}.*", operator=operator))


def _table(draft: Draft, target: int | None) -> str | None:
    mark = draft.at(target)
    if mark is None or mark.used or mark.of("value", "metric"):
        return None
    things: tuple[Thing, ...] = mark.of("table")
    verb = mark.payload("verb")
    if verb and not things:
        things = tuple(thing for thing in draft.lexicon.lookup(verb) if thing.kind == "table")
    thing = draft.settle(mark, among=things) if things else None
    return thing.name if thing else None


def _subject_before(draft: Draft, index: int) -> Mark | None:
    """The word before, past dates and their verbs: customers registered in 2025 have never …"""
    before = draft.neighbour(index, -1, "of")
    while (mark := draft.at(before)) and mark.used and not mark.of("table", "metric"):
        before = draft.neighbour(before or 0, -1, "of")
    return draft.at(before)


def _entity(draft: Draft, span: tuple[int, int], table: str, operator: Operator) -> bool:
    """Whether what is asked about can lack such rows: it stands right beside the phrase, and the rows refer to it."""
    first, last = span
    beside = [draft.at(draft.neighbour(last, 1, "of", "measure")), _subject_before(draft, first)]
    if draft.language == "zh" and operator == "has_rows":
        following = draft.at(last + 1)
        beside = beside[:1] if following and following.says("of") else []
    reach = draft.lexicon.reach.safe(table) - {table}
    homes = draft.lexicon.homes
    reach |= {far for bridge in _bridges(draft, table) for far in draft.lexicon.reach.safe(bridge) - {bridge, table}}
    return any(
        thing.table in reach
        or (thing.kind == "metric" and bool(homes[thing.name] & reach) and table not in homes[thing.name])
        for mark in beside
        if mark and not mark.time
        for thing in mark.of("table", "column", "metric")
    )


def _bridges(draft: Draft, table: str) -> list[str]:
    """Tables that say which rows belong to which: students have pets through `has_pet`."""
    catalog = draft.lexicon.catalog
    return [
        link.from_table
        for link in catalog.relationships
        if link.to_table == table and (found := catalog.table(link.from_table)) and found.role == "bridge"
    ]


def _bridge(draft: Draft, table: str) -> str | None:
    """The bridge whose rows are meant, when the rows themselves refer to nothing."""
    if len(draft.lexicon.reach.safe(table)) > 1:
        return None
    found = _bridges(draft, table)
    return found[0] if len(found) == 1 else None
