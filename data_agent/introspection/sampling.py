"""Read a bounded sample of every table, at most so many at once; what cannot be read is noted and the rest goes on."""

import asyncio
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from data_agent.catalog.kinds import kind_of
from data_agent.errors import DataAgentError, StatementFailed, WarehouseTimeout, WarehouseUnavailable
from data_agent.introspection.names import key_name
from data_agent.introspection.options import IntrospectOptions, IntrospectProgress, Progress, Skipped
from data_agent.introspection.profile import Profiled, profiled
from data_agent.ports.inspector import Counts, Inspector, Sample, TableFacts

UNSAMPLED = frozenset({"bytes", "json"})


class Sampling:
    """One run over the tables; `skipped` says what was not read."""

    def __init__(self, inspector: Inspector, options: IntrospectOptions, progress: Progress) -> None:
        self.inspector = inspector
        self.options = options
        self.progress = progress
        self.skipped: list[Skipped] = []
        self._slots = asyncio.Semaphore(options.parallel)
        self._start = perf_counter()
        self._done = 0
        self._down: list[WarehouseUnavailable] = []

    async def tables(self, facts: Sequence[TableFacts]) -> list[Profiled]:
        """Every readable table with its profile.

        Raises:
            WarehouseUnavailable: no table at all could be read.
        """
        found = await asyncio.gather(*(self._table(each, len(facts)) for each in facts))
        read = [table for table in found if table is not None]
        if self._down and not read:
            raise self._down[0]
        return read

    async def present(self, table: Profiled, column: str, values: Sequence[Any]) -> int | None:
        """How many of the values stand in a column; None when that could not be asked."""
        try:
            async with self._slots:
                return await self.inspector.present(table.facts, column, values, self.options.table_seconds)
        except DataAgentError as error:
            self.skipped.append(Skipped(what=f"{table.facts.name}.{column}", why=f"not compared: {_why(error)}"))
            return None

    async def _table(self, facts: TableFacts, total: int) -> Profiled | None:
        async with self._slots:
            try:
                return await self._read(facts)
            finally:
                self._done += 1
                self.progress(IntrospectProgress(part="samples", done=self._done, total=total, detail=facts.name))

    async def _read(self, facts: TableFacts) -> Profiled | None:
        if perf_counter() - self._start > self.options.total_seconds:
            self._note(facts.name, "not sampled: the time for all tables is used up")
            return profiled(facts, None)
        try:
            sample = await self._sample(facts)
            return profiled(facts, sample, await self._counts(facts, sample))
        except WarehouseTimeout:
            self._note(facts.name, f"not sampled: reading took longer than {self.options.table_seconds:g} s")
            return profiled(facts, None)
        except WarehouseUnavailable as error:
            self._down.append(error)
            self._note(facts.name, _why(error), left_out=True)
        except UnicodeError:
            self._note(facts.name, "not sampled: it holds text that is not valid UTF-8")
            return profiled(facts, None)
        except StatementFailed as error:
            self._note(facts.name, _why(error), left_out=True)
        except DataAgentError as error:
            self._note(facts.name, f"not sampled: {_why(error)}")
            return profiled(facts, None)
        return None

    async def _sample(self, facts: TableFacts) -> Sample:
        columns = []
        for column in facts.columns:
            kind = kind_of(column.type)
            if kind is None:
                self._note(f"{facts.name}.{column.name}", f"not sampled: unknown type `{column.type}`, kept as text")
            elif kind not in UNSAMPLED:
                columns.append(column.name)
        rows, seconds = self.options.sample_rows, self.options.table_seconds
        if not columns:
            return Sample(columns=())
        return await self.inspector.sample(facts, columns, rows, seconds)

    async def _counts(self, facts: TableFacts, sample: Sample) -> Counts | None:
        """Prove keys of a table that is larger than its sample, where names or samples leave room for one."""
        if sample.complete or facts.view:
            return None
        first = profiled(facts, sample)
        declared = {name for names in (facts.primary_key, *facts.unique_keys) if len(names) == 1 for name in names}
        wanted = [
            c.facts.name
            for at, c in enumerate(first.columns)
            if c.unique and c.facts.name not in declared and (at == 0 or key_name(c.facts.name).word)
        ]
        if not wanted:
            return None
        try:
            return await self.inspector.counts(facts, wanted[:8], self.options.count_rows, self.options.table_seconds)
        except DataAgentError as error:
            self._note(facts.name, f"keys not counted: {_why(error)}")
            return None

    def _note(self, what: str, why: str, left_out: bool = False) -> None:
        self.skipped.append(Skipped(what=what, why=why, left_out=left_out))


def _why(error: DataAgentError) -> str:
    return error.message.splitlines()[0]
