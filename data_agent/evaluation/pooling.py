"""Several databases as one catalog, each table under the name of its database: `shop__orders` for `shop.orders`."""

import re
from collections.abc import Iterable, Mapping

from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Relationship, Table
from data_agent.errors import InvalidInput

MOST = 64
"""MySQL takes no longer names."""


def pooled_name(database: str, table: str) -> str:
    """What a table is called in the pool.

    Raises:
        InvalidInput: the name would be too long for MySQL.
    """
    name = f"{database}__{table}"
    if len(name) > MOST:
        raise InvalidInput(f"{name} is longer than {MOST} characters", hint="measure this database without --pool")
    return name


def pooled(catalogs: Mapping[str, Catalog]) -> Catalog:
    """One catalog of all databases; people go on calling a table what it is called in its own."""
    tables: list[Table] = []
    metrics: list[Metric] = []
    links: list[Relationship] = []
    for database, catalog in catalogs.items():
        names = {table.name: pooled_name(database, table.name) for table in catalog.tables}
        tables += [_table(table, names) for table in catalog.tables]
        metrics += [_metric(metric, database, names) for metric in catalog.metrics]
        links += [
            link.model_copy(update={"from_table": names[link.from_table], "to_table": names[link.to_table]})
            for link in catalog.relationships
        ]
    return Catalog(
        name="pool", version="pool", tables=tuple(tables), metrics=tuple(metrics), relationships=tuple(links)
    )


def views(catalogs: Mapping[str, Catalog]) -> dict[str, tuple[str, str]]:
    """Name in the pool → database and table."""
    return {
        pooled_name(database, table.name): (database, table.name)
        for database, catalog in catalogs.items()
        for table in catalog.tables
    }


def _table(table: Table, names: Mapping[str, str]) -> Table:
    name = names[table.name]
    columns = tuple(column.model_copy(update={"table": name}) for column in table.columns)
    aliases = tuple(dict.fromkeys((table.name, *table.aliases)))
    dated = _renamed(table.time_column, names) if table.time_column and "." in table.time_column else table.time_column
    return table.model_copy(update={"name": name, "columns": columns, "aliases": aliases, "time_column": dated})


def _metric(metric: Metric, database: str, names: Mapping[str, str]) -> Metric:
    return metric.model_copy(
        update={
            "name": f"{database}__{metric.name}",
            "aliases": tuple(dict.fromkeys((*metric.aliases, metric.name))),
            "table": names.get(metric.table or "", metric.table),
            "expression": _braced(_renamed(metric.expression, names), database),
            "filters": tuple(_all_renamed(metric.filters, names)),
            "time_column": _renamed(metric.time_column, names) if metric.time_column else None,
            "relevant_columns": tuple(_all_renamed(metric.relevant_columns, names)),
        }
    )


def _all_renamed(texts: Iterable[str], names: Mapping[str, str]) -> Iterable[str]:
    return (_renamed(text, names) for text in texts)


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """`orders.amount` → `shop__orders.amount`, wherever it stands."""
    return re.sub(r"`?\b(\w+)\b`?(?=\.)", lambda found: names.get(found[1], found[0]), text)


def _braced(text: str, database: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: f"{{{database}__{found[1]}}}", text)
