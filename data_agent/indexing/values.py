"""Which stored values are indexed, and how they are read: streamed, capped, never personal ones."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from sqlglot import exp

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column
from data_agent.domain.value import Value
from data_agent.options import Limits
from data_agent.ports.warehouse import Warehouse
from data_agent.sql.admit import admit

CAP = 100_000
MAX_CHARS = 200
_NOT_TEXT = ("json", "blob", "binary", "geometry", "point", "polygon", "bytea", "struct", "map", "list", "[]")

Batch = list[Value]


def synced_columns(catalog: Catalog) -> list[Column]:
    """Columns whose values are indexed: asked for by `sync`, not personal, of a type that people can type."""
    columns = (column for table in catalog.tables if not table.retired for column in table.columns)
    return [column for column in columns if column.sync and not column.personal and _is_text(column)]


def said_values(catalog: Catalog) -> Batch:
    """Values with other names, from the catalog alone: labels (status 2 is 已支付) and value aliases (天猫 is 淘宝)."""
    columns = (column for table in catalog.tables if not table.retired for column in table.columns)
    return [value for column in columns if not column.personal for value in _said(column)]


def values_statement(column: Column, catalog: Catalog, dialect: str, cap: int, version: str = "") -> AdmittedSql:
    """The distinct values of a column, one more than `cap` so that a cut is noticed."""
    name = exp.column(exp.to_identifier(column.name, quoted=True))
    table = exp.Table(this=exp.to_identifier(column.table, quoted=True))
    select = exp.select(name).distinct().from_(table).where(name.copy().is_(exp.null()).not_())
    sql = select.sql(dialect=dialect)
    return admit(sql, catalog=catalog, dialect=dialect, limits=Limits(max_rows=cap + 1), version=version)


class ValueStream:
    """Batches of values from the catalog and the warehouse; `warnings` name columns that were cut at the cap."""

    def __init__(
        self, catalog: Catalog, warehouse: Warehouse, cap: int = CAP, heard: Callable[[str, int], None] | None = None
    ) -> None:
        self.catalog = catalog
        self.warehouse = warehouse
        self.cap = cap
        self.warnings: list[str] = []
        self._heard = heard or (lambda _column, _count: None)

    async def batches(self) -> AsyncIterator[Batch]:
        """Every batch, column after column."""
        if named := said_values(self.catalog):
            yield named
        version = await self.warehouse.version()
        for column in synced_columns(self.catalog):
            async for batch in self._of_column(column, version):
                yield batch

    async def _of_column(self, column: Column, version: str) -> AsyncIterator[Batch]:
        statement = values_statement(column, self.catalog, self.warehouse.dialect, self.cap, version)
        read = 0
        self._heard(column.id, read)
        async for rows in self.warehouse.stream(statement):
            room = self.cap - read
            read += len(rows)
            yield list(_values(column, rows[:room]))
            self._heard(column.id, min(read, self.cap))
        if read > self.cap:
            self.warnings.append(
                f"{column.id} has more than {self.cap} different values; only the first {self.cap} can be found. "
                "Set sync: false for it, or raise the cap."
            )


def _values(column: Column, rows: list[tuple[Any, ...]]) -> Iterator[Value]:
    for (stored,) in rows:
        text = stored if isinstance(stored, str) else _as_text(stored)
        if text.strip() and len(text) <= MAX_CHARS and "\x00" not in text:
            yield Value(table=column.table, column=column.name, text=text)


def _as_text(stored: object) -> str:
    return "" if stored is None or isinstance(stored, bytes | bytearray | memoryview | float) else str(stored)


def _said(column: Column) -> Iterator[Value]:
    for stored, label in column.labels.items():
        yield Value(table=column.table, column=column.name, text=stored, word=label)
    for stored, names in column.value_aliases.items():
        for name in names:
            yield Value(table=column.table, column=column.name, text=stored, word=name)


def _is_text(column: Column) -> bool:
    kind = column.type.casefold()
    return not any(part in kind for part in _NOT_TEXT)
