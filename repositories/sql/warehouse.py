"""A warehouse on a server that speaks MySQL's protocol: MySQL, MariaDB, TiDB, StarRocks, Doris."""

from collections.abc import AsyncIterator, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal, TypeVar

from pymysql.constants import FIELD_TYPE
from sqlalchemy import Connection, CursorResult

from data_agent.answers.cells import Cell, Kind, RawColumn, Sheet, cell
from data_agent.domain.admitted import AdmittedSql, Plan
from data_agent.domain.answer import Rows
from data_agent.domain.schema import Column
from data_agent.errors import StatementFailed, UnsafeSql, WarehouseUnavailable
from data_agent.options import Limits
from data_agent.ports.changes import ColumnState
from repositories.sql.engine import Server, session_of
from repositories.sql.errors import VIEW_HIDDEN, DriverError, is_lost, number, outage, text
from repositories.sql.states import states
from repositories.threads import Call, Lanes

Found = TypeVar("Found")
ZeroDates = Literal["text", "null"]
STATES_SECONDS = 60.0

GRACE_SECONDS = 2.0
"""The server's own time limit comes first; ours is for a server that does not answer at all."""


class MySQLWarehouse:
    """Reads only: read-only transactions, a time limit on the server, statements in `connections` threads.

    `time_zone` is the session's (a zone name or `+08:00`; None: the server's). `zero_dates` shows `0000-00-00` as its
    text or as null. All times are in seconds.
    """

    dialect = "mysql"

    def __init__(
        self,
        url: str,
        *,
        name: str = "warehouse",
        time_zone: str | None = None,
        connections: int = 8,
        connect_seconds: float = 5.0,
        wait_seconds: float = 5.0,
        stream_seconds: float = 600.0,
        zero_dates: ZeroDates = "text",
    ) -> None:
        self.name = name
        self._server = Server(
            url,
            name,
            size=connections,
            time_zone=time_zone,
            connect_seconds=connect_seconds,
            read_seconds=stream_seconds,
        )
        self._lanes = Lanes(name, connections, wait_seconds)
        self._connect_seconds, self._stream_seconds = connect_seconds, stream_seconds
        self._zero_dates: ZeroDates = zero_dates

    async def version(self) -> str:
        """What the server calls its version."""
        if not self._server.version:
            await self._lanes.run(lambda _: self._server.flavour, self._connect_seconds + GRACE_SECONDS)
        return self._server.version

    async def explain(self, sql: AdmittedSql, seconds: float = 10.0) -> Plan:
        """EXPLAIN under the same limits as running; a complaint about the SQL is data."""
        self._expect(sql)
        return await self._lanes.run(
            lambda call: self._read(call, seconds, lambda session: self._explain(session, sql.sql, seconds)),
            seconds + GRACE_SECONDS,
        )

    async def fetch(self, sql: AdmittedSql, limits: Limits) -> Rows:
        """Run it and read rows one by one until a limit is reached."""
        self._expect(sql)
        return await self._lanes.run(
            lambda call: self._read(call, limits.seconds, lambda session: self._fetch(session, sql.sql, limits)),
            limits.seconds + GRACE_SECONDS,
        )

    async def stream(self, sql: AdmittedSql, batch: int = 5000) -> AsyncIterator[list[tuple[Any, ...]]]:
        """Raw rows in batches from a server-side cursor; leaving early stops the statement."""
        self._expect(sql)
        async with self._lanes.lane() as call:
            rows = self._batches(call, sql.sql, batch)
            try:
                while found := await self._lanes.step(call, partial(next, rows, []), self._stream_seconds):
                    yield found
            finally:
                # ends the session in the thread it belongs to; unread rows make it be thrown away
                await self._lanes.step(call, rows.close, self._connect_seconds)

    async def privileges(self) -> tuple[str, ...]:
        """What the account may do, as SHOW GRANTS tells it; it should be SELECT only."""

        def grants(session: Connection) -> tuple[str, ...]:
            return tuple(str(row[0]) for row in session.exec_driver_sql("SHOW GRANTS"))

        return await self._lanes.run(lambda call: self._read(call, self._connect_seconds, grants), 10.0)

    async def states(self, columns: Sequence[Column]) -> dict[str, ColumnState]:
        """Marks of these columns that differ when their values do; see `data_agent.ports.changes`."""

        def told(session: Connection) -> dict[str, ColumnState]:
            return states(session, columns, self._server.flavour.name)

        return await self._lanes.run(lambda call: self._read(call, STATES_SECONDS, told), STATES_SECONDS)

    async def close(self) -> None:
        """Stop what runs, give back every connection."""
        await self._lanes.close()
        self._server.dispose()

    def _expect(self, sql: AdmittedSql) -> None:
        if not isinstance(sql, AdmittedSql) or sql.dialect != self.dialect:
            raise UnsafeSql(f"{self.name} takes admitted {self.dialect} statements only")

    def _read(self, call: Call, seconds: float, work: Callable[[Connection], Found]) -> Found:
        """Run `work` in a session; a connection that broke under it is replaced once, reading twice does no harm."""
        for attempt in (1, 2):
            try:
                with self._session(call, seconds) as session:
                    return work(session)
            except DriverError as error:
                if attempt == 1 and is_lost(error) and not call.abandoned:
                    continue
                raise self._told(error, seconds) from (getattr(error, "orig", None) or error)
        raise AssertionError("a second attempt returns or raises")

    @contextmanager
    def _session(self, call: Call, seconds: float) -> Iterator[Connection]:
        session = self._server.connect()
        try:
            call.stop = partial(self._server.kill, session_of(session))
            if call.abandoned:
                raise WarehouseUnavailable("nobody waits for this statement any more")
            self._server.begin(session, seconds)
            yield session
        finally:
            # in this order: a stop that is under way may still hit this session, so it must not be used again
            call.stop = lambda: None
            if call.abandoned and not session.closed:
                session.invalidate()
            session.close()

    def _told(self, error: Exception, seconds: float) -> Exception:
        hint = "the statement passed EXPLAIN but not its data · 语句已通过校验，但执行时出错"
        return outage(error, self.name, seconds) or StatementFailed(f"{text(error)} ({number(error)})", hint=hint)

    def _explain(self, session: Connection, sql: str, seconds: float) -> Plan:
        try:
            plan = session.exec_driver_sql(self._server.flavour.explain + sql).mappings().all()
        except DriverError as error:
            if is_lost(error) or outage(error, self.name, seconds):
                raise
            if number(error) == VIEW_HIDDEN:
                return _prepared(session, sql)
            return Plan(complaint=text(error), code=number(error))
        return Plan(estimated_rows=self._server.flavour.estimate([dict(row) for row in plan]))

    def _fetch(self, session: Connection, sql: str, limits: Limits) -> Rows:
        with self._unbuffered(session, sql, 1) as result:
            sheet = Sheet(self._columns(result), limits)
            for row in result:
                if not sheet.add(row):
                    break
        known = not session.invalidated and self._server.flavour.begin
        return sheet.rows(_warnings(session) if known else ())

    @contextmanager
    def _unbuffered(self, session: Connection, sql: str, rows: int) -> Iterator[CursorResult[Any]]:
        """A result that holds `rows` rows at a time; what is left unread stops at the server and costs the session."""
        result = session.execution_options(stream_results=True, max_row_buffer=rows).exec_driver_sql(sql)
        unread = True
        try:
            yield result
            unread = result.fetchone() is not None
        except DriverError:
            unread = False
            raise
        finally:
            if unread:
                self._server.kill(session_of(session))
                result.close()  # reads what is on its way, which the kill has made short
                session.invalidate()

    def _columns(self, result: CursorResult[Any]) -> list[RawColumn]:
        described: Any = result.cursor.description if result.cursor is not None else ()
        return [described_column(name, code, scale, self._zero_dates) for name, code, *_, scale, _ in described]

    def _batches(self, call: Call, sql: str, batch: int) -> Generator[list[tuple[Any, ...]]]:
        try:
            with (
                self._session(call, self._stream_seconds) as session,
                self._unbuffered(session, sql, batch) as result,
            ):
                while rows := result.fetchmany(batch):
                    yield [tuple(row) for row in rows]
        except DriverError as error:
            raise self._told(error, self._stream_seconds) from (getattr(error, "orig", None) or error)


