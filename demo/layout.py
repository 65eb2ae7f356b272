"""The demo's tables as DDL, taken from its catalog so that the two cannot drift apart."""

from pathlib import Path

from data_agent.catalog.load import load_catalog
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Table

CATALOG = Path(__file__).with_name("catalog.yaml")
QUESTIONS = Path(__file__).with_name("questions.yaml")
MARKER = "_demo_build"

# Parents before children: the order of creation and loading.
ORDER = (
    "regions",
    "channels",
    "dates",
    "tags",
    "products",
    "product_tags",
    "customers",
    "orders",
    "order_items",
    "refunds",
    "stock_daily",
)
TYPES = {"text": "VARCHAR(64)", "integer": "BIGINT", "decimal": "DECIMAL(12,2)", "date": "DATE", "datetime": "DATETIME"}
QUOTES = {"mysql": "`", "duckdb": '"'}


def demo_catalog() -> Catalog:
    """The demo's catalog."""
    return load_catalog(CATALOG)[0]


def tables(catalog: Catalog) -> list[Table]:
    """The tables in the order of their making."""
    return [table for name in ORDER if (table := catalog.table(name))]


def create_table(catalog: Catalog, table: Table, dialect: str) -> str:
    """CREATE TABLE with keys; MySQL takes the comments along, DuckDB has them apart."""
    mark = QUOTES[dialect]
    lines = [_column(column, dialect) for column in table.columns]
    lines.append(f"PRIMARY KEY ({_list(table.primary_key, mark)})")
    lines += _foreign_keys(catalog, table, mark)
    ending = f" COLLATE utf8mb4_bin COMMENT {_text(table.description)}" if dialect == "mysql" else ""
    return f"CREATE TABLE {mark}{table.name}{mark} (\n  " + ",\n  ".join(lines) + f"\n){ending}"


def comments(table: Table) -> list[str]:
    """DuckDB's COMMENT ON statements of one table."""
    found = [f'COMMENT ON TABLE "{table.name}" IS {_text(table.description)}'] if table.description else []
    return found + [
        f'COMMENT ON COLUMN "{table.name}"."{column.name}" IS {_text(column.description)}'
        for column in table.columns
        if column.description
    ]


def _column(column: Column, dialect: str) -> str:
    mark = QUOTES[dialect]
    kind = "TIMESTAMP" if dialect == "duckdb" and column.type == "datetime" else TYPES[column.type]
    null = "" if column.nullable else " NOT NULL"
    comment = f" COMMENT {_text(column.description)}" if dialect == "mysql" and column.description else ""
    return f"{mark}{column.name}{mark} {kind}{null}{comment}"


def _foreign_keys(catalog: Catalog, table: Table, mark: str) -> list[str]:
    return [
        f"FOREIGN KEY ({_list(link.from_columns, mark)}) REFERENCES "
        f"{mark}{link.to_table}{mark} ({_list(link.to_columns, mark)})"
        for link in catalog.relationships
        if link.from_table == table.name
    ]


def _list(names: tuple[str, ...], mark: str) -> str:
    return ", ".join(f"{mark}{name}{mark}" for name in names)


def _text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"
