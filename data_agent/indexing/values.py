"""Which stored values are indexed, and how they are read: streamed, capped, never personal ones."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Iterator, Mapping
from typing import Any, TypeVar

from sqlglot import exp

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column
from data_agent.domain.value import Value
from data_agent.errors import StatementFailed, UnsafeSql, WarehouseTimeout
from data_agent.options import Limits
from data_agent.ports.recall import ValuePart
from data_agent.ports.warehouse import Warehouse
from data_agent.sql.admit import admit

CAP = 100_000
MAX_CHARS = 200
COLUMN_SECONDS = 300.0
_NOT_TEXT = ("json", "blob", "binary", "geometry", "point", "polygon", "bytea", "struct", "map", "list", "[]")

Found = TypeVar("Found")
Batch = list[Value]
Heard = Callable[[str, int], None]


def synced_columns(catalog: Catalog) -> list[Column]:
    """Columns whose values are indexed: asked for by `sync`, not personal, of a type that people can type."""
    return [column for column in _open_columns(catalog) if column.sync and _is_text(column)]


def valued_columns(catalog: Catalog) -> list[Column]:
    """Columns that have values in the index: those that are read, and those whose values have names in the catalog."""
    read = {column.id for column in synced_columns(catalog)}
    return [column for column in _open_columns(catalog) if column.id in read or any(said_values(column))]


def said_values(column: Column) -> Iterator[Value]:
    """Values with other names, from the catalog alone: labels (status 2 is 已支付) and value aliases (天猫 is 淘宝)."""
    for stored, label in column.labels.items():
        yield Value(table=column.table, column=column.name, text=stored, word=label)
    for stored, names in column.value_aliases.items():
        for name in names:
            yield Value(table=column.table, column=column.name, text=stored, word=name)


def values_statement(column: Column, catalog: Catalog, dialect: str, cap: int, version: str = "") -> AdmittedSql:
    """The distinct values of a column, one more than `cap` so that a cut is noticed."""
    name = exp.column(exp.to_identifier(column.name, quoted=True))
    table = exp.Table(this=exp.to_identifier(column.table, quoted=True))
    select = exp.select(name).distinct().from_(table).where(name.copy().is_(exp.null()).not_())
    sql = select.sql(dialect=dialect)
    own = catalog.slice([held for held in (catalog.table(column.table),) if held], ())  # admitted in no time, too
    return admit(sql, catalog=own, dialect=dialect, limits=Limits(max_rows=cap + 1), version=version)


class ValueStream:
    """Batches of values from the catalog and the warehouse, but for the columns in `keep`.

    A column that cannot be read to its end is told in `warnings`, keeps what was read, and the others go on.
    """

    def __init__(
        self,
        catalog: Catalog,
        warehouse: Warehouse,
        *,
        cap: int = CAP,
        keep: Collection[str] = (),
        heard: Heard = lambda _column, _count: None,
        seconds: float = COLUMN_SECONDS,
    ) -> None:
        self.catalog = catalog
        self.warehouse = warehouse
        self.warnings: list[str] = []
        self.counts: Counter[str] = Counter()
        self.cut: set[str] = set()
        self.broken: set[str] = set()
        self._cap = cap
        self._keep = frozenset(keep)
        self._heard = heard
        self._seconds = seconds

    def parts(self, marks: Mapping[str, str], before: Mapping[str, ValuePart]) -> dict[str, ValuePart]:
        """What the new index holds of each column: what was kept as it was, the rest as it was read."""
        kept = {column: before[column] for column in marks if column in self._keep}
        return {
            column: kept.get(column)
            or ValuePart(mark="" if column in self.broken else mark, count=self.counts[column], cut=column in self.cut)
            for column, mark in marks.items()
        }

    async def batches(self) -> AsyncIterator[Batch]:
        """Every batch, column after column."""
        columns = [column for column in valued_columns(self.catalog) if column.id not in self._keep]
        for column in columns:
            if named := list(said_values(column)):
                self.counts[column.id] += len(named)
                yield named
        read = {column.id for column in synced_columns(self.catalog)}
        version = await self.warehouse.version()
        for column in columns:
            if column.id in read:
                async for batch in self._guarded(column, version):
                    self.counts[column.id] += len(batch)
                    yield batch

    async def _guarded(self, column: Column, version: str) -> AsyncIterator[Batch]:
        """The values of one column; what is wrong with it alone stops it alone."""
        try:
            async for batch in self._of_column(column, version):
                yield batch
        except (StatementFailed, WarehouseTimeout, UnsafeSql) as error:
            self.broken.add(column.id)
            self.warnings.append(f"the values of {column.id} could not be read to their end: {error.message}")

    async def _of_column(self, column: Column, version: str) -> AsyncIterator[Batch]:
        statement = values_statement(column, self.catalog, self.warehouse.dialect, self._cap, version)
        read = 0
        self._heard(column.id, read)
        async for rows in self._in_time(self.warehouse.stream(statement)):
            room = self._cap - read
            read += len(rows)
            yield list(_values(column, rows[:room]))
            self._heard(column.id, min(read, self._cap))
        if read > self._cap:
            self.cut.add(column.id)

    async def _in_time(self, rows: AsyncIterator[Found]) -> AsyncIterator[Found]:
        """The same batches while there is time; the statement ends with the reading, whichever way that ends."""
        until = asyncio.get_running_loop().time() + self._seconds
        try:
            while True:
                async with asyncio.timeout_at(until):
                    found = await anext(rows, None)
                if found is None:
                    return
                yield found
        except TimeoutError:
            raise WarehouseTimeout(f"reading took longer than {self._seconds:g} s") from None
        finally:
            if isinstance(rows, AsyncGenerator):
                await rows.aclose()


def told_cut(columns: Iterator[str], cap: int) -> list[str]:
    """A warning for each column that has more values than are indexed."""
    return [
        f"{column} has more than {cap} different values; only the first {cap} are indexed, the others are looked up in "
        "the warehouse with LIKE, which is slow on a large table. Set sync: false for it, or raise the cap."
        for column in columns
    ]


def _values(column: Column, rows: list[tuple[Any, ...]]) -> Iterator[Value]:
    for (stored,) in rows:
        text = stored if isinstance(stored, str) else _as_text(stored)
        if text.strip() and len(text) <= MAX_CHARS and "\x00" not in text:
            yield Value(table=column.table, column=column.name, text=text)


def _as_text(stored: object) -> str:
    return "" if stored is None or isinstance(stored, bytes | bytearray | memoryview | float) else str(stored)


def _open_columns(catalog: Catalog) -> Iterator[Column]:
    """Every column of a table in use that is not personal."""
    for table in catalog.tables:
        if not table.retired:
            yield from (column for column in table.columns if not column.personal)


def _is_text(column: Column) -> bool:
    kind = column.type.casefold()
    return not any(part in kind for part in _NOT_TEXT)
