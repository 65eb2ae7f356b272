"""What an index run would change, told before anything is written."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence

from pydantic import Field

from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.domain.schema import Column
from data_agent.errors import IndexMissing
from data_agent.indexing.marks import unchanged, value_marks
from data_agent.indexing.texts import metric_texts, text_count, texts_of
from data_agent.indexing.values import CAP, synced_columns
from data_agent.ports.changes import Changes as WarehouseChanges
from data_agent.ports.changes import ColumnState
from data_agent.ports.embedder import Embedder
from data_agent.ports.metadata import Metadata
from data_agent.ports.recall import ColumnIndex, IndexedText, IndexStamp, ValueIndex, ValuePart

TEXTS_EACH = 2
"""A description and its names are embedded apart."""


class Changes(Frozen):
    """Ids that come, change or go."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether anything changes."""
        return bool(self.added or self.changed or self.removed)


class Rates(Frozen):
    """What past runs did in a second; None where nothing was measured yet."""

    texts: float | None = None
    values: float | None = None
    columns: float | None = None


class IndexPlan(Frozen):
    """The difference between what is live and a new catalog.

    `values` are columns whose values come, are read again, or go; `value_columns` those that the warehouse is asked
    for, with `rows` rows in their tables as far as it knows; `kept` are values that stay as they are. `models` are the
    embedding models before and now when they differ: then every text is embedded again.
    """

    version_before: str | None
    version: str
    columns: Changes
    metrics: Changes
    values: Changes = Changes()
    value_columns: tuple[str, ...] = ()
    rows: int | None = None
    kept: int = 0
    models: tuple[str, str] | None = None
    all_texts: int = 0

    @property
    def nothing(self) -> bool:
        """Whether every store stays as it is."""
        same = self.version_before == self.version and self.models is None
        return same and not (self.columns.any or self.metrics.any or self.values.any)

    @property
    def texts(self) -> int:
        """How many texts have to be embedded, as far as none of them was before."""
        if self.models:
            return TEXTS_EACH * self.all_texts
        return TEXTS_EACH * sum(len(one.added) + len(one.changed) for one in (self.columns, self.metrics))

    def seconds(self, rates: Rates) -> float | None:
        """How long it takes at these rates; None where one that is needed was never measured."""
        work = ((self.texts, rates.texts), (len(self.value_columns), rates.columns))
        if any(count and not rate for count, rate in work):
            return None
        return round(sum(count / rate for count, rate in work if rate), 1)


class Survey(Frozen):
    """What is live and what the warehouse says: all that a plan is made from."""

    live: Catalog | None = None
    held: dict[str, ValuePart] = Field(default_factory=dict)
    states: dict[str, ColumnState] = Field(default_factory=dict)
    cap: int = CAP
    models: tuple[str, str] | None = None

    def plan(self, catalog: Catalog) -> IndexPlan:
        """Compare the new catalog with what is live."""
        marks, live = value_marks(catalog, self.states, self.cap), self.live
        keep = unchanged(marks, self.held)
        read = tuple(column.id for column in synced_columns(catalog) if column.id not in keep)
        return IndexPlan(
            version_before=live.version if live else None,
            version=catalog.version,
            columns=_text_changes(live, catalog, texts_of),
            metrics=_text_changes(live, catalog, metric_texts),
            values=_value_changes(marks, self.held, keep),
            value_columns=read,
            rows=_rows(read, self.states),
            kept=sum(self.held[column].count for column in keep),
            models=self.models,
            all_texts=text_count(catalog) + len(catalog.metrics),
        )


async def survey(
    catalog: Catalog,
    *,
    metadata: Metadata,
    value_index: ValueIndex,
    column_index: ColumnIndex | None = None,
    embedder: Embedder | None = None,
    warehouse: object = None,
    cap: int = CAP,
    full: bool = False,
) -> Survey:
    """Look at the stores and, where it can tell, at the warehouse. `full` trusts nothing and has every value read.

    Raises:
        StoreUnavailable, WarehouseUnavailable: one of them is down.
    """
    told, live, held = await asyncio.gather(
        _states(warehouse, synced_columns(catalog)), live_catalog(metadata), value_index.parts()
    )
    if full:
        told = {column: state.model_copy(update={"mark": ""}) for column, state in told.items()}
    stamp = await column_index.stamp() if column_index else None
    return Survey(live=live, held=held, states=told, cap=cap, models=_models(stamp, embedder))


def _models(stamp: IndexStamp | None, embedder: Embedder | None) -> tuple[str, str] | None:
    if stamp is None or embedder is None or (stamp.model, stamp.dimension) == (embedder.name, embedder.dimension):
        return None
    return f"{stamp.model} ({stamp.dimension})", f"{embedder.name} ({embedder.dimension})"


async def _states(warehouse: object, columns: Sequence[Column]) -> dict[str, ColumnState]:
    return await warehouse.states(columns) if isinstance(warehouse, WarehouseChanges) else {}


async def live_catalog(metadata: Metadata) -> Catalog | None:
    """The catalog that is live now, or None before the first run."""
    try:
        return await metadata.catalog()
    except IndexMissing:
        return None


def changes(before: Iterable[IndexedText], after: Iterable[IndexedText]) -> Changes:
    """What comes, changes and goes between two lists of texts."""
    old, new = {text.id: text for text in before}, {text.id: text for text in after}
    return Changes(
        added=tuple(id_ for id_ in new if id_ not in old),
        changed=tuple(id_ for id_, text in new.items() if id_ in old and old[id_] != text),
        removed=tuple(id_ for id_ in old if id_ not in new),
    )


def _text_changes(live: Catalog | None, catalog: Catalog, texts: Callable[[Catalog], Iterable[IndexedText]]) -> Changes:
    """A version is the hash of its content, so the same one needs no comparing."""
    if live and live.version == catalog.version:
        return Changes()
    return changes(texts(live) if live else (), texts(catalog))


def _value_changes(marks: Mapping[str, str], held: Mapping[str, ValuePart], keep: set[str]) -> Changes:
    return Changes(
        added=tuple(column for column in marks if column not in held),
        changed=tuple(column for column in marks if column in held and column not in keep),
        removed=tuple(column for column in held if column not in marks),
    )


def _rows(columns: Iterable[str], states: Mapping[str, ColumnState]) -> int | None:
    """Rows of the tables that are read, each table once a column; None when a size is not known."""
    counts = [states[column].rows if column in states else None for column in columns]
    return None if None in counts else sum(count for count in counts if count is not None)
