"""The catalog: everything that is known about one warehouse, in one frozen value."""

import re
from collections.abc import Iterable
from functools import cached_property

from pydantic import Field

from data_agent.domain.frozen import Frozen
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Relationship, Table


class Domain(Frozen):
    """A subject area (sales, finance, people) with the words that lead to it."""

    name: str
    description: str = ""
    keywords: tuple[str, ...] = ()


class Document(Frozen):
    """A knowledge document: a policy or definition in words, quoted with its source."""

    title: str
    text: str
    source: str
    aliases: tuple[str, ...] = ()


class Catalog(Frozen):
    """Tables, metrics and relationships of one warehouse. `version` is the hash of its content."""

    name: str
    version: str
    tables: tuple[Table, ...] = ()
    metrics: tuple[Metric, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    domains: tuple[Domain, ...] = ()
    documents: tuple[Document, ...] = ()
    synonyms: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    @cached_property
    def by_name(self) -> dict[str, Table]:
        """Tables by case-folded name."""
        return {table.name.casefold(): table for table in self.tables}

    def table(self, name: str) -> Table | None:
        """The table of that name, letter case ignored."""
        return self.by_name.get(name.casefold())

    def column(self, column_id: str) -> Column | None:
        """The column called `table.column`."""
        table_name, _, name = column_id.rpartition(".")
        table = self.table(table_name)
        return table.column(name) if table else None

    def metric(self, name: str) -> Metric | None:
        """The metric of that exact name."""
        return next((metric for metric in self.metrics if metric.name == name), None)

    def parts_of(self, metric: Metric) -> tuple[Metric, ...]:
        """The metrics a derived metric names in braces, in order; those that do not exist are left out."""
        names = dict.fromkeys(re.findall(r"\{(\w+)\}", metric.expression))
        return tuple(part for name in names if (part := self.metric(name)))

    def slice(self, tables: Iterable[Table], metrics: Iterable[Metric]) -> "Catalog":
        """A smaller catalog of just these, with the relationships that still hold between them."""
        kept = tuple(tables)
        names = {table.name for table in kept}
        links = tuple(r for r in self.relationships if r.from_table in names and r.to_table in names)
        return self.model_copy(update={"tables": kept, "metrics": tuple(metrics), "relationships": links})