def _prepared(session: Connection, sql: str) -> Plan:
    """Prove a statement whose EXPLAIN our account may not see: PREPARE resolves every name and runs nothing."""
    try:
        session.execution_options(no_parameters=False).exec_driver_sql("SET @data_agent_statement = %s", (sql,))
        session.exec_driver_sql("PREPARE data_agent_statement FROM @data_agent_statement")
        session.exec_driver_sql("DEALLOCATE PREPARE data_agent_statement")
    except DriverError as error:
        if is_lost(error) or outage(error, "warehouse"):
            raise
        return Plan(complaint=text(error), code=number(error))
    return Plan()


def _warnings(session: Connection) -> tuple[str, ...]:
    """What the server warned of, each once, at most five."""
    found = session.exec_driver_sql("SHOW WARNINGS").all()
    told = dict.fromkeys(f"{message} ({code})" for level, code, message in found if level != "Note")
    return tuple(told)[:5]


KINDS: dict[int, Kind] = {
    **dict.fromkeys((FIELD_TYPE.TINY, FIELD_TYPE.SHORT, FIELD_TYPE.INT24, FIELD_TYPE.LONG), "integer"),
    **dict.fromkeys((FIELD_TYPE.LONGLONG, FIELD_TYPE.YEAR, FIELD_TYPE.BIT), "integer"),
    **dict.fromkeys((FIELD_TYPE.DECIMAL, FIELD_TYPE.NEWDECIMAL), "decimal"),
    **dict.fromkeys((FIELD_TYPE.FLOAT, FIELD_TYPE.DOUBLE), "float"),
    **dict.fromkeys((FIELD_TYPE.DATE, FIELD_TYPE.NEWDATE), "date"),
    **dict.fromkeys((FIELD_TYPE.DATETIME, FIELD_TYPE.TIMESTAMP), "datetime"),
    FIELD_TYPE.TIME: "time",
    FIELD_TYPE.JSON: "json",
}
"""Column kinds by protocol type. Text and bytes share types there, so their values tell."""


def described_column(name: str, code: int, scale: int | None, zero_dates: ZeroDates = "text") -> RawColumn:
    """A column from its protocol description."""
    kind = KINDS.get(code)
    if kind == "decimal" and scale == 0:
        return RawColumn(name, "integer", _whole)  # SUM of integers is a DECIMAL without decimals
    if code == FIELD_TYPE.BIT:
        return RawColumn(name, kind, _bits)
    if kind in {"date", "datetime"} and zero_dates == "null":
        return RawColumn(name, kind, _dated)
    return RawColumn(name, kind)


def _whole(value: Any) -> Cell:
    return None if value is None else cell(int(value))


def _bits(value: bytes | None) -> Cell:
    return None if value is None else cell(int.from_bytes(value, "big"))


def _dated(value: object) -> Cell:
    # the driver gives dates that no calendar has as text
    return None if isinstance(value, str) else cell(value)
