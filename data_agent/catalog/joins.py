"""The join graph: how tables reach each other, by which links, and whether walking there repeats rows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from data_agent.domain.schema import Relationship

MAX_PATHS = 16
"""How many equally short paths are listed at most; a person cannot choose among more."""


def link_name(link: Relationship) -> str:
    """What people call a link, the same in both directions: its name, or the side that refers (`orders.region_id`)."""
    if link.name:
        return link.name
    near = f"{link.from_table}.{','.join(link.from_columns)}"
    far = f"{link.to_table}.{','.join(link.to_columns)}"
    if link.cardinality == "many_to_one":
        return near
    return far if link.cardinality == "one_to_many" else min(near, far)


@dataclass(frozen=True)
class JoinPath:
    """Links in walking order, each turned so that it reads from → to; empty when start and end are one table."""

    links: tuple[Relationship, ...] = ()

    @property
    def multiplies(self) -> bool:
        """Whether walking it can repeat a row of the table it starts from."""
        return any(link.multiplies for link in self.links)

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table it touches, in walking order."""
        return (self.links[0].from_table, *(link.to_table for link in self.links)) if self.links else ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its links, in walking order."""
        return tuple(link_name(link) for link in self.links)


class _Edge(NamedTuple):
    """One link as seen from one of its ends."""

    to: str
    link: Relationship
    forward: bool
    multiplies: bool

    def turned(self) -> Relationship:
        return self.link if self.forward else self.link.reversed()


_Parents = dict[str, list[tuple[str, _Edge]]]


class JoinGraph:
    """Tables as points, relationships as links between them. Every answer is deterministic."""

    def __init__(self, edges: Mapping[str, tuple[_Edge, ...]]) -> None:
        self._edges = edges

    @classmethod
    def of(cls, relationships: Iterable[Relationship]) -> "JoinGraph":
        """The graph of these relationships; a table's link to itself leads nowhere new and is left out."""
        edges: dict[str, list[_Edge]] = {}
        for link in relationships:
            if link.from_table == link.to_table:
                continue
            back = link.cardinality in {"many_to_one", "many_to_many"}
            edges.setdefault(link.from_table, []).append(_Edge(link.to_table, link, True, link.multiplies))
            edges.setdefault(link.to_table, []).append(_Edge(link.from_table, link, False, back))
        return cls({table: tuple(sorted(found, key=_edge_order)) for table, found in edges.items()})

    def paths(self, start: str, end: str, *, safe: bool = False, through: Iterable[str] = ()) -> tuple[JoinPath, ...]:
        """All shortest paths from `start` to `end`, at most `MAX_PATHS`; more than one means: ask which.

        With `safe` no link may repeat rows of `start`. `through` names links a person chose: the shortest paths over
        the most of them are kept, even where a shorter one avoids them; names that lead nowhere are ignored.
        """
        wanted = frozenset(through)
        found = self._shortest(start, end, safe)
        best = max((len(wanted & set(path.names)) for path in found), default=0)
        if wanted and not best:
            detours = self._detours(start, end, safe, wanted)
            found = detours or found
            best = max((len(wanted & set(path.names)) for path in found), default=0)
        return tuple(path for path in found if len(wanted & set(path.names)) == best)

    def reachable(self, start: str, *, safe: bool = False) -> frozenset[str]:
        """Every table that can be joined to `start`, itself included."""
        seen, layer = {start}, [start]
        while layer:
            layer = list(dict.fromkeys(edge.to for table in layer for edge in self._from(table, safe)))
            layer = [table for table in layer if table not in seen]
            seen.update(layer)
        return frozenset(seen)

    def connect(self, tables: Iterable[str]) -> tuple[Relationship, ...]:
        """The smallest tree of links that holds these tables together (bridges included), as written in the catalog.

        A table that no link leads to is left alone. The tree is grown nearest table first, once from each of the
        tables, and the smallest one wins; that is exact for two tables and close to it for more.
        """
        wanted = tuple(dict.fromkeys(tables))
        trees = [self._grow(start, wanted) for start in wanted]
        most = max((len(held) for held, _ in trees), default=0)
        fitting = [links for held, links in trees if len(held) == most]
        first = min(fitting, key=len, default=())
        apart = [table for table in wanted if table not in _held(first) | set(wanted[:1])]
        islands = self.connect(apart) if first and len(apart) > 1 else ()
        return (*first, *islands)

    def tables_of(self, links: Iterable[Relationship]) -> tuple[str, ...]:
        """Every table that these links touch, each once, in order."""
        return tuple(dict.fromkeys(name for link in links for name in (link.from_table, link.to_table)))

    def _grow(self, start: str, wanted: tuple[str, ...]) -> tuple[set[str], tuple[Relationship, ...]]:
        held, links, missing = {start}, [], {table for table in wanted if table != start}
        while missing:
            parents, reached = self._search(held, missing)
            if reached is None:
                break
            path = next(self._walk_back(reached, held, parents))
            links += [edge.link for edge in path]
            held.update(edge.to for edge in path)
            missing -= held
        return held & set(wanted), tuple(links)

    def _from(self, table: str, safe: bool) -> Iterator[_Edge]:
        return (edge for edge in self._edges.get(table, ()) if not (safe and edge.multiplies))

    def _search(self, starts: Iterable[str], ends: set[str], safe: bool = False) -> tuple[_Parents, str | None]:
        """Breadth first from all starts; every equally short way into a table is remembered."""
        layer = sorted(starts)
        parents: _Parents = {table: [] for table in layer}
        while layer:
            fresh: _Parents = {}
            for table in layer:
                for edge in self._from(table, safe):
                    if edge.to not in parents:
                        fresh.setdefault(edge.to, []).append((table, edge))
            parents.update(fresh)
            layer = sorted(fresh)
            reached = next((table for table in layer if table in ends), None)
            if reached is not None:
                return parents, reached
        return parents, None

    def _walk_back(self, table: str, starts: set[str], parents: _Parents) -> Iterator[tuple[_Edge, ...]]:
        if table in starts:
            yield ()
            return
        for before, edge in parents[table]:
            for path in self._walk_back(before, starts, parents):
                yield (*path, edge)

    def _shortest(self, start: str, end: str, safe: bool) -> tuple[JoinPath, ...]:
        if start == end:
            return (JoinPath(),)
        parents, reached = self._search((start,), {end}, safe)
        if reached is None:
            return ()
        walks = islice(self._walk_back(end, {start}, parents), MAX_PATHS)
        return tuple(JoinPath(tuple(edge.turned() for edge in walk)) for walk in walks)

    def _detours(self, start: str, end: str, safe: bool, wanted: frozenset[str]) -> tuple[JoinPath, ...]:
        """The shortest paths that are led over one of the wanted links."""
        found = [path for edge, near in self._named(wanted) for path in self._over(start, near, edge, end, safe)]
        shortest = min((len(path.links) for path in found), default=0)
        return tuple(dict.fromkeys(path for path in found if len(path.links) == shortest))

    def _named(self, wanted: frozenset[str]) -> Iterator[tuple[_Edge, str]]:
        for near, edges in self._edges.items():
            yield from ((edge, near) for edge in edges if link_name(edge.link) in wanted)

    def _over(self, start: str, near: str, edge: _Edge, end: str, safe: bool) -> Iterator[JoinPath]:
        if safe and edge.multiplies:
            return
        for head in self._shortest(start, near, safe):
            for tail in self._shortest(edge.to, end, safe):
                path = JoinPath((*head.links, edge.turned(), *tail.links))
                if len(set(path.tables)) == len(path.tables):
                    yield path


def _edge_order(edge: _Edge) -> tuple[bool, str, str, tuple[str, ...]]:
    return edge.multiplies, edge.to, link_name(edge.link), edge.link.from_columns


def _held(links: Iterable[Relationship]) -> set[str]:
    return {name for link in links for name in (link.from_table, link.to_table)}
