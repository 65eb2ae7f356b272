"""Does a catalog hold on its warehouse? Metrics are run, relationships compared with data."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Literal

from data_agent.catalog.assemble import Place
from data_agent.composing.compose import compose
from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.domain.metric import Metric
from data_agent.domain.reading import Reading, ReadMetric
from data_agent.domain.schema import Relationship, Table
from data_agent.domain.time import CalendarSettings
from data_agent.errors import DataAgentError, StatementFailed, UnsafeSql, WarehouseTimeout
from data_agent.options import Limits
from data_agent.ports.inspector import ColumnFacts, Inspector, SchemaFacts, TableFacts
from data_agent.sql.admit import admit

Severity = Literal["error", "warning"]
COMPARED = 200
LEAST_FOUND = 0.5


class Finding(Frozen):
    """Something that does not hold: `where` is file, line and field, `mend` what to do."""

    severity: Severity
    where: str
    message: str
    mend: str


class ProofLimits(Frozen):
    """`rows` are read to compare a relationship; `seconds` is the time for one statement."""

    rows: int = 100_000
    seconds: float = 10.0


class Proof:
    """One check of a catalog; `places` say where each thing is written."""

    def __init__(
        self, catalog: Catalog, places: dict[str, Place], inspector: Inspector, now: datetime, limits: ProofLimits
    ) -> None:
        self.catalog = catalog
        self.places = places
        self.inspector = inspector
        self.now = now
        self.limits = limits
        self._facts: dict[str, TableFacts] = {}

    async def findings(self) -> AsyncIterator[Finding]:
        """Every finding: tables first, then relationships, then metrics.

        Raises:
            WarehouseUnavailable: the warehouse cannot be reached.
        """
        schema = await self.inspector.schema()
        self._facts = {table.name.casefold(): table for table in schema.tables}
        for finding in self._absent(schema):
            yield finding
        for index, link in enumerate(self.catalog.relationships):
            async for finding in self._link(index, link):
                yield finding
        for metric in self.catalog.metrics:
            if metric.expression and (wrong := await self._metric(metric)):
                yield wrong

    def _absent(self, schema: SchemaFacts) -> list[Finding]:
        found = []
        for table in self.catalog.tables:
            facts = self._facts.get(table.name.casefold())
            if facts is None:
                where = self._where(f"table:{table.name}", "name")
                why = schema.unreadable.get(table.name, "the database has no such table")
                found.append(_error(where, f"`{table.name}`: {why}", "mend the name, or set retired: true"))
                continue
            found += self._absent_columns(table, facts)
        return found

    def _absent_columns(self, table: Table, facts: TableFacts) -> list[Finding]:
        there = {column.name.casefold() for column in facts.columns}
        missing = (column for column in table.columns if column.name.casefold() not in there)
        return [
            _error(
                self._where(f"column:{column.id}", "name"),
                f"`{table.name}` has no column `{column.name}` in the database",
                "mend the name, or delete the column; data-agent introspect --out FILE offers renames",
            )
            for column in missing
        ]

    async def _metric(self, metric: Metric) -> Finding | None:
        where = self._where(f"metric:{metric.name}", "expression")
        reading = Reading(
            question=metric.name, language="en", metrics=(ReadMetric(words=metric.name, metric=metric.name),)
        )
        limits = Limits(max_rows=1, seconds=self.limits.seconds)
        dialect = self.inspector.dialect
        try:
            composed = compose(
                reading, catalog=self.catalog, dialect=dialect, now=self.now, calendar=CalendarSettings()
            )
            version = await self.inspector.version()
            sql = admit(composed.sql, catalog=self.catalog, dialect=dialect, limits=limits, version=version)
            plan = await self.inspector.explain(sql, limits.seconds)
            if plan.complaint:
                return _error(where, f"the database refuses it: {plan.complaint}", "mend the expression or its filters")
            await self.inspector.fetch(sql, limits)
        except UnsafeSql as error:
            return _error(where, f"not admitted: {error.message}", error.hint or "mend the expression or its filters")
        except WarehouseTimeout:
            mend = "add an index or a filter, or raise --seconds"
            return _warning(where, f"took longer than {limits.seconds:g} s", mend)
        except StatementFailed as error:
            return _error(where, f"fails when run: {error.message}", "mend the expression or its filters")
        except DataAgentError as error:
            if error.status == 503:
                raise
            return _error(where, error.message, error.hint or "mend the metric")
        return None

    async def _link(self, index: int, link: Relationship) -> AsyncIterator[Finding]:
        sides = [self._side(link.from_table, link.from_columns), self._side(link.to_table, link.to_columns)]
        if None in sides:
            return
        where = self._where(f"relationship:#{index}", "cardinality")
        name = f"{link.from_table}.{_named(link.from_columns)} → {link.to_table}.{_named(link.to_columns)}"
        try:
            for side, table, columns in _single_sides(link):
                if repeats := await self._repeats(table, columns):
                    of = f"`{table}.{_named(columns)}`"
                    message = f"{name} is written as {link.cardinality}, but {of} repeats: {repeats}"
                    yield _error(where, message, f"write cardinality: {_real(link, side)}, or mend the data")
            if share := await self._share(link):
                here = self._where(f"relationship:#{index}", "from")
                yield _warning(here, f"{name}: {share}", "is it the right column? delete the relationship if not")
        except WarehouseTimeout:
            yield _warning(where, f"{name}: took longer than {self.limits.seconds:g} s", "raise --seconds")
        except StatementFailed as error:
            yield _error(where, f"{name}: {error.message}", "mend the columns")

    def _side(self, table: str, columns: Sequence[str]) -> TableFacts | None:
        facts = self._facts.get(table.casefold())
        there = {column.name.casefold() for column in facts.columns} if facts else set()
        return facts if facts and {name.casefold() for name in columns} <= there else None

    async def _repeats(self, table: str, columns: Sequence[str]) -> str:
        """How much columns that should be a key repeat, in words; empty when they do not."""
        facts = self._facts[table.casefold()]
        known = [{name.casefold() for name in names} for names in (facts.primary_key, *facts.unique_keys)]
        if {name.casefold() for name in columns} in known:
            return ""
        return await (self._repeat(facts, columns[0]) if len(columns) == 1 else self._repeat_together(facts, columns))

    async def _repeat_together(self, facts: TableFacts, columns: Sequence[str]) -> str:
        sample = await self.inspector.sample(facts, columns, self.limits.rows, self.limits.seconds)
        rows = [row for row in sample.rows if None not in row]
        return f"{len(set(rows))} different values in {len(rows)} rows" if len(set(rows)) < len(rows) else ""

    async def _repeat(self, facts: TableFacts, column: str) -> str:
        counts = await self.inspector.counts(_one(facts, column), [column], self.limits.rows, self.limits.seconds)
        distinct = counts.distinct[column]
        empty = await self._empty(facts, column) if distinct < counts.rows else 0
        return f"{distinct} different values in {counts.rows} rows" if distinct < counts.rows - empty else ""

    async def _empty(self, facts: TableFacts, column: str) -> int:
        """Nulls among the rows read: they do not repeat a key."""
        sample = await self.inspector.sample(_one(facts, column), [column], self.limits.rows, self.limits.seconds)
        return sum(row[0] is None for row in sample.rows)

    async def _share(self, link: Relationship) -> str:
        """How little of one side stands in the other, in words; empty when it is enough."""
        child, parent = self._facts[link.from_table.casefold()], self._facts[link.to_table.casefold()]
        column, key = link.from_columns[0], link.to_columns[0]
        sample = await self.inspector.sample(_one(child, column), [column], COMPARED, self.limits.seconds)
        values = list(dict.fromkeys(row[0] for row in sample.rows if row[0] is not None))
        if not values or link.cardinality == "many_to_many" or len(link.from_columns) > 1:
            return ""
        found = await self.inspector.present(_one(parent, key), key, values, self.limits.seconds)
        return f"only {found} of {len(values)} sampled values are found" if found < LEAST_FOUND * len(values) else ""

    def _where(self, key: str, field: str) -> str:
        place = self.places.get(key.casefold() if not key.startswith("relationship") else key)
        return place.say(field, "").rstrip(": ") if place else key


def _named(columns: Sequence[str]) -> str:
    return columns[0] if len(columns) == 1 else f"({', '.join(columns)})"


def _single_sides(link: Relationship) -> list[tuple[str, str, tuple[str, ...]]]:
    """The sides whose columns must not repeat."""
    one, two = ("from", link.from_table, link.from_columns), ("to", link.to_table, link.to_columns)
    return {"many_to_one": [two], "one_to_many": [one], "one_to_one": [one, two], "many_to_many": []}[link.cardinality]


def _real(link: Relationship, repeating: str) -> str:
    if link.cardinality == "one_to_one":
        return "many_to_one" if repeating == "from" else "one_to_many"
    return "many_to_many"


def _one(facts: TableFacts, column: str) -> TableFacts:
    """The table with this column alone, so that its type need not be known."""
    kept = tuple(each for each in facts.columns if each.name.casefold() == column.casefold())
    return facts.model_copy(update={"columns": kept or (ColumnFacts(name=column, type=""),)})


def _error(where: str, message: str, mend: str) -> Finding:
    return Finding(severity="error", where=where, message=message, mend=mend)


def _warning(where: str, message: str, mend: str) -> Finding:
    return Finding(severity="warning", where=where, message=message, mend=mend)
