"""References nobody declared: names propose them, values decide, the better explanation wins."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, NamedTuple

from data_agent.domain.schema import Cardinality, Relationship
from data_agent.introspection.candidates import Candidate, Target, Targets
from data_agent.introspection.measured import Overlap, cell_text
from data_agent.introspection.names import key_name, nouns
from data_agent.introspection.profile import Profiled
from data_agent.introspection.twins import Twin, twins
from data_agent.wording.names import shared_prefix

LEAST_ROWS, LEAST_PROOF = 5, 20
LEAST_SHARE = {5: 0.8, 4: 0.9, 3: 0.98, 2: 0.98, 1: 1.0}
LEAST_VALUES = {5: 1, 4: 1, 3: 1, 2: 2, 1: 10}
PROBED = 200
Present = Callable[[Profiled, str, Sequence[Any]], Awaitable[int | None]]


class Link(NamedTuple):
    """A reference with its measured overlap; None where there was nothing to compare."""

    candidate: Candidate
    overlap: Overlap | None

    @property
    def rank(self) -> tuple[float, ...]:
        """Names first, then how much was found, then the main key of the larger table."""
        c, share = self.candidate, self.overlap.share if self.overlap else 0.5
        stem = key_name(c.column.facts.name).stem.removesuffix("name")
        return (c.level, stem.endswith(c.target.noun.full), round(share, 2), c.target.primary, c.target.column.distinct)

    def relationship(self, primary: tuple[str, ...]) -> Relationship:
        """As the catalog writes it, the evidence beside it; `primary` is the key of the referring table."""
        c = self.candidate
        return Relationship(
            from_table=c.table.facts.name,
            from_columns=(c.column.facts.name,),
            to_table=c.target.table.facts.name,
            to_columns=(c.target.column.facts.name,),
            cardinality=cardinality(c.table, c.column.facts.name, primary),
            inferred=True,
            evidence=f"{c.why}; {self.overlap.say() if self.overlap else 'no values to compare'}",
        )


def cardinality(table: Profiled, column: str, primary: tuple[str, ...]) -> Cardinality:
    """Many rows refer to one, unless the referring column is itself a key; that few rows do not repeat is no proof.

    To take a bridge for one to one would count its rows once too often; the other mistake costs nothing.
    """
    declared = (column,) in {table.facts.primary_key, *table.facts.unique_keys}
    proven = (column,) == primary and table.by_name[column].counted >= LEAST_PROOF
    return "one_to_one" if declared or proven else "many_to_one"


async def infer_links(
    tables: Sequence[Profiled],
    keys: dict[str, list[str]],
    primary: dict[str, tuple[str, ...]],
    present: Present,
    known: frozenset[tuple[str, str]] = frozenset(),
) -> list[Link]:
    """At most one reference for each column. `known` are (table, column) pairs that have a declared one."""
    targets, links = Targets(tables, keys, primary), []
    for table in tables:
        prefix = shared_prefix([column.name for column in table.facts.columns])
        for column in table.columns:
            if (table.facts.name, column.facts.name) in known:
                continue
            found = await _best(targets.of(table, column, prefix), primary, present)
            if found:
                links.append(found)
    linked = frozenset((link.candidate.table.facts.name, link.candidate.column.facts.name) for link in links)
    by_name = {table.facts.name: table for table in tables}
    return _without_mirrors([*links, *(_of_twin(twin, by_name) for twin in twins(tables, primary, linked | known))])


def _of_twin(twin: Twin, tables: dict[str, Profiled]) -> Link:
    one, other = tables[twin.table], tables[twin.other]
    target = Target(other, other.by_name[twin.key], key_name(twin.key), nouns(twin.other), primary=True)
    return Link(Candidate(one, one.by_name[twin.column], target, 2, twin.why), Overlap(twin.asked, twin.found))


async def _best(candidates: Iterable[Candidate], primary: dict[str, tuple[str, ...]], present: Present) -> Link | None:
    """The best explained candidate whose values agree; weaker names are only looked at when stronger ones fail."""
    by_level: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        if _plausible(candidate, primary):
            by_level.setdefault(candidate.level, []).append(candidate)
    for level in sorted(by_level, reverse=True):
        measured = [Link(c, await _overlap(c, present)) for c in by_level[level]]
        agreed = [link for link in measured if _agrees(link)]
        if agreed:
            return _only_one(sorted(agreed, key=lambda link: link.rank, reverse=True))
    return None


def _plausible(candidate: Candidate, primary: dict[str, tuple[str, ...]]) -> bool:
    """A table's own key refers to another table only under the very name of that table's key."""
    own = primary[candidate.table.facts.name] == (candidate.column.facts.name,)
    name = key_name(candidate.column.facts.name)
    if own:
        here = nouns(candidate.table.facts.name)
        return candidate.level == 5 and name.stem != here.full
    if candidate.level == 4 and candidate.why == "same name":
        return candidate.target.primary and _proven(candidate.target) and (bool(name.word) or _iscell_text(candidate))
    return True


def _proven(target: Target) -> bool:
    """Declared, or different in enough rows that it is no accident."""
    return (target.column.facts.name,) == target.table.facts.primary_key or target.column.counted >= LEAST_ROWS


def _iscell_text(candidate: Candidate) -> bool:
    return candidate.column.kind == "text"


def _agrees(link: Link) -> bool:
    level = link.candidate.level
    if link.overlap is None:
        named = level == 4 and key_name(link.candidate.column.facts.name).identifies
        return level == 5 or (named and link.candidate.target.primary)
    if level == 1 and _dense(link.candidate):
        return False
    return link.overlap.share >= LEAST_SHARE[level] and link.overlap.asked >= LEAST_VALUES[level]


def _dense(candidate: Candidate) -> bool:
    """Small running numbers stand in every key; that they are found proves nothing."""
    numbers = [value for value in candidate.target.column.values if isinstance(value, int | float)]
    return bool(numbers) and max(numbers) < 10 * len(numbers) + 100


def _only_one(ranked: list[Link]) -> Link | None:
    """The first, unless names and values cannot tell it from a second one by their values alone."""
    if ranked[0].candidate.level == 1 and len(ranked) > 1 and ranked[0].rank[:4] == ranked[1].rank[:4]:
        return None
    return ranked[0]


async def _overlap(candidate: Candidate, present: Present) -> Overlap | None:
    """Compare in memory when the whole key was read, else ask the warehouse about a few values."""
    values, target = candidate.column.values, candidate.target
    if not values or (target.column.complete and not target.column.values):
        return None
    if target.column.complete:
        there = {cell_text(value) for value in target.column.values}
        return Overlap(len(values), sum(cell_text(value) in there for value in values))
    asked = values[:: max(1, len(values) // PROBED)][:PROBED]
    found = await present(target.table, target.column.facts.name, asked)
    return None if found is None else Overlap(len(asked), min(found, len(asked)))


def _without_mirrors(links: list[Link]) -> list[Link]:
    """Of two references between the same two columns, the one with the better reason."""
    best: dict[frozenset[tuple[str, str]], Link] = {}
    for link in links:
        c = link.candidate
        ends = frozenset(
            {(c.table.facts.name, c.column.facts.name), (c.target.table.facts.name, c.target.column.facts.name)}
        )
        if ends not in best or best[ends].rank < link.rank:
            best[ends] = link
    return list(best.values())
