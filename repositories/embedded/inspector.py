"""A look into a DuckDB file: its own catalog functions for what it declares, the read-only warehouse for samples."""

from functools import partial
from typing import Any

from data_agent.introspection.probing import Probing
from data_agent.ports.inspector import ColumnFacts, ForeignKey, SchemaFacts, TableFacts
from repositories.embedded.warehouse import DuckDBWarehouse
from repositories.threads import Call

TABLES = """SELECT table_name, comment, estimated_size, FALSE FROM duckdb_tables()
 WHERE schema_name = current_schema() AND NOT internal AND NOT temporary
 UNION ALL SELECT view_name, comment, NULL, TRUE FROM duckdb_views()
 WHERE schema_name = current_schema() AND NOT internal AND NOT temporary ORDER BY 1"""
COLUMNS = """SELECT table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns()
 WHERE schema_name = current_schema() AND NOT internal ORDER BY table_name, column_index"""
CONSTRAINTS = """SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
 FROM duckdb_constraints() WHERE schema_name = current_schema() ORDER BY table_name, constraint_index"""

Row = tuple[Any, ...]


class DuckDBInspector(DuckDBWarehouse, Probing):
    """A warehouse that also tells what it declares."""

    async def schema(self, seconds: float = 60.0) -> SchemaFacts:
        """Tables, columns, keys and references of the file's main schema."""
        return await self._lanes.run(self._schema, seconds)

    def _schema(self, call: Call) -> SchemaFacts:
        with self._cursor(call) as cursor:
            tables, columns, constraints = (cursor.execute(sql).fetchall() for sql in (TABLES, COLUMNS, CONSTRAINTS))
        facts = partial(_table, columns=columns, constraints=constraints)
        references = tuple(
            ForeignKey(table=table, columns=tuple(names), to_table=to_table, to_columns=tuple(to_names))
            for table, kind, names, to_table, to_names in constraints
            if kind == "FOREIGN KEY"
        )
        return SchemaFacts(name=self.name, tables=tuple(facts(row) for row in tables), foreign_keys=references)


def _table(row: Row, columns: list[Row], constraints: list[Row]) -> TableFacts:
    name, comment, rows, view = row
    keys = [(kind, tuple(names)) for table, kind, names, *_ in constraints if table == name]
    return TableFacts(
        name=name,
        comment=comment or "",
        columns=tuple(
            ColumnFacts(name=column, type=kind, nullable=bool(nullable), comment=note or "")
            for table, column, kind, nullable, note in columns
            if table == name
        ),
        primary_key=next((names for kind, names in keys if kind == "PRIMARY KEY"), ()),
        unique_keys=tuple(names for kind, names in keys if kind == "UNIQUE"),
        rows=rows,
        view=bool(view),
    )
