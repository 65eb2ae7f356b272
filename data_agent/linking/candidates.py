"""What recall found, laid out in arrays: one row a table, one row a column, every side in its own array."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Table
from data_agent.domain.value import ColumnHit, Value
from data_agent.wording.tokens import tokens

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Candidates:
    """The tables that were hit and all their columns.

    `owner` is the table row of each column, `domain` a group number of each table, `neighbours` the rows one foreign
    key away. `exact` is the share of a name that stands in the question's words, `value` the best value in the column.
    """

    tables: list[str]
    columns: list[str]
    owner: NDArray[np.int64]
    domain: NDArray[np.int64]
    neighbours: list[list[int]]
    table_dense: Scores
    table_name: Scores
    table_text: Scores
    table_exact: Scores
    column_dense: Scores
    column_name: Scores
    column_text: Scores
    column_exact: Scores
    column_value: Scores


def gather(hits: Sequence[ColumnHit], catalog: Catalog, words: Sequence[str], values: Sequence[Value]) -> Candidates:
    """Lay hits and values out; a side that did not find something counts as its least score."""
    tables = _tables(hits, values, catalog)
    columns = [column for table in tables for column in table.columns]
    by_id = {(hit.table, hit.column): hit for hit in hits}
    of_tables = [by_id.get((table.name, "")) for table in tables]
    of_columns = [by_id.get((column.table, column.name)) for column in columns]
    spoken = {token for word in words for token in tokens(word)}
    row = {table.name: number for number, table in enumerate(tables)}
    best_value = _best_values(values)
    return Candidates(
        tables=[table.name for table in tables],
        columns=[column.id for column in columns],
        owner=np.array([row[column.table] for column in columns], dtype=np.int64),
        domain=_groups([domain_of(table) for table in tables]),
        neighbours=_neighbours(catalog, row),
        table_dense=_side([hit.dense if hit else None for hit in of_tables]),
        table_name=_side([hit.name if hit else None for hit in of_tables]),
        table_text=_side([hit.text if hit else None for hit in of_tables], least=0.0),
        table_exact=np.array([_spoken_share((table.name, *table.aliases), spoken) for table in tables]),
        column_dense=_side([hit.dense if hit else None for hit in of_columns]),
        column_name=_side([hit.name if hit else None for hit in of_columns]),
        column_text=_side([hit.text if hit else None for hit in of_columns], least=0.0),
        column_exact=np.array([_spoken_share((column.name, *column.aliases), spoken) for column in columns]),
        column_value=np.array([best_value.get(column.id, 0.0) for column in columns]),
    )


def domain_of(table: Table) -> str:
    """The subject area of a table, or the database in front of its name."""
    return table.domain or table.name.rpartition(".")[0]


def _tables(hits: Sequence[ColumnHit], values: Sequence[Value], catalog: Catalog) -> list[Table]:
    names = dict.fromkeys([hit.table for hit in hits] + [value.table for value in values])
    known = (catalog.table(name) for name in names)
    return [table for table in known if table is not None and not table.retired]


def _side(scores: Iterable[float | None], least: float | None = None) -> Scores:
    """Scores as an array; what was not found gets the least score of those that were."""
    held = list(scores)
    found = [score for score in held if score is not None]
    floor = min(found, default=0.0) if least is None else least
    return np.array([floor if score is None else score for score in held], dtype=np.float64)


def _groups(names: Sequence[str]) -> NDArray[np.int64]:
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64)


def _neighbours(catalog: Catalog, row: dict[str, int]) -> list[list[int]]:
    near: list[list[int]] = [[] for _ in row]
    for link in catalog.relationships:
        left, right = row.get(link.from_table), row.get(link.to_table)
        if left is not None and right is not None and left != right:
            near[left].append(right)
            near[right].append(left)
    return near


def _spoken_share(names: Sequence[str], spoken: set[str]) -> float:
    """The largest share of one name's tokens that the question says."""
    parts = [set(tokens(name.rpartition(".")[2])) for name in names]
    return max((len(part & spoken) / len(part) for part in parts if part), default=0.0)


def _best_values(values: Sequence[Value]) -> dict[str, float]:
    best: dict[str, float] = {}
    for value in values:
        best[value.column_id] = max(best.get(value.column_id, 0.0), value.score)
    return best
