"""Which columns join which: the declared relationships, and what key names say where none are declared."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Table
from data_agent.linking.groups import domain_of
from data_agent.wording.tokens import singular, spelled_out

_KEY_WORDS = {"id", "identifier", "key", "code", "no", "num", "number", "uuid", "guid", "编号", "编码"}
_SAYS_NOTHING = {"id", "code", "no", "key", "number", "num", "uuid", "guid", "identifier"}
_MOST = 12


def edges_of(tables: Sequence[Table], catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Pairs of column ids. Tables of one domain with declared keys still get the inferred ones: some are forgotten."""
    names = {table.name for table in tables}
    for link in catalog.relationships:
        if link.from_table in names and link.to_table in names:
            for left, right in zip(link.from_columns, link.to_columns, strict=False):
                yield f"{link.from_table}.{left}", f"{link.to_table}.{right}"
    yield from _same_key_names(tables)
    yield from _named_after_a_table(tables)


def _same_key_names(tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """The same key-like name in two tables of a domain (`policy_id`); names that half the tables have say nothing."""
    holders: dict[tuple[str, str], list[str]] = defaultdict(list)
    for table in tables:
        for column in table.columns:
            if is_key(column) and column.name.casefold() not in _SAYS_NOTHING:
                holders[domain_of(table), column.name.casefold()].append(column.id)
    for ids in holders.values():
        if len(ids) <= _MOST:
            yield from combinations(ids, 2)


def _named_after_a_table(tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """`singer_id` or `singerid` points to `id` or `singer_id` of the table singer(s) of the same domain."""
    by_name = {(domain_of(table), _bare(table.name.rpartition(".")[2])): table for table in tables}
    for table in tables:
        for column in table.columns:
            stem = _bare(column.name).removesuffix("id")
            target = by_name.get((domain_of(table), singular(stem))) if len(stem) > 1 else None
            if target is None or target.name == table.name or not _bare(column.name).endswith("id"):
                continue
            named = (c for c in target.columns if c.name.casefold() in {"id", column.name.casefold()})
            yield from ((column.id, other.id) for other in named)


def is_key(column: Column) -> bool:
    """Whether a column is a key by role or by its name."""
    words = spelled_out(column.name).split()
    if column.role in {"primary_key", "foreign_key"} or column.name.casefold().endswith("id"):
        return True
    return bool(words) and words[-1] in _KEY_WORDS


def _bare(name: str) -> str:
    return singular("".join(char for char in name.casefold() if char.isalnum()))
