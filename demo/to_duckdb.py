"""Write the demo into a DuckDB file: beside it first, then moved into place in one step."""

import os
from collections.abc import Callable
from pathlib import Path

import duckdb
from sqlalchemy.engine import URL

from data_agent.domain.schema import Column, Table
from data_agent.errors import InvalidSettings
from demo.generate import MISSING, Columns
from demo.layout import MARKER, comments, create_table, demo_catalog, tables

Generate = Callable[[], dict[str, Columns]]


def build_duckdb(target: URL, generate: Generate, stamp: str) -> dict[str, int]:
    """Rows written by table; empty when the file already holds exactly this.

    Raises:
        InvalidSettings: the file exists and is not a demo warehouse.
    """
    path = Path(target.database or "")
    if path.exists() and _stamp_of(path) == stamp:
        return {}
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.building")
    try:
        draft.unlink(missing_ok=True)
        rows = _fill(draft, generate(), stamp)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
        draft.with_name(f"{draft.name}.wal").unlink(missing_ok=True)
    return rows


def _stamp_of(path: Path) -> str:
    """What an existing file says it is."""
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            row = connection.execute(f'SELECT stamp FROM "{MARKER}"').fetchone()
    except duckdb.Error as error:
        raise InvalidSettings(
            f"{path} exists and is not a demo warehouse, or is being written by another program",
            hint="Name another file, or remove this one.",
        ) from error
    return str(row[0]) if row else ""


def _fill(draft: Path, data: dict[str, Columns], stamp: str) -> dict[str, int]:
    catalog = demo_catalog()
    with duckdb.connect(str(draft)) as connection:
        for table in tables(catalog):
            connection.execute(create_table(catalog, table, "duckdb"))
            connection.register("incoming", _timed(data[table.name]))
            connection.execute(f'INSERT INTO "{table.name}" SELECT {_cells(table)} FROM incoming')
            connection.unregister("incoming")
            for statement in comments(table):
                connection.execute(statement)
        connection.execute(f"CREATE TABLE \"{MARKER}\" AS SELECT '{stamp}' AS stamp")
    return {table.name: len(data[table.name][table.columns[0].name]) for table in tables(catalog)}


def _timed(columns: Columns) -> Columns:
    """DuckDB reads no day-precision times."""
    return {
        name: cells.astype("datetime64[us]") if cells.dtype.kind == "M" else cells for name, cells in columns.items()
    }


def _cells(table: Table) -> str:
    return ", ".join(_cell(column) for column in table.columns)


def _cell(column: Column) -> str:
    """Fen become exact decimals; the missing mark becomes NULL."""
    name = f'"{column.name}"'
    if column.type in {"integer", "decimal"} and column.nullable:
        name = f"NULLIF({name}, {MISSING})"
    return f"CAST({name} AS DECIMAL(14,0)) * 0.01" if column.type == "decimal" else name
