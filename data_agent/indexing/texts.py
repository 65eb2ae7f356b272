"""What the catalog says about each table, column and metric, as texts to embed and to search."""

from collections.abc import Iterable

from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Table
from data_agent.wording.tokens import spelled_out
from data_agent.ports.recall import IndexedText

MAX_CHARS = 600
_EXAMPLES = 3


def texts_of(catalog: Catalog) -> list[IndexedText]:
    """One text for every table and column that is not retired."""
    return [text for table in catalog.tables if not table.retired for text in _of_table(table)]


def metric_texts(catalog: Catalog) -> list[IndexedText]:
    """One text for every metric."""
    return [_of_metric(metric) for metric in catalog.metrics]


def joined_names(text: IndexedText) -> str:
    """The names as one text to embed: the first name in words, then the aliases."""
    return " ".join((spelled_out(text.names[0].rpartition(".")[2]), *text.names[1:]))


def _of_table(table: Table) -> Iterable[IndexedText]:
    yield IndexedText(id=table.name, names=(table.name, *table.aliases), text=_table_text(table))
    for column in table.columns:
        yield IndexedText(id=column.id, names=(column.name, *column.aliases), text=_column_text(table, column))


def _table_text(table: Table) -> str:
    columns = ", ".join(_joined(_words(column.name), *column.aliases[:2]) for column in table.columns)
    return f"{_joined(_words(table.name), *table.aliases, table.description)}: {columns}"[:MAX_CHARS]


def _column_text(table: Table, column: Column) -> str:
    said = (*column.aliases, column.description, *column.labels.values(), *_examples(column))
    return _joined(_words(table.name), *table.aliases[:2], _words(column.name), *said)[:MAX_CHARS]


def _of_metric(metric: Metric) -> IndexedText:
    text = _joined(_words(metric.name), *metric.aliases, metric.description)
    return IndexedText(id=metric.name, names=(metric.name, *metric.aliases), text=text[:MAX_CHARS])


def _examples(column: Column) -> tuple[str, ...]:
    """Personal data stays out of every index, examples too."""
    return () if column.personal else column.examples[:_EXAMPLES]


def _words(name: str) -> str:
    return spelled_out(name.rpartition(".")[2])


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
