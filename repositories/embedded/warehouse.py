"""A warehouse in one DuckDB file: opened for reading, closed to files and network, its settings locked."""

import json
import threading
from collections.abc import AsyncIterator, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from data_agent.answers.cells import Cell, Kind, RawColumn, Sheet, cell
from data_agent.domain.admitted import AdmittedSql, Plan
from data_agent.domain.answer import Rows
from data_agent.domain.schema import Column
from data_agent.errors import StatementFailed, UnsafeSql, WarehouseUnavailable
from data_agent.options import Limits
from data_agent.ports.changes import ColumnState
from repositories.embedded.states import states
from repositories.embedded.warehouse_errors import cannot_open, code, complaint, outage
from repositories.threads import Call, Lanes


class DuckDBWarehouse:
    """Any number of these may read one file, in any number of processes, while nobody writes to it.

    `memory` is DuckDB's limit for all statements together, `cores` how many threads it computes with, `connections`
    how many statements run at once. `time_zone` is the session's. Times are in seconds.
    """

    dialect = "duckdb"

    def __init__(
        self,
        file: Path | str,
        *,
        name: str = "warehouse",
        time_zone: str | None = None,
        memory: str = "1GB",
        cores: int = 2,
        connections: int = 4,
        wait_seconds: float = 5.0,
        stream_seconds: float = 600.0,
    ) -> None:
        self.name = name
        self._file, self._time_zone = Path(file), time_zone
        self._config: dict[str, Any] = {
            "threads": cores,
            "memory_limit": memory,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
        self._lanes = Lanes(name, connections, wait_seconds)
        self._stream_seconds = stream_seconds
        self._opening = threading.Lock()
        self._database: duckdb.DuckDBPyConnection | None = None

    async def version(self) -> str:
        """DuckDB's version."""
        return duckdb.__version__

    async def explain(self, sql: AdmittedSql, seconds: float = 10.0) -> Plan:
        """EXPLAIN; a complaint about the SQL is data. The estimate is the largest cardinality in the plan."""
        self._expect(sql)
        return await self._lanes.run(partial(self._explain, sql.sql), seconds)

    async def fetch(self, sql: AdmittedSql, limits: Limits) -> Rows:
        """Run it and read rows one by one until a limit is reached."""
        self._expect(sql)
        return await self._lanes.run(partial(self._fetch, sql.sql, limits), limits.seconds)

    async def stream(self, sql: AdmittedSql, batch: int = 5000) -> AsyncIterator[list[tuple[Any, ...]]]:
        """Raw rows in batches as DuckDB makes them; leaving early stops the statement."""
        self._expect(sql)
        async with self._lanes.lane() as call:
            rows = self._batches(call, sql.sql, batch)
            try:
                while found := await self._lanes.step(call, partial(next, rows, []), self._stream_seconds):
                    yield found
            finally:
                await self._lanes.step(call, rows.close, self._stream_seconds)

    async def states(self, columns: Sequence[Column]) -> dict[str, ColumnState]:
        """Marks of these columns that differ when their values do; see `data_agent.ports.changes`."""

        def told(call: Call) -> dict[str, ColumnState]:
            with self._cursor(call) as cursor:
                return states(cursor, columns)

        return await self._lanes.run(told, self._stream_seconds)

    async def close(self) -> None:
        """Stop what runs and close the file."""
        await self._lanes.close()
        with self._opening:
            if self._database is not None:
                self._database.close()
                self._database = None

    def _expect(self, sql: AdmittedSql) -> None:
        if not isinstance(sql, AdmittedSql) or sql.dialect != self.dialect:
            raise UnsafeSql(f"{self.name} takes admitted {self.dialect} statements only")

    def _open(self) -> duckdb.DuckDBPyConnection:
        with self._opening:
            if self._database is None:
                try:
                    database = duckdb.connect(self._file, read_only=True, config=self._config)
                    with closing_on_error(database):
                        lock_down(database, self._time_zone)
                except duckdb.Error as error:
                    raise cannot_open(error, self.name, self._file) from error
                self._database = database
            return self._database

    @contextmanager
    def _cursor(self, call: Call) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection of its own for one statement, which whoever waits may interrupt."""
        with closing(self._open().cursor()) as cursor:
            call.stop = cursor.interrupt
            try:
                if call.abandoned:
                    raise WarehouseUnavailable("nobody waits for this statement any more")
                yield cursor
            except duckdb.Error as error:
                hint = "the statement passed EXPLAIN but not its data · 语句已通过校验，但执行时出错"
                told = outage(error, self.name) or StatementFailed(f"{complaint(error)} ({code(error)})", hint=hint)
                raise told from error
            finally:
                call.stop = lambda: None

    def _explain(self, sql: str, call: Call) -> Plan:
        with self._cursor(call) as cursor:
            try:
                plan = cursor.execute(f"EXPLAIN (FORMAT json) {sql}").fetchall()
            except duckdb.Error as error:
                if outage(error, self.name):
                    raise
                return Plan(complaint=complaint(error), code=code(error))
        return Plan(estimated_rows=largest_cardinality(json.loads(plan[0][1])))

    def _fetch(self, sql: str, limits: Limits, call: Call) -> Rows:
        with self._cursor(call) as cursor:
            cursor.execute(sql)
            sheet = Sheet([described_column(name, str(kind)) for name, kind, *_ in cursor.description or ()], limits)
            while (row := cursor.fetchone()) is not None and sheet.add(row):
                pass
            return sheet.rows()

    def _batches(self, call: Call, sql: str, batch: int) -> Generator[list[tuple[Any, ...]]]:
        with self._cursor(call) as cursor:
            cursor.execute(sql)
            while rows := cursor.fetchmany(batch):
                yield rows


@contextmanager
def closing_on_error(database: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Give the connection back where it could not be made ready, so that the next try starts anew."""
    try:
        yield
    except duckdb.Error:
        database.close()
        raise


def lock_down(database: duckdb.DuckDBPyConnection, time_zone: str | None) -> None:
    """Set what sessions need, then close the door to files, network and further settings, and throw the key away.

    A file that this program has open already is locked down already: DuckDB shares one database between them.
    """
    asked = "SELECT current_setting('lock_configuration'), current_setting('TimeZone')"
    locked, zone = database.execute(asked).fetchone() or (False, "")
    if locked and time_zone in {None, zone}:
        return
    if time_zone:
        database.execute("SET GLOBAL TimeZone = ?", [time_zone])
    # With it 2.0.1 finds EXISTS (... LEFT JOIN b ON ... AND b.y IS NULL) false where y has no NULL: rows go missing.
    database.execute("SET GLOBAL disabled_optimizers = 'statistics_propagation'")
    database.execute("SET enable_external_access = false")
    database.execute("SET lock_configuration = true")


def largest_cardinality(plan: Any) -> int | None:
    """The largest `Estimated Cardinality` in a JSON plan, a tree of lists and nodes.

    A cross product says none of its own; it is what its sides make of each other.
    """
    if isinstance(plan, list):
        return max((found for node in plan if (found := largest_cardinality(node)) is not None), default=None)
    own = plan.get("extra_info", {}).get("Estimated Cardinality")
    below = largest_cardinality(plan.get("children", []))
    if own is None and plan.get("name") == "CROSS_PRODUCT":
        own = prod(largest_cardinality(side) or 1 for side in plan["children"])
    return max((int(found) for found in (own, below) if found is not None), default=None)


KINDS: dict[str, Kind] = {
    "BOOLEAN": "bool",
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"), "integer"),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"), "integer"),
    **dict.fromkeys(("FLOAT", "DOUBLE"), "float"),
    "DATE": "date",
    **dict.fromkeys(("TIME", "TIME_NS", "TIME WITH TIME ZONE", "INTERVAL"), "time"),
    "BLOB": "bytes",
    **dict.fromkeys(("JSON", "STRUCT", "MAP", "LIST"), "json"),
    **dict.fromkeys(("VARCHAR", "UUID", "ENUM", "BIT"), "text"),
}


def described_column(name: str, declared: str) -> RawColumn:
    """A column from its declared type, e.g. `DECIMAL(12,2)`, `STRUCT(a INTEGER)`, `INTEGER[]`."""
    if declared.endswith("]"):
        return RawColumn(name, "json")
    if declared.startswith("TIMESTAMP"):
        return RawColumn(name, "datetime")
    if declared.startswith("DECIMAL"):
        return RawColumn(name, "integer", _whole) if declared.endswith(",0)") else RawColumn(name, "decimal")
    if declared == "FLOAT":
        return RawColumn(name, "float", _single)
    return RawColumn(name, KINDS.get(declared.partition("(")[0]))


def _whole(value: Any) -> Cell:
    return None if value is None else cell(int(value))


def _single(value: float | None) -> Cell:
    # a 32-bit 0.1 is shown as 0.1 and not as its 64-bit neighbour 0.10000000149011612
    return None if value is None else cell(float(str(np.float32(value))))
