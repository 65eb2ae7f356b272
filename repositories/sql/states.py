"""Whether the values of a MySQL or MariaDB server may have changed: when a table was last written to, as it says."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection

from data_agent.domain.schema import Column
from data_agent.ports.changes import ColumnState
from repositories.sql.errors import DriverError

QUIET_SECONDS = 3
"""The server counts whole seconds: a table that was written to just now may be written to again within the same one."""

TABLES = """SELECT table_name, table_rows, create_time, update_time,
 TIMESTAMPDIFF(SECOND, update_time, NOW()) FROM information_schema.tables WHERE table_schema = DATABASE()"""
FRESH = "SET SESSION information_schema_stats_expiry = 0"
WHO = {"MySQL": "SELECT @@server_uuid", "MariaDB": "SELECT CONCAT(@@hostname, ':', @@port)"}
"""Servers whose times can be trusted, and what tells one from another behind the same address."""


def states(session: Connection, columns: Sequence[Column], flavour: str) -> dict[str, ColumnState]:
    """When each column's table was last written to.

    There is no mark for a view, for a table that was written to within the last seconds, or not at all since the server
    started, and none from servers that are not MySQL or MariaDB.
    """
    with suppress(*DriverError):  # MySQL keeps such figures for a day otherwise; others do not know the setting
        session.exec_driver_sql(FRESH)
    server = session.exec_driver_sql(WHO[flavour]).scalar() if flavour in WHO else ""
    told = {str(row[0]).casefold(): _state(row, f"{flavour} {server}") for row in session.exec_driver_sql(TABLES)}
    found = {column.id: told.get(column.table.rpartition(".")[2].casefold()) for column in columns}
    if not server:
        return {id_: ColumnState(rows=state.rows) for id_, state in found.items() if state}
    return {id_: state for id_, state in found.items() if state}


def _state(row: Sequence[Any], server: str) -> ColumnState:
    _, rows, created, updated, ago = row
    quiet = updated is not None and int(ago) >= QUIET_SECONDS
    return ColumnState(mark=f"{server}: {created} {updated}" if quiet else "", rows=rows)
