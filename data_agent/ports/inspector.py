"""A look into a warehouse: what it declares, and bounded samples of what it holds."""

from collections.abc import Sequence
from typing import Any, Protocol

from pydantic import Field

from data_agent.domain.frozen import Frozen
from data_agent.ports.warehouse import Warehouse


class ColumnFacts(Frozen):
    """A column as the database declares it; `type` is its SQL type, letter for letter."""

    name: str
    type: str
    nullable: bool = True
    comment: str = ""


class TableFacts(Frozen):
    """A table or view as the database declares it; `rows` is the server's own estimate, None when it has none."""

    name: str
    comment: str = ""
    columns: tuple[ColumnFacts, ...] = ()
    primary_key: tuple[str, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    rows: int | None = None
    view: bool = False


class ForeignKey(Frozen):
    """A declared reference from `table(columns)` to `to_table(to_columns)`."""

    table: str
    columns: tuple[str, ...]
    to_table: str
    to_columns: tuple[str, ...]


class SchemaFacts(Frozen):
    """Everything one schema declares. `unreadable` names tables that could not be, with the reason."""

    name: str
    tables: tuple[TableFacts, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    unreadable: dict[str, str] = Field(default_factory=dict)

    def without_keys(self) -> "SchemaFacts":
        """The same schema with its declared references hidden, to measure what inference finds alone."""
        return self.model_copy(update={"foreign_keys": ()})


class Sample(Frozen):
    """The first rows of some columns, JSON-safe; `complete` says that the table holds no others."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...] = ()
    complete: bool = False


class Counts(Frozen):
    """Of `rows` rows read: how many different values each column has, nulls not counted."""

    rows: int
    distinct: dict[str, int]


class Inspector(Warehouse, Protocol):
    """A warehouse that also tells what it declares and gives bounded samples; it can change nothing.

    Raises:
        WarehouseUnavailable: it cannot be reached, or does not let its account read.
        WarehouseTimeout: a reading took longer than its `seconds` and was stopped.
        StatementFailed: the database complained (a view that no longer works).
    """

    async def schema(self, seconds: float = 60.0) -> SchemaFacts:
        """What the schema of the connection declares."""
        ...

    async def sample(self, table: TableFacts, columns: Sequence[str], rows: int, seconds: float) -> Sample:
        """At most `rows` rows of these columns; texts are cut to 200 characters."""
        ...

    async def counts(self, table: TableFacts, columns: Sequence[str], rows: int, seconds: float) -> Counts:
        """Different values of these columns among at most `rows` rows."""
        ...

    async def present(self, table: TableFacts, column: str, values: Sequence[Any], seconds: float) -> int:
        """How many of `values` stand in the column."""
        ...
