"""Statements that somebody trusts, run on a DuckDB file as they are written; for measuring, never for answering."""

from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from data_agent.errors import StatementFailed

MAX_ROWS = 50_000


class GoldDuckDB:
    """One file, attached for reading for each statement, whatever else has it open."""

    dialect = "duckdb"

    def __init__(self, path: Path) -> None:
        self._path = path

    def run(self, sql: str, _database: str = "") -> list[tuple[Any, ...]]:
        """The rows of one statement, at most 50,000.

        Raises:
            StatementFailed: DuckDB complained.
        """
        try:
            with duckdb.connect() as connection:
                connection.execute(f"ATTACH {exp.Literal.string(str(self._path))} AS gold (READ_ONLY)")
                connection.execute("USE gold")
                return connection.execute(sql).fetchmany(MAX_ROWS)
        except duckdb.Error as error:
            raise StatementFailed(str(error)) from error
