"""A database in memory that can be looked into; some of its tables may refuse."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from data_agent.ports.inspector import ColumnFacts, Counts, ForeignKey, Sample, SchemaFacts, TableFacts


@dataclass
class FakeInspector:
    """`tables` are facts, `rows` their rows by table name, `refusing` the error each table answers with."""

    tables: list[TableFacts]
    rows: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    refusing: dict[str, Exception] = field(default_factory=dict)
    foreign_keys: tuple[ForeignKey, ...] = ()
    unreadable: dict[str, str] = field(default_factory=dict)
    name: str = "fake"
    dialect: str = "mysql"
    asked: list[str] = field(default_factory=list)

    async def schema(self, seconds: float = 60.0) -> SchemaFacts:
        return SchemaFacts(
            name=self.name,
            tables=tuple(self.tables),
            foreign_keys=self.foreign_keys,
            unreadable=self.unreadable,
        )

    async def sample(self, table: TableFacts, columns: Sequence[str], rows: int, seconds: float) -> Sample:
        self.asked.append(table.name)
        found = self._rows(table, columns)
        return Sample(columns=tuple(columns), rows=tuple(found[:rows]), complete=len(found) <= rows)

    async def counts(self, table: TableFacts, columns: Sequence[str], rows: int, seconds: float) -> Counts:
        found = self._rows(table, columns)[:rows]
        distinct = {name: len({row[at] for row in found} - {None}) for at, name in enumerate(columns)}
        return Counts(rows=len(found), distinct=distinct)

    async def present(self, table: TableFacts, column: str, values: Sequence[Any], seconds: float) -> int:
        there = {row[0] for row in self._rows(table, [column])}
        return sum(value in there for value in values)

    async def close(self) -> None:
        """Nothing is open."""

    def _rows(self, table: TableFacts, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        if table.name in self.refusing:
            raise self.refusing[table.name]
        names = [column.name for column in table.columns]
        places = [names.index(name) for name in columns]
        return [tuple(row[place] for place in places) for row in self.rows.get(table.name, [])]


def table(name: str, columns: str, *, key: str = "", comment: str = "", **facts: Any) -> TableFacts:
    """A table written as `id int, name varchar(20) #名称`, one column each, comments behind `#`."""
    parts = [part.strip().partition("#") for part in columns.split(",\n" if "\n" in columns else ", ")]
    made = tuple(
        ColumnFacts(name=text.strip().split(" ", 1)[0], type=text.strip().split(" ", 1)[1], comment=note.strip())
        for text, _, note in parts
    )
    return TableFacts(name=name, columns=made, comment=comment, primary_key=(key,) if key else (), **facts)
