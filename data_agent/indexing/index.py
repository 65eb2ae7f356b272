"""Build every index from a catalog: metadata, then vectors, then values. Run again after a crash, it goes on."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import UTC, datetime
from time import perf_counter
from typing import Literal, NamedTuple

import numpy as np

from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.errors import CatalogInvalid, IndexMissing
from data_agent.indexing.plan import IndexPlan, plan
from data_agent.indexing.texts import joined_names, metric_texts, texts_of
from data_agent.indexing.values import CAP, ValueStream
from data_agent.ports.embedder import Embedder, Vectors
from data_agent.ports.metadata import Metadata
from data_agent.ports.recall import ColumnIndex, IndexedText, IndexStamp, MetricIndex, ValueIndex
from data_agent.ports.warehouse import Warehouse

Part = Literal["embed", "metadata", "columns", "metrics", "values"]
BATCH = 256


class IndexProgress(Frozen):
    """How far a part is. `total` is None where it is not known beforehand; `detail` names a column being read."""

    part: Part
    done: int
    total: int | None = None
    detail: str = ""


class IndexReport(Frozen):
    """What a run did. `skipped` are parts that were already as they should be."""

    plan: IndexPlan
    tables: int
    columns: int
    metrics: int
    values: int
    embedded: int
    skipped: tuple[Part, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0


Progress = Callable[[IndexProgress], None]


def unheard(_progress: IndexProgress) -> None:
    """Nobody listens."""


async def index(
    catalog: Catalog,
    *,
    warehouse: Warehouse,
    embedder: Embedder,
    column_index: ColumnIndex,
    metric_index: MetricIndex,
    value_index: ValueIndex,
    metadata: Metadata,
    progress: Progress = unheard,
    cap: int = CAP,
    lock: AbstractAsyncContextManager[object] | None = None,
) -> IndexReport:
    """Make every store hold this catalog. Texts are embedded before anything is swapped, so a failure changes nothing.

    Parts whose stamp already fits are skipped, which is what makes a run after a crash go on; values are always read
    again. `lock` keeps a second run out.

    Raises:
        CatalogInvalid: the catalog holds no table.
        StoreUnavailable, WarehouseUnavailable: a component is down; what was swapped before stays.
    """
    if not catalog.tables:
        raise CatalogInvalid(["the catalog holds no tables"], hint="check the schema name and the account's rights")
    async with lock or nullcontext():
        start, live = perf_counter(), await live_catalog(metadata)
        run = Run(catalog, embedder, progress)
        columns = await run.embedded(texts_of(catalog), column_index, "columns")
        metrics = await run.embedded(metric_texts(catalog), metric_index, "metrics")
        await run.metadata(metadata, live)
        await run.swap(columns, column_index, "columns")
        await run.swap(metrics, metric_index, "metrics")
        stream = ValueStream(catalog, warehouse, cap, run.reading_values)
        values = await value_index.replace(run.stamp(None), stream.batches())
        return run.report(plan(catalog, live), values, stream.warnings, perf_counter() - start)


async def live_catalog(metadata: Metadata) -> Catalog | None:
    """The catalog that is live now, or None before the first run."""
    try:
        return await metadata.catalog()
    except IndexMissing:
        return None


class Embedded(NamedTuple):
    """Texts with the vectors of their descriptions and names."""

    texts: Sequence[IndexedText]
    vectors: Vectors
    names: Vectors


class Run:
    """One run over the stores: what it made, what it skipped."""

    def __init__(self, catalog: Catalog, embedder: Embedder, progress: Progress) -> None:
        self.catalog = catalog
        self.embedder = embedder
        self.progress = progress
        self.skipped: list[Part] = []
        self.count = 0

    def stamp(self, embedder: Embedder | None) -> IndexStamp:
        """The stamp of what is being built; values have no model."""
        return IndexStamp(
            catalog_version=self.catalog.version,
            model=embedder.name if embedder else "",
            dimension=embedder.dimension if embedder else 0,
            built_at=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    async def embedded(
        self, texts: Sequence[IndexedText], store: ColumnIndex | MetricIndex, part: Part
    ) -> Embedded | None:
        """The texts with their vectors, or None when the store holds exactly them already."""
        if self.fits(await store.stamp(), len(texts)):
            self.skipped.append(part)
            return None
        wanted = [text.text for text in texts] + [joined_names(text) for text in texts]
        rows = await self.vectors(wanted)
        return Embedded(texts, rows[: len(texts)], rows[len(texts) :])

    async def vectors(self, texts: Sequence[str]) -> Vectors:
        """Embed in batches, saying how far it is."""
        rows: Vectors = np.zeros((len(texts), self.embedder.dimension), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            rows[start : start + len(batch)] = await self.embedder.embed(batch)
            self.progress(IndexProgress(part="embed", done=start + len(batch), total=len(texts)))
        self.count += len(texts)
        return rows

    async def metadata(self, store: Metadata, live: Catalog | None) -> None:
        """Make the catalog the live one, unless it is."""
        if live == self.catalog:
            self.skipped.append("metadata")
        else:
            await store.replace(self.catalog)
        self.progress(IndexProgress(part="metadata", done=1, total=1))

    async def swap(self, made: Embedded | None, store: ColumnIndex | MetricIndex, part: Part) -> None:
        """Swap the new texts in."""
        if made:
            await store.replace(self.stamp(self.embedder), made.texts, made.vectors, made.names)
        done = len(made.texts) if made else 0
        self.progress(IndexProgress(part=part, done=done, total=done))

    def fits(self, stamp: IndexStamp | None, count: int) -> bool:
        """Whether a store already holds this catalog, made by this model."""
        wanted = self.stamp(self.embedder).model_copy(update={"count": count})
        same = {"built_at": ""}
        return stamp is not None and stamp.model_copy(update=same) == wanted.model_copy(update=same)

    def reading_values(self, column: str, done: int) -> None:
        """Say which column is being read."""
        self.progress(IndexProgress(part="values", done=done, detail=column))

    def report(self, done: IndexPlan, values: int, warnings: Sequence[str], seconds: float) -> IndexReport:
        """What this run did."""
        tables = [table for table in self.catalog.tables if not table.retired]
        return IndexReport(
            plan=done,
            tables=len(tables),
            columns=sum(len(table.columns) for table in tables),
            metrics=len(self.catalog.metrics),
            values=values,
            embedded=self.count,
            skipped=tuple(self.skipped),
            warnings=tuple(warnings),
            seconds=round(seconds, 3),
        )
