"""The database that questions are answered from."""

from collections.abc import AsyncIterator
from typing import Any, Protocol

from data_agent.domain.admitted import AdmittedSql, Plan
from data_agent.domain.answer import Rows
from data_agent.options import Limits


class Warehouse(Protocol):
    """A read-only database. Cancelling a call stops the statement on the server too.

    Raises:
        WarehouseUnavailable: it cannot be reached, or refused the login.
        WarehouseTimeout: the statement ran longer than allowed and was stopped.
    """

    @property
    def name(self) -> str:
        """What people call this warehouse."""
        ...

    @property
    def dialect(self) -> str:
        """The sqlglot dialect it speaks: `mysql` or `duckdb`."""
        ...

    async def version(self) -> str:
        """The server's version, e.g. `9.7.0`."""
        ...

    async def explain(self, sql: AdmittedSql, seconds: float = 10.0) -> Plan:
        """Prove the statement without running it; a complaint about the SQL comes back as data, not as an error."""
        ...

    async def fetch(self, sql: AdmittedSql, limits: Limits) -> Rows:
        """Run it read-only and return JSON-safe rows.

        Raises:
            StatementFailed: the database complained while running it.
            ResultTooLarge: one row alone is over the byte limit.
        """
        ...

    def stream(self, sql: AdmittedSql, batch: int = 5000) -> AsyncIterator[list[tuple[Any, ...]]]:
        """Run it with a server-side cursor and yield raw rows in batches; nothing is held whole."""
        ...

    async def close(self) -> None:
        """Give back every connection."""
        ...
