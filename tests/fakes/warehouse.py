"""A warehouse in memory: it knows the statements it was told, and answers like the real ones."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from data_agent.answers.cells import RawColumn, Sheet
from data_agent.domain.admitted import AdmittedSql, Plan
from data_agent.domain.answer import Rows
from data_agent.errors import DataAgentError, StatementFailed, UnsafeSql, WarehouseTimeout, WarehouseUnavailable
from data_agent.options import Limits


@dataclass(frozen=True)
class Told:
    """What a statement gives: rows under `names`, after `seconds`; or a `complaint`; or an `error` when it runs."""

    names: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = ()
    seconds: float = 0.0
    complaint: str | None = None
    code: int | str | None = None
    error: DataAgentError | None = None
    estimated_rows: int | None = None
    notices: Sequence[str] = ()


@dataclass
class FakeWarehouse:
    """Answers `statements` (text → Told); any other is a complaint, or `otherwise` when that is set.

    `explained` and `fetched` remember what was asked, `stopped` what was left running and then stopped. `down` makes
    every call fail as an unreachable server does.
    """

    statements: Mapping[str, Told] = field(default_factory=dict)
    otherwise: Told | None = None
    name: str = "fake"
    dialect: str = "mysql"
    server_version: str = "9.7.0"
    down: bool = False
    explained: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    closed: bool = False

    async def version(self) -> str:
        """The version it was given."""
        self._expect_open()
        return self.server_version

    async def explain(self, sql: AdmittedSql, seconds: float = 10.0) -> Plan:
        """The complaint or the estimate it was told."""
        told = self._told(sql)
        self.explained.append(sql.sql)
        if told.complaint:
            return Plan(complaint=told.complaint, code=told.code)
        return Plan(estimated_rows=told.estimated_rows)

    async def fetch(self, sql: AdmittedSql, limits: Limits) -> Rows:
        """The rows it was told, within limits."""
        told = self._told(sql)
        self.fetched.append(sql.sql)
        await self._run(sql.sql, told, limits.seconds)
        sheet = Sheet([RawColumn(name) for name in told.names], limits)
        for row in told.rows:
            if not sheet.add(row):
                break
        return sheet.rows(told.notices)

    async def stream(self, sql: AdmittedSql, batch: int = 5000) -> AsyncIterator[list[tuple[Any, ...]]]:
        """The raw rows it was told, in batches."""
        told = self._told(sql)
        await self._run(sql.sql, told, 600.0)
        for start in range(0, len(told.rows), batch):
            yield [tuple(row) for row in told.rows[start : start + batch]]

    async def close(self) -> None:
        """Answer no more."""
        self.closed = True

    def _expect_open(self) -> None:
        if self.closed or self.down:
            raise WarehouseUnavailable(f"{self.name} cannot be reached")

    def _told(self, sql: AdmittedSql) -> Told:
        if not isinstance(sql, AdmittedSql) or sql.dialect != self.dialect:
            raise UnsafeSql(f"{self.name} takes admitted {self.dialect} statements only")
        self._expect_open()
        unknown = Told(complaint=f"nobody told {self.name} about: {sql.sql}", code=0)
        return self.statements.get(sql.sql, self.otherwise or unknown)

    async def _run(self, sql: str, told: Told, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await asyncio.sleep(told.seconds)
        except TimeoutError:
            self.stopped.append(sql)
            raise WarehouseTimeout(f"{self.name} ran the statement longer than {seconds:g} s") from None
        except asyncio.CancelledError:
            self.stopped.append(sql)
            raise
        if told.complaint:
            raise StatementFailed(f"{told.complaint} ({told.code})")
        if told.error is not None:
            raise told.error
