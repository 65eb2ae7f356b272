"""What is not filled in (没填城市的客户, orders without a customer); what a house rule leaves out (含测试账号)."""

from data_agent.domain.reading import ReadFilter
from data_agent.reading.draft import Draft
from data_agent.reading.lexicon import Thing
from data_agent.reading.marks import Mark
from data_agent.reading.rules import Allowed


def place_included(draft: Draft) -> None:
    """Including test accounts: the metric's own rule on that column does not apply this time."""
    names = {thing.name for mark in draft.marks for thing in mark.of("metric")}
    rules = {column: rule for name in names for column, rule in draft.lexicon.rules.get(name, {}).items()}
    for index, mark in enumerate(draft.marks):
        after = draft.at(draft.neighbour(index, 1, "of"))
        if mark.things or not mark.says("include") or after is None:
            continue
        shut_out = [
            thing.name
            for thing in after.of("value")
            if thing.name in rules and _alone_shut_out(draft, thing, rules[thing.name])
        ]
        if len(set(shut_out)) == 1:
            mark.used = after.used = True
            after.things = ()
            draft.included.add(shut_out[0])


def _alone_shut_out(draft: Draft, thing: Thing, rule: Allowed) -> bool:
    """Whether this value is all that the rule leaves out: with cancelled orders does not mean unpaid ones too."""
    column, values = draft.column(thing.name), frozenset(thing.texts)
    if column is None or rule.admits(values):
        return False
    return all(label in values or rule.admits(frozenset({label})) for label in column.labels)


def place_missing(draft: Draft) -> None:
    """A column beside a word of emptiness is empty; a thing that a row refers to is missing when the reference is."""
    for index, mark in enumerate(draft.marks):
        if mark.used or mark.things:
            continue
        if mark.says("empty"):
            _ = _column(draft, index, draft.neighbour(index, 1, "of")) or _column(
                draft, index, draft.neighbour(index, -1, "of")
            )
        elif mark.says("never"):
            target = draft.neighbour(index, 1, "measure", "has")
            _ = _reference(draft, index, target) or _column(draft, index, target)


def _column(draft: Draft, index: int, target: int | None) -> bool:
    mark = draft.at(target)
    columns = [thing for thing in mark.of("column") if not _numeric_key(draft, thing.name)] if mark else []
    if mark is None or target is None or mark.used or mark.of("metric", "value", "table") or not columns:
        return False
    thing = draft.settle(mark, among=columns)
    if thing is None or not _has_subject(draft, (index, target), thing.table):
        return False
    _filter(draft, (index, target), thing.name)
    return True


def _reference(draft: Draft, index: int, target: int | None) -> bool:
    """Orders with no customer: the orders' own reference to customers is empty."""
    mark = draft.at(target)
    if mark is None or target is None or mark.used or mark.of("value", "metric"):
        return False
    wanted = {thing.name for thing in mark.of("table")}
    owners = {
        table
        for place, other in enumerate(draft.marks)
        if place not in {index, target}
        for table in _tables(draft, other)
    }
    links = [
        link
        for link in draft.lexicon.catalog.relationships
        if link.to_table in wanted and link.from_table in owners and not link.multiplies and len(link.from_columns) == 1
    ]
    if len(links) != 1:
        return False
    _filter(draft, (index, target), f"{links[0].from_table}.{links[0].from_columns[0]}")
    return True


def _tables(draft: Draft, mark: Mark) -> set[str]:
    metrics = {table for thing in mark.of("metric") for table in draft.lexicon.homes.get(thing.name, ())}
    return metrics | {thing.name for thing in mark.of("table")}


def _has_subject(draft: Draft, span: tuple[int, int], table: str) -> bool:
    """Whether what is asked about has that column, or looks it up."""
    named = {name for place, mark in enumerate(draft.marks) if place not in span for name in _tables(draft, mark)}
    return any(table in draft.lexicon.reach.safe(name) for name in named)


def _numeric_key(draft: Draft, name: str) -> bool:
    column = draft.column(name)
    return column is None or column.role == "primary_key"


def _filter(draft: Draft, span: tuple[int, int], column: str) -> None:
    first, last = min(span), max(span)
    for mark in draft.marks[first : last + 1]:
        mark.used = True
    words = draft.question[draft.marks[first].start : draft.marks[last].end]
    draft.filters.append(ReadFilter(words=words, column=column, operator="is_null"))
