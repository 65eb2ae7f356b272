"""Bounded readings of a table as statements the guard admits; an adapter brings the connection."""

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.answer import Rows
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Table
from data_agent.options import Limits
from data_agent.ports.inspector import Counts, Sample, TableFacts
from data_agent.sql.admit import admit

TEXT_CHARS = 200
MAX_BYTES = 16_000_000
LONG = ("text", "varchar", "char", "string", "json")


class Probing:
    """Samples, counts and look-ups over `fetch`. Mixed into a warehouse it makes the reading half of an inspector."""

    dialect: str

    async def fetch(self, sql: AdmittedSql, limits: Limits) -> Rows:
        """The warehouse's own, which comes first in the order of bases."""
        raise NotImplementedError

    async def sample(self, table: TableFacts, columns: Sequence[str], rows: int, seconds: float) -> Sample:
        """The first rows of these columns."""
        kinds = {column.name: column.type.casefold() for column in table.columns}
        shown = [_cut(column(name), kinds.get(name, "")).as_(name, quoted=True) for name in columns]
        found = await self._probe(
            table, exp.select(*shown).from_(source(table.name)).limit(rows + 1), rows + 1, seconds
        )
        complete = len(found.rows) <= rows and not found.truncated
        return Sample(columns=tuple(columns), rows=found.rows[:rows], complete=complete)

    async def counts(self, table: TableFacts, columns: Sequence[str], rows: int, seconds: float) -> Counts:
        """Different values among the first rows."""
        inner = exp.select(*(column(name) for name in columns)).from_(source(table.name)).limit(rows)
        numbers = [exp.Count(this=exp.Distinct(expressions=[column(name)])) for name in columns]
        named = [number.as_(f"n{at}") for at, number in enumerate(numbers)]
        query = exp.select(exp.Count(this=exp.Star()).as_("n"), *named).from_(inner.subquery("part"))
        found = (await self._probe(table, query, 1, seconds)).rows[0]
        distinct = dict(zip(columns, (int(count) for count in found[1:]), strict=True))
        return Counts(rows=int(found[0]), distinct=distinct)

    async def present(self, table: TableFacts, name: str, values: Sequence[Any], seconds: float) -> int:
        """How many of the values stand in the column."""
        wanted = column(name).isin(*(literal(value) for value in values))
        query = exp.select(exp.Count(this=exp.Distinct(expressions=[column(name)])).as_("n"))
        found = await self._probe(table, query.from_(source(table.name)).where(wanted), 1, seconds)
        return int(found.rows[0][0])

    async def _probe(self, table: TableFacts, query: exp.Select, rows: int, seconds: float) -> Rows:
        limits = Limits(max_rows=rows, max_bytes=MAX_BYTES, seconds=seconds)
        text = query.sql(dialect=self.dialect)
        return await self.fetch(admit(text, catalog=only(table), dialect=self.dialect, limits=limits), limits)


def only(table: TableFacts) -> Catalog:
    """A catalog of this table alone, so that the guard resolves every name."""
    columns = tuple(Column(table=table.name, name=each.name) for each in table.columns)
    return Catalog(name="probe", version="", tables=(Table(name=table.name, columns=columns),))


def source(name: str) -> exp.Table:
    """The table by its quoted name."""
    return exp.Table(this=exp.to_identifier(name, quoted=True))


def column(name: str) -> exp.Column:
    """A column by its quoted name."""
    return exp.column(exp.to_identifier(name, quoted=True))


def literal(value: object) -> exp.Expr:
    """A cell as a literal of its kind."""
    return exp.Literal.string(value) if isinstance(value, str) else exp.convert(value)


def _cut(found: exp.Column, kind: str) -> exp.Expr:
    if not any(word in kind for word in LONG):
        return found
    return exp.Substring(this=found, start=exp.Literal.number(1), length=exp.Literal.number(TEXT_CHARS))
