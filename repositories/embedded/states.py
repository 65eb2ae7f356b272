"""Whether the values of a DuckDB file may have changed: one pass over the columns, inside DuckDB."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby

import duckdb

from data_agent.domain.schema import Column
from data_agent.ports.changes import ColumnState

KIND = f"duckdb {duckdb.__version__}"
"""Hashes of another version may differ."""


def states(cursor: duckdb.DuckDBPyConnection, columns: Sequence[Column]) -> dict[str, ColumnState]:
    """Rows and the sum of the hashes of every column. A table that cannot be read is left out."""
    found: dict[str, ColumnState] = {}
    for table, group in groupby(columns, key=lambda column: column.table):
        with suppress(duckdb.Error):
            found.update(_of_table(cursor, table, list(group)))
    return found


def _of_table(
    cursor: duckdb.DuckDBPyConnection, table: str, columns: Sequence[Column]
) -> Iterator[tuple[str, ColumnState]]:
    sums = ", ".join(f"sum(hash({_quoted(column.name)}))::VARCHAR" for column in columns)
    rows, *hashes = cursor.execute(f"SELECT count(*), {sums} FROM {_quoted(table)}").fetchone() or (0,)
    for column, told in zip(columns, hashes, strict=True):
        yield column.id, ColumnState(mark=f"{KIND}: {rows} {told}", rows=rows)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
