"""Build every index from a catalog: metadata, then vectors, then values. Run again after a crash, it goes on."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import UTC, datetime
from time import perf_counter
from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.errors import CatalogInvalid
from data_agent.indexing.marks import unchanged, value_marks
from data_agent.indexing.plan import IndexPlan, Survey, survey
from data_agent.indexing.texts import joined_names, metric_texts, text_count, texts_of, undescribed
from data_agent.indexing.values import CAP, ValueStream, told_cut
from data_agent.ports.embedder import Embedder, Vectors
from data_agent.ports.metadata import Metadata
from data_agent.ports.recall import ColumnIndex, IndexedText, IndexStamp, MetricIndex, ValueIndex, ValuePart
from data_agent.ports.warehouse import Warehouse

Part = Literal["embed", "metadata", "columns", "metrics", "values"]
BATCH = 256
AT_ONCE = 2
"""Batches being embedded at the same time: an endpoint, or a second core, need not wait for us."""


class IndexProgress(Frozen):
    """How far a part is. `total` is None where it is not known beforehand; `detail` names a column being read."""

    part: Part
    done: int
    total: int | None = None
    detail: str = ""


class IndexReport(Frozen):
    """What a run did. `skipped` are parts that were already as they should be; `spent` are seconds by part."""

    plan: IndexPlan
    tables: int
    columns: int
    metrics: int
    values: int
    embedded: int
    read: int = 0
    skipped: tuple[Part, ...] = ()
    warnings: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    seconds: float = 0.0
    spent: dict[Part, float] = Field(default_factory=dict)


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
    full: bool = False,
    lock: AbstractAsyncContextManager[object] | None = None,
) -> IndexReport:
    """Make every store hold this catalog. Texts are embedded before anything is swapped, so a failure changes nothing.

    Parts whose stamp already fits are skipped, which is what makes a run after a crash go on. Values are read again
    where the warehouse cannot say that they are the same, and all of them with `full`. `lock` keeps a second run out.

    Raises:
        CatalogInvalid: the catalog holds no table.
        StoreUnavailable, WarehouseUnavailable: a component is down; what was swapped before stays.
    """
    if not catalog.tables:
        raise CatalogInvalid(["the catalog holds no tables"], hint="check the schema name and the account's rights")
    async with lock or nullcontext():
        start = perf_counter()
        found = await survey(
            catalog, metadata=metadata, value_index=value_index, warehouse=warehouse, cap=cap, full=full
        )
        run = Run(catalog, embedder, progress, found)
        columns = await run.embedded(lambda: texts_of(catalog), text_count(catalog), column_index, "columns")
        metrics = await run.embedded(lambda: metric_texts(catalog), len(catalog.metrics), metric_index, "metrics")
        run.ends("embed")
        await run.metadata(metadata)
        await run.swap(columns, column_index, "columns")
        await run.swap(metrics, metric_index, "metrics")
        await run.values(value_index, warehouse)
        return run.report(perf_counter() - start)


class Embedded(NamedTuple):
    """Texts with the vectors of their descriptions and names."""

    texts: Sequence[IndexedText]
    vectors: Vectors
    names: Vectors


class Run:
    """One run over the stores: what it made, what it skipped."""

    def __init__(self, catalog: Catalog, embedder: Embedder, progress: Progress, found: Survey) -> None:
        self.catalog = catalog
        self.embedder = embedder
        self.progress = progress
        self.found = found
        self.plan = found.plan(catalog)
        self.skipped: list[Part] = []
        self.count = 0
        self.held: Mapping[str, ValuePart] = {}
        self.read = 0
        self.warnings: list[str] = []
        self.spent: dict[Part, float] = {}
        self._mark = perf_counter()

    def ends(self, part: Part) -> None:
        """Note how long a part took."""
        now = perf_counter()
        self.spent[part], self._mark = round(now - self._mark, 3), now

    def stamp(self, embedder: Embedder | None) -> IndexStamp:
        """The stamp of what is being built; values have no model."""
        return IndexStamp(
            catalog_version=self.catalog.version,
            model=embedder.name if embedder else "",
            dimension=embedder.dimension if embedder else 0,
            built_at=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    async def embedded(
        self, make: Callable[[], Sequence[IndexedText]], count: int, store: ColumnIndex | MetricIndex, part: Part
    ) -> Embedded | None:
        """The `count` texts with their vectors, or None when the store holds exactly them already."""
        if self.fits(await store.stamp(), count):
            self.skipped.append(part)
            return None
        texts = make()
        wanted = [text.text for text in texts] + [joined_names(text) for text in texts]
        rows = await self.vectors(wanted)
        return Embedded(texts, rows[: len(texts)], rows[len(texts) :])

    async def vectors(self, texts: Sequence[str]) -> Vectors:
        """Embed each different text once, in batches, saying how far it is."""
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        each = list(places)
        rows: Vectors = np.zeros((len(each), self.embedder.dimension), dtype=np.float32)

        async def embed(start: int) -> None:
            batch = each[start : start + BATCH]
            rows[start : start + len(batch)] = await self.embedder.embed(batch)

        for start in range(0, len(each), AT_ONCE * BATCH):
            done = min(start + AT_ONCE * BATCH, len(each))
            await asyncio.gather(*(embed(at) for at in range(start, done, BATCH)))
            self.progress(IndexProgress(part="embed", done=done, total=len(each)))
        self.count += len(each)
        return rows[[places[text] for text in texts]]

    async def metadata(self, store: Metadata) -> None:
        """Make the catalog the live one, unless it is."""
        if self.found.live == self.catalog:
            self.skipped.append("metadata")
        else:
            await store.replace(self.catalog)
        self.progress(IndexProgress(part="metadata", done=1, total=1))
        self.ends("metadata")

    async def swap(self, made: Embedded | None, store: ColumnIndex | MetricIndex, part: Part) -> None:
        """Swap the new texts in."""
        if made:
            await store.replace(self.stamp(self.embedder), made.texts, made.vectors, made.names)
        done = len(made.texts) if made else 0
        self.progress(IndexProgress(part=part, done=done, total=done))
        self.ends(part)

    async def values(self, store: ValueIndex, warehouse: Warehouse) -> None:
        """Read the values that may have changed and take over the others."""
        marks = value_marks(self.catalog, self.found.states, self.found.cap)
        keep, self.held = unchanged(marks, self.found.held), self.found.held
        live = await store.stamp()
        stale = live is None or live.catalog_version != self.catalog.version
        if stale or self.plan.values.any:
            stream = ValueStream(self.catalog, warehouse, cap=self.found.cap, keep=keep, heard=self.reading_values)

            def parts() -> Mapping[str, ValuePart]:
                self.held = stream.parts(marks, self.found.held)
                return self.held

            await store.replace(self.stamp(None), stream.batches(), keep=keep, parts=parts)
            self.read, self.warnings = sum(stream.counts.values()), stream.warnings
        else:
            self.skipped.append("values")
        self.ends("values")

    def fits(self, stamp: IndexStamp | None, count: int) -> bool:
        """Whether a store already holds this catalog, made by this model."""
        wanted = self.stamp(self.embedder).model_copy(update={"count": count})
        same = {"built_at": ""}
        return stamp is not None and stamp.model_copy(update=same) == wanted.model_copy(update=same)

    def reading_values(self, column: str, done: int) -> None:
        """Say which column is being read."""
        self.progress(IndexProgress(part="values", done=done, detail=column))

    def report(self, seconds: float) -> IndexReport:
        """What this run did."""
        tables = [table for table in self.catalog.tables if not table.retired]
        cut = (column for column, part in self.held.items() if part.cut)
        return IndexReport(
            plan=self.plan,
            tables=len(tables),
            columns=sum(len(table.columns) for table in tables),
            metrics=len(self.catalog.metrics),
            values=sum(part.count for part in self.held.values()),
            embedded=self.count,
            read=self.read,
            skipped=tuple(self.skipped),
            warnings=(*self.warnings, *told_cut(cut, self.found.cap)),
            hints=undescribed(self.catalog),
            seconds=round(seconds, 3),
            spent=self.spent,
        )
