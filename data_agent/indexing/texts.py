"""What the catalog says about each table, column and metric, as texts to embed and to search."""

from collections.abc import Iterable

from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Table
from data_agent.ports.recall import IndexedText
from data_agent.wording.names import said, shared_prefix, without

MAX_CHARS = 600
_EXAMPLES = 3


def texts_of(catalog: Catalog) -> list[IndexedText]:
    """One text for every table and column that is not retired."""
    kept = [table for table in catalog.tables if not table.retired]
    groups: dict[str, list[str]] = {}
    for table in kept:
        groups.setdefault(schema_of(table), []).append(table.name)
    prefixes = {group: shared_prefix(names) for group, names in groups.items()}
    return [text for table in kept for text in _of_table(table, prefixes[schema_of(table)])]


def text_count(catalog: Catalog) -> int:
    """How many texts that is, without making them."""
    return sum(1 + len(table.columns) for table in catalog.tables if not table.retired)


def undescribed(catalog: Catalog) -> tuple[str, ...]:
    """A line on the columns that have nothing but their name to be found by; none when every column has more.

    Keys are left out: they come with what they join.
    """
    kept = [column for table in catalog.tables if not table.retired for column in table.columns]
    keys = {f"{link.from_table}.{name}" for link in catalog.relationships for name in link.from_columns}
    keys |= {f"{link.to_table}.{name}" for link in catalog.relationships for name in link.to_columns}
    bare = [column.id for column in kept if column.id not in keys and not any(_said_of(column))]
    if not bare:
        return ()
    shown = ", ".join(bare[:_EXAMPLES]) + (", …" if len(bare) > _EXAMPLES else "")
    return (f"{len(bare):,} of {len(kept):,} columns have no description or alias and are found by name only: {shown}",)


def schema_of(table: Table) -> str:
    """The schema in front of a table's name; tables of one schema often share a prefix that says nothing."""
    return table.name.rpartition(".")[0]


def metric_texts(catalog: Catalog) -> list[IndexedText]:
    """One text for every metric."""
    return [_of_metric(metric) for metric in catalog.metrics]


def joined_names(text: IndexedText) -> str:
    """The names as one text to embed."""
    return " ".join(text.names)


def _of_table(table: Table, prefix: str) -> Iterable[IndexedText]:
    short = said(without(prefix, table.name))
    columns = shared_prefix([column.name for column in table.columns])
    shorts = {column.name: said(without(columns, column.name)) for column in table.columns}
    listed = ", ".join(_joined(shorts[column.name], *column.aliases[:2]) for column in table.columns)
    text = f"{_joined(said(table.name), *table.aliases, table.description)}: {listed}"
    yield IndexedText(id=table.name, names=(short, *table.aliases), text=text[:MAX_CHARS])
    for column in table.columns:
        text = _joined(short, *table.aliases[:2], shorts[column.name], *_said_of(column))
        yield IndexedText(id=column.id, names=(shorts[column.name], *column.aliases), text=text[:MAX_CHARS])


def _said_of(column: Column) -> tuple[str, ...]:
    return (*column.aliases, column.description, *column.labels.values(), *_examples(column))


def _of_metric(metric: Metric) -> IndexedText:
    text = _joined(said(metric.name), *metric.aliases, metric.description)
    return IndexedText(id=metric.name, names=(said(metric.name), *metric.aliases), text=text[:MAX_CHARS])


def _examples(column: Column) -> tuple[str, ...]:
    """Personal data stays out of every index, examples too."""
    return () if column.personal else column.examples[:_EXAMPLES]


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
