"""Tables about the same things: their own keys hold the same values (cars_data, car_names)."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from data_agent.introspection.measured import cell_text
from data_agent.introspection.names import KeyName, key_name, nouns
from data_agent.introspection.profile import Profiled
from data_agent.wording.names import shared_prefix

LEAST_SAME_VALUES = 20
LEAST_SHARED, LEAST_SHARE = 5, 0.5


class Twin(NamedTuple):
    """Rows of `table` and `other` are about the same things: `found` of `asked` keys stand in both."""

    table: str
    column: str
    other: str
    key: str
    why: str
    asked: int
    found: int


class Keyed(NamedTuple):
    """A table that was read whole, with its key of one column and the key's values."""

    table: Profiled
    name: KeyName
    column: str
    values: frozenset[str]
    words: frozenset[str]


def twins(
    tables: Sequence[Profiled], primary: dict[str, tuple[str, ...]], linked: frozenset[tuple[str, str]]
) -> Iterator[Twin]:
    """Keys that say the same; `linked` are (table, column) pairs that refer somewhere already."""
    prefix = shared_prefix([table.facts.name for table in tables])
    keyed = [
        _keyed(t, primary[t.facts.name][0], prefix) for t in tables if len(primary[t.facts.name]) == 1 and t.complete
    ]
    yield from _same_values(keyed, linked)
    yield from _same_subject(keyed, linked)


def _keyed(table: Profiled, column: str, prefix: str) -> Keyed:
    values = frozenset(cell_text(value) for value in table.by_name[column].values)
    return Keyed(table, key_name(column), column, values, frozenset(nouns(table.facts.name, prefix).words))


def _same_values(keyed: Sequence[Keyed], linked: frozenset[tuple[str, str]]) -> Iterator[Twin]:
    """Exactly the same values in many rows, and a word of the tables' names in common."""
    for other, one in combinations(keyed, 2):
        same = one.values == other.values and len(one.values) > LEAST_SAME_VALUES
        if not same or not one.words & other.words:
            continue
        swap = other.name.generic and not one.name.generic
        child, parent = (other, one) if swap else (one, other)
        if (child.table.facts.name, child.column) not in linked:
            yield _twin(child, parent, "both keys hold the same values")


def _same_subject(keyed: Sequence[Keyed], linked: frozenset[tuple[str, str]]) -> Iterator[Twin]:
    """Keys of one telling name that share values: all refer to the table that knows most of them."""
    groups: dict[str, list[Keyed]] = {}
    for each in keyed:
        if not each.name.generic and not each.table.facts.primary_key:
            groups.setdefault(each.name.joined, []).append(each)
    for group in groups.values():
        hub = max(group, key=lambda each: len(each.values))
        for one in group:
            shared = len(one.values & hub.values)
            enough = shared >= LEAST_SHARED and shared >= LEAST_SHARE * len(one.values)
            if one is not hub and enough and (one.table.facts.name, one.column) not in linked:
                yield _twin(one, hub, "keys of the same name")


def _twin(one: Keyed, other: Keyed, why: str) -> Twin:
    found = len(one.values & other.values)
    return Twin(one.table.facts.name, one.column, other.table.facts.name, other.column, why, len(one.values), found)
