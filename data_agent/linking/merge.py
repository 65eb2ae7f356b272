"""From the best tables to all that a statement may need: metric columns, values and join paths included."""

import re
from collections.abc import Iterable, Sequence

from data_agent.catalog.joins import JoinGraph
from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Relationship, Table
from data_agent.domain.value import Value

_QUALIFIED = re.compile(r"`?(\w+)`?\.`?(\w+)`?")
_EXAMPLES = 5


def merged_tables(
    catalog: Catalog,
    graph: JoinGraph,
    *,
    best: Sequence[str],
    values: Sequence[Value],
    metrics: Sequence[Metric],
) -> tuple[tuple[Table, ...], tuple[Relationship, ...]]:
    """The `best` tables plus those that metrics, values and join paths need, and the joins between them.

    Columns keep their catalog order; values found become the first examples of their column.
    """
    wanted = [*best, *metric_tables(metrics), *(value.table for value in values if value.score >= _SURE)]
    names = list(dict.fromkeys(name for name in wanted if catalog.table(name)))
    joins = graph.connect(names)
    for relationship in joins:
        names += [relationship.from_table, relationship.to_table]
    tables = (catalog.table(name) for name in dict.fromkeys(names))
    return tuple(_with_values(table, values) for table in tables if table), joins


_SURE = 0.9


def metric_tables(metrics: Iterable[Metric]) -> list[str]:
    """Home tables of the metrics and every table their expressions and filters name."""
    names: list[str] = []
    for metric in metrics:
        names += [metric.table] if metric.table else []
        names += [found for text in (metric.expression, *metric.filters) for found, _ in _QUALIFIED.findall(text)]
    return names


def _with_values(table: Table, values: Sequence[Value]) -> Table:
    """Put the values that were found in front of the column's own examples, so that the model sees them as stored."""
    found: dict[str, list[str]] = {}
    for value in values:
        if value.table == table.name:
            found.setdefault(value.column, []).append(value.text)
    if not found:
        return table
    columns = tuple(
        column.model_copy(
            update={"examples": tuple(dict.fromkeys([*found.get(column.name, ()), *column.examples]))[:_EXAMPLES]}
        )
        for column in table.columns
    )
    return table.model_copy(update={"columns": columns})
