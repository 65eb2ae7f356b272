"""Which columns may refer to which keys, by their names alone."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from data_agent.introspection.names import PARENTS, KeyName, Nouns, key_name, nouns
from data_agent.introspection.profile import NUMERIC, Profile, Profiled
from data_agent.wording.names import shared_prefix, without

LEAST_SUFFIX = 3
LONGEST_CODE = 8
_CODE = re.compile(r"[A-Z0-9][A-Z0-9_.-]{1,11}")
MOST_UNNAMED = 60


class Target(NamedTuple):
    """A column that may be referred to."""

    table: Profiled
    column: Profile
    name: KeyName
    noun: Nouns
    primary: bool


class Candidate(NamedTuple):
    """A column, a key it may refer to, how strongly the names say so (5 to 1), and in which words."""

    table: Profiled
    column: Profile
    target: Target
    level: int
    why: str


class Targets:
    """Every key, found by its name and by the noun of its table."""

    def __init__(self, tables: Sequence[Profiled], keys: dict[str, list[str]], primary: dict[str, tuple[str, ...]]):
        self.prefix = shared_prefix([table.facts.name for table in tables])
        self.by_name: dict[str, list[Target]] = defaultdict(list)
        self.by_noun: dict[str, list[Target]] = defaultdict(list)
        self.all: list[Target] = []
        for table in tables:
            columns = shared_prefix([column.name for column in table.facts.columns])
            for name in keys[table.facts.name]:
                key, noun = key_name(without(columns, name)), nouns(table.facts.name, self.prefix)
                main = primary[table.facts.name] == (name,)
                self._add(Target(table, table.by_name[name], key, noun, main))

    def _add(self, target: Target) -> None:
        self.all.append(target)
        self.by_name[key_name(target.column.facts.name).joined].append(target)
        for noun in {target.noun.full, target.noun.last}:
            self.by_noun[noun].append(target)

    def of(self, table: Profiled, column: Profile, prefix: str) -> Iterator[Candidate]:
        """Every key this column may refer to; `prefix` is shared by the columns of its table."""
        whole, short = key_name(column.facts.name), key_name(without(prefix, column.facts.name))
        for target, level, why in (
            *self._same(table, whole),
            *self._named(table, short),
            *self._unnamed(table, column, whole),
        ):
            same = target.table is table and target.column is column
            if not same and comparable(column, target.column):
                yield Candidate(table, column, target, level, why)

    def _same(self, table: Profiled, name: KeyName) -> Iterator[tuple[Target, int, str]]:
        for target in telling(self.by_name.get(name.joined, ())):
            if target.table is not table and not name.generic:
                owner = name.stem.removesuffix("name") in {target.noun.full, target.noun.last}
                yield target, 5 if owner else 4, "same name"

    def _named(self, table: Profiled, name: KeyName) -> Iterator[tuple[Target, int, str]]:
        """`channel_id`, `channel`, `CountryCode`, `caused_by_ship_id`: a table's name, perhaps after others."""
        for start in starts(name.stem):
            for target in telling(self.by_noun.get(name.stem[start:], ())):
                fits = target.primary or target.name.word == name.word != ""
                if fits and (target.table is not table or start):
                    yield target, 4 if start == 0 else 3, f"named after `{target.table.facts.name}`"
        for start in starts(name.joined):
            for target in telling(self.by_name.get(name.joined[start:], ())):
                if start and not target.name.generic and target.primary:
                    yield target, 3, f"ends with `{target.column.facts.name}`"

    def _unnamed(self, table: Profiled, column: Profile, name: KeyName) -> Iterator[tuple[Target, int, str]]:
        if set(name.words) & PARENTS:
            yield from ((t, 2, "refers to its own table") for t in self.all if t.table is table and t.primary)
        elif ((name.word in {"id", "identifier"} and name.stem) or _code(column)) and len(self.all) <= MOST_UNNAMED:
            yield from ((t, 1, "by its values alone") for t in self.all if t.primary and t.table is not table)


def _code(column: Profile) -> bool:
    """Short codes (countries, ports, types) tell what they refer to, whatever the column is called."""
    short = column.kind == "text" and 0 < column.mean_length <= LONGEST_CODE
    return short and column.distinct < column.counted and all(_CODE.fullmatch(text) for text in column.texts)


def telling(targets: Sequence[Target]) -> Sequence[Target]:
    """A name that very many keys share tells nothing."""
    return targets if len(targets) <= MOST_UNNAMED else ()


def starts(stem: str) -> Iterator[int]:
    """Where a noun may begin in a name without separators: at its start, or so that enough is left."""
    if stem:
        yield 0
        yield from range(1, len(stem) - (0 if "\u4e00" <= stem[-1] <= "\u9fff" else LEAST_SUFFIX) + 1)


def comparable(one: Profile, other: Profile) -> bool:
    """Whether two columns can hold the same values."""
    return _family(one.kind) == _family(other.kind)


def _family(kind: str) -> str:
    return "number" if kind in NUMERIC else kind
