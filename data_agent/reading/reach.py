"""Which tables a table can look up without repeating its rows."""

from collections import defaultdict
from collections.abc import Iterable

from data_agent.domain.schema import Relationship


class Reach:
    """Answers reachability over relationships; each table's answer is worked out once."""

    def __init__(self, relationships: Iterable[Relationship]) -> None:
        self._down: dict[str, set[str]] = defaultdict(set)
        self._any: dict[str, set[str]] = defaultdict(set)
        for link in relationships:
            if not link.multiplies:
                self._down[link.from_table].add(link.to_table)
            if not link.reversed().multiplies:
                self._down[link.to_table].add(link.from_table)
            self._any[link.from_table].add(link.to_table)
            self._any[link.to_table].add(link.from_table)
        self._safe: dict[str, frozenset[str]] = {}
        self._linked: dict[str, frozenset[str]] = {}

    def safe(self, table: str) -> frozenset[str]:
        """Tables reached along many-to-one links only, itself included."""
        return _closure(table, self._down, self._safe)

    def linked(self, table: str) -> frozenset[str]:
        """Tables reached along any links, itself included."""
        return _closure(table, self._any, self._linked)


def _closure(start: str, links: dict[str, set[str]], known: dict[str, frozenset[str]]) -> frozenset[str]:
    if start not in known:
        seen, todo = {start}, [start]
        while todo:
            for table in links.get(todo.pop(), ()):
                if table not in seen:
                    seen.add(table)
                    todo.append(table)
        known[start] = frozenset(seen)
    return known[start]
