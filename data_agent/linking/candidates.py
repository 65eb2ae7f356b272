"""What recall found, laid out in arrays: one row a table, one row a column, every side in its own array."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Table
from data_agent.domain.value import ColumnHit, Value
from data_agent.linking.edges import edges_of
from data_agent.linking.groups import domain_of
from data_agent.wording.glossary import spoken
from data_agent.wording.names import said
from data_agent.wording.tokens import tokens

Scores = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Side:
    """The sides of recall for tables or for columns: cosines, lexical scores, and the share of a name that was said.

    `words` has one column for each keyword: the cosine with the name, 0 where nothing was found.
    """

    dense: Scores
    name: Scores
    text: Scores
    exact: Scores
    words: Scores


@dataclass(frozen=True)
class Candidates:
    """The tables that were hit and all their columns.

    `owner` is the table row of each column, `domain` a group number of each table, `edges` pairs of column rows that
    join two tables, `value` the best stored value that was found in each column.
    """

    table_names: list[str]
    column_names: list[str]
    table: Side
    column: Side
    owner: Rows
    domain: Rows
    edges: Rows
    value: Scores


def gather(hits: Sequence[ColumnHit], catalog: Catalog, words: Sequence[str], values: Sequence[Value]) -> Candidates:
    """Lay hits and values out; a side that did not find something counts as its least score."""
    tables = _tables(hits, values, catalog)
    columns = [column for table in tables for column in table.columns]
    by_id = {(hit.table, hit.column): hit for hit in hits}
    heard = frozenset(spoken(words))
    row = {table.name: number for number, table in enumerate(tables)}
    best_value = _best_values(values)
    of_tables = [by_id.get((table.name, "")) for table in tables]
    of_columns = [by_id.get((column.table, column.name)) for column in columns]
    return Candidates(
        table_names=[table.name for table in tables],
        column_names=[column.id for column in columns],
        table=_side(of_tables, [_share((table.name, *table.aliases), heard) for table in tables], telling(words)),
        column=_side(of_columns, [_share((column.name, *column.aliases), heard) for column in columns], telling(words)),
        owner=np.array([row[column.table] for column in columns], dtype=np.int64),
        domain=_groups([domain_of(table) for table in tables]),
        edges=_edge_rows(tables, columns, catalog),
        value=np.array([best_value.get(column.id, 0.0) for column in columns]),
    )


def _tables(hits: Sequence[ColumnHit], values: Sequence[Value], catalog: Catalog) -> list[Table]:
    names = dict.fromkeys([hit.table for hit in hits] + [value.table for value in values])
    known = (catalog.table(name) for name in names)
    return [table for table in known if table is not None and table.columns and not table.retired]


def telling(words: Sequence[str]) -> list[int]:
    """Rows that may name something: the question itself (row 0) and every keyword that is not a bare number."""
    return [0, *(row for row, word in enumerate(words, 1) if any(char.isalpha() for char in word))]


def _side(hits: Sequence[ColumnHit | None], exact: Sequence[float], heard: Sequence[int]) -> Side:
    """Rows of one side; `heard` are the keyword rows that count."""
    rows = [
        np.asarray(hit.words)[list(heard)] if hit and len(hit.words) > max(heard, default=0) else None for hit in hits
    ]
    words = np.array([np.zeros(len(heard)) if row is None else np.maximum(row, 0.0) for row in rows])
    return Side(
        dense=_filled([hit.dense if hit else None for hit in hits]),
        name=_filled([hit.name if hit else None for hit in hits]),
        text=_filled([hit.text if hit else None for hit in hits], least=0.0),
        exact=np.array(exact, dtype=np.float64),
        words=words.reshape(len(hits), len(heard)),
    )


def _filled(scores: Iterable[float | None], least: float | None = None) -> Scores:
    """Scores as an array; what was not found gets the least score of those that were."""
    held = list(scores)
    found = [score for score in held if score is not None]
    floor = min(found, default=0.0) if least is None else least
    return np.array([floor if score is None else score for score in held], dtype=np.float64)


def _groups(names: Sequence[str]) -> Rows:
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64)


def _edge_rows(tables: Sequence[Table], columns: Sequence[Column], catalog: Catalog) -> Rows:
    row = {column.id.casefold(): number for number, column in enumerate(columns)}
    pairs = ((row.get(left.casefold()), row.get(right.casefold())) for left, right in edges_of(tables, catalog))
    kept = sorted({(left, right) for left, right in pairs if left is not None and right is not None})
    return np.array(kept, dtype=np.int64).reshape(-1, 2)


def _share(names: Sequence[str], heard: frozenset[str]) -> float:
    """The largest share of one name's tokens that the question says, in either language."""
    parts = [set(tokens(said(name))) for name in names]
    return max((len(part & heard) / len(part) for part in parts if part), default=0.0)


def _best_values(values: Sequence[Value]) -> dict[str, float]:
    best: dict[str, float] = {}
    for value in values:
        best[value.column_id] = max(best.get(value.column_id, 0.0), value.score)
    return best
