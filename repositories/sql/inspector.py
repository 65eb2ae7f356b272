"""A look into a MySQL-protocol server: information_schema for what it declares, the read-only warehouse for samples."""

from collections import defaultdict
from typing import Any

from sqlalchemy import Connection

from data_agent.errors import InvalidSettings
from data_agent.introspection.probing import Probing
from data_agent.ports.inspector import ColumnFacts, ForeignKey, SchemaFacts, TableFacts
from repositories.sql.errors import DriverError
from repositories.sql.warehouse import GRACE_SECONDS, MySQLWarehouse

TABLES = """SELECT table_name, table_comment, table_rows, table_type = 'VIEW' FROM information_schema.tables
 WHERE table_schema = DATABASE() ORDER BY table_name"""
COLUMNS = """SELECT table_name, column_name, column_type, is_nullable = 'YES', column_comment
 FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position"""
UNIQUE = """SELECT table_name, index_name, column_name FROM information_schema.statistics
 WHERE table_schema = DATABASE() AND non_unique = 0 ORDER BY table_name, index_name, seq_in_index"""
REFERENCES = """SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name
 FROM information_schema.key_column_usage WHERE table_schema = DATABASE() AND referenced_table_schema = DATABASE()
 ORDER BY table_name, constraint_name, ordinal_position"""

Row = tuple[Any, ...]


class MySQLInspector(MySQLWarehouse, Probing):
    """A warehouse that also tells what it declares."""

    async def schema(self, seconds: float = 60.0) -> SchemaFacts:
        """Tables, columns, keys and references of the connection's database."""
        return await self._lanes.run(lambda call: self._read(call, seconds, _schema), seconds + GRACE_SECONDS)


def _schema(session: Connection) -> SchemaFacts:
    name = session.exec_driver_sql("SELECT DATABASE()").scalar()
    if not name:
        raise InvalidSettings("the warehouse url names no database", hint="write it at the end: …:3306/shop")
    columns, keys = _columns(_rows(session, COLUMNS)), _unique(_rows(session, UNIQUE))
    tables, unreadable = [], {}
    for table, comment, rows, view in _rows(session, TABLES):
        if table not in columns:
            unreadable[str(table)] = str(comment) or "its columns cannot be seen"
            continue
        own = keys.get(table, {})
        facts = TableFacts(
            name=table,
            comment="" if view else comment,
            columns=columns[table],
            primary_key=own.get("PRIMARY", ()),
            unique_keys=tuple(names for key, names in own.items() if key != "PRIMARY"),
            rows=int(rows) if rows is not None else None,
            view=bool(view),
        )
        tables.append(facts)
    return SchemaFacts(
        name=name,
        tables=tuple(tables),
        foreign_keys=_references(_optional(session, REFERENCES)),
        unreadable=unreadable,
    )


def _rows(session: Connection, sql: str) -> list[Row]:
    return [tuple(_text(value) for value in row) for row in session.exec_driver_sql(sql)]


def _text(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _optional(session: Connection, sql: str) -> list[Row]:
    """Servers without foreign keys may lack the view."""
    try:
        return _rows(session, sql)
    except DriverError:
        return []


def _columns(rows: list[Row]) -> dict[str, tuple[ColumnFacts, ...]]:
    found: dict[str, list[ColumnFacts]] = defaultdict(list)
    for table, name, kind, nullable, comment in rows:
        found[table].append(ColumnFacts(name=name, type=kind, nullable=bool(nullable), comment=comment or ""))
    return {table: tuple(columns) for table, columns in found.items()}


def _unique(rows: list[Row]) -> dict[str, dict[str, tuple[str, ...]]]:
    found: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for table, index, column in rows:
        if column is not None:  # a functional key part has no column
            found[table][index] = (*found[table].get(index, ()), column)
    return found


def _references(rows: list[Row]) -> tuple[ForeignKey, ...]:
    found: dict[tuple[str, str], ForeignKey] = {}
    for table, constraint, column, to_table, to_column in rows:
        known = found.get((table, constraint))
        found[table, constraint] = ForeignKey(
            table=table,
            columns=(*(known.columns if known else ()), column),
            to_table=to_table,
            to_columns=(*(known.to_columns if known else ()), to_column),
        )
    return tuple(found.values())
