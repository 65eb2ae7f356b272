"""Write the demo into MySQL: marked as unfinished until the last row is in."""

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
import pymysql
from pymysql.cursors import Cursor
from sqlalchemy.engine import URL

from data_agent.domain.schema import Column, Table
from data_agent.errors import InvalidSettings, WarehouseUnavailable
from demo.generate import MISSING, Array, Columns
from demo.layout import MARKER, create_table, demo_catalog, tables

Generate = Callable[[], dict[str, Columns]]

ROWS_PER_INSERT = 4_000
UNFINISHED = "building"
LOCK_WAIT = 300


def build_mysql(target: URL, generate: Generate, stamp: str) -> dict[str, int]:
    """Rows written by table; empty when the database already holds exactly this.

    Raises:
        InvalidSettings: the database holds something that is not the demo.
        WarehouseUnavailable: no server, or no right to do this.
    """
    try:
        connection = pymysql.connect(
            host=target.host or "127.0.0.1",
            port=target.port or 3306,
            user=target.username or "root",
            password=target.password or "",
            charset="utf8mb4",
        )
    except pymysql.MySQLError as error:
        raise _unavailable(target, error) from error
    with connection, connection.cursor() as cursor:
        try:
            return _build(cursor, str(target.database), generate, stamp)
        except pymysql.MySQLError as error:
            raise _unavailable(target, error) from error


def _unavailable(target: URL, error: pymysql.MySQLError) -> WarehouseUnavailable:
    code = error.args[0] if error.args else "?"
    return WarehouseUnavailable(
        f"the demo could not be written to MySQL at {target.host}:{target.port or 3306} (error {code})",
        hint="Is the server running, and may this user create databases and tables?",
    )


def _build(cursor: Cursor, database: str, generate: Generate, stamp: str) -> dict[str, int]:
    """One builder at a time; the marker turns from unfinished to `stamp` at the end."""
    quoted = "`" + database.replace("`", "``") + "`"
    cursor.execute("SELECT GET_LOCK('data-agent-demo', %s)", (LOCK_WAIT,))
    cursor.execute(f"CREATE DATABASE IF NOT EXISTS {quoted} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
    cursor.execute(f"USE {quoted}")
    if _found(cursor, database) == stamp:
        return {}
    data, catalog = generate(), demo_catalog()
    cursor.execute("SET SESSION foreign_key_checks = 0, unique_checks = 0, time_zone = '+00:00'")
    cursor.execute(f"CREATE TABLE IF NOT EXISTS `{MARKER}` (stamp VARCHAR(64) NOT NULL)")
    _mark(cursor, UNFINISHED)
    for table in tables(catalog):
        cursor.execute(f"DROP TABLE IF EXISTS `{table.name}`")
        cursor.execute(create_table(catalog, table, "mysql"))
        _insert(cursor, table, data[table.name])
    _mark(cursor, stamp)
    return {table.name: len(data[table.name][table.columns[0].name]) for table in tables(catalog)}


def _found(cursor: Cursor, database: str) -> str:
    """What the database says it is; empty when it is empty."""
    cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = %s", (database,))
    names = {row[0] for row in cursor.fetchall()}
    if not names:
        return ""
    if MARKER not in names:
        raise InvalidSettings(
            f"the database `{database}` holds tables and is not the demo", hint="Name another database in the URL."
        )
    cursor.execute(f"SELECT stamp FROM `{MARKER}`")
    row = cursor.fetchone()
    return str(row[0]) if row else ""


def _mark(cursor: Cursor, stamp: str) -> None:
    cursor.execute(f"DELETE FROM `{MARKER}`")
    cursor.execute(f"INSERT INTO `{MARKER}` VALUES (%s)", (stamp,))
    cursor.connection.commit()


def _insert(cursor: Cursor, table: Table, columns: Columns) -> None:
    names = ", ".join(f"`{column.name}`" for column in table.columns)
    rows = _literals(table, columns)
    while batch := list(islice(rows, ROWS_PER_INSERT)):
        cursor.execute(f"INSERT INTO `{table.name}` ({names}) VALUES {','.join(batch)}")
    cursor.connection.commit()


def _literals(table: Table, columns: Columns) -> Iterator[str]:
    cells = [_column(column, columns[column.name]) for column in table.columns]
    return (f"({','.join(row)})" for row in zip(*cells, strict=True))


def _column(column: Column, array: Array) -> list[str]:
    """One column as SQL literals."""
    if column.type in {"date", "datetime"}:
        stamps = np.char.replace(np.datetime_as_string(array), "T", " ").tolist()
        return ["NULL" if text == "Na " else f"'{text}'" for text in stamps]
    values = array.tolist()
    if column.type == "text":
        return ["NULL" if text is None else _quoted(text) for text in values]
    if column.type == "decimal":
        return ["NULL" if fen == MISSING and column.nullable else f"{fen // 100}.{fen % 100:02d}" for fen in values]
    return ["NULL" if number == MISSING and column.nullable else str(number) for number in values]


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"
