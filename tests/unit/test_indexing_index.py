"""An index run from end to end on fakes: order, skipping, resuming, caps, personal data."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Table
from data_agent.errors import CatalogInvalid, StoreUnavailable, WarehouseUnavailable
from data_agent.indexing.index import IndexProgress, index
from data_agent.indexing.values import synced_columns
from data_agent.ports.embedder import Vectors
from data_agent.ports.recall import IndexedText, IndexStamp
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.indexes import FakeColumnIndex, FakeMetricIndex, FakeValueIndex
from tests.fakes.metadata import FakeMetadata

ROWS: dict[str, list[Any]] = {
    "name": ["天猫", "京东", "  ", "x" * 500, None, "a\x00b"],
    "status": [1, 2],
    "note": [f"note {i}" for i in range(50)],
}
CHANNELS = Table(
    name="channels",
    columns=(
        Column(table="channels", name="name", sync=True, value_aliases={"天猫": ("淘宝", "Tmall")}),
        Column(table="channels", name="status", type="int", sync=True, labels={"2": "已支付"}),
        Column(table="channels", name="note", sync=True),
        Column(table="channels", name="phone", sync=True, personal=True, labels={"1": "张三"}),
        Column(table="channels", name="secret", sync=False),
        Column(table="channels", name="body", type="json", sync=True),
    ),
)


def catalog(version: str = "v1", *tables: Table) -> Catalog:
    return Catalog(name="shop", version=version, tables=tables or (CHANNELS,), metrics=(Metric(name="sales"),))


class Shop:
    """A warehouse that streams what `ROWS` holds and remembers the statements."""

    name, dialect = "shop", "duckdb"

    def __init__(self, broken: bool = False) -> None:
        self.statements: list[str] = []
        self.broken = broken

    async def version(self) -> str:
        return "1.0.0"

    async def stream(self, sql: AdmittedSql, batch: int = 5000) -> AsyncIterator[list[tuple[Any, ...]]]:
        self.statements.append(sql.sql)
        if self.broken:
            raise WarehouseUnavailable("gone")
        (column,) = sql.columns
        rows = [(value,) for value in ROWS[column.rpartition(".")[2]]][: sql.limit]
        for start in range(0, len(rows), 2):
            yield rows[start : start + 2]


class Room:
    """The stores of one test."""

    def __init__(self) -> None:
        self.embedder = FakeEmbedder()
        self.columns, self.metrics, self.values = FakeColumnIndex(), FakeMetricIndex(), FakeValueIndex()
        self.metadata = FakeMetadata()
        self.heard: list[IndexProgress] = []

    async def run(self, of: Catalog, shop: Shop | None = None, **more: Any) -> Any:
        return await index(
            of,
            warehouse=shop or Shop(),  # type: ignore[arg-type]
            embedder=self.embedder,
            column_index=self.columns,
            metric_index=self.metrics,
            value_index=self.values,
            metadata=self.metadata,
            progress=self.heard.append,
            **more,
        )


async def test_a_run_fills_every_store() -> None:
    room = Room()
    report = await room.run(catalog())
    assert (report.tables, report.columns, report.metrics) == (1, 6, 1)
    assert await room.metadata.catalog() == catalog()
    for store in (room.columns, room.metrics, room.values):
        stamp = await store.stamp()
        assert stamp is not None and stamp.catalog_version == "v1"


async def test_stored_values_are_found_by_labels_and_other_names() -> None:
    room = Room()
    await room.run(catalog())
    found = {v.word: (v.text, v.score) for v in await room.values.search(["淘宝", "Tmall", "已支付", "京东"], 1)}
    assert found == {"淘宝": ("天猫", 1.0), "Tmall": ("天猫", 1.0), "已支付": ("2", 1.0), "京东": ("京东", 1.0)}


async def test_personal_and_unsynced_columns_are_never_read() -> None:
    room, shop = Room(), Shop()
    await room.run(catalog(), shop)
    text = " ".join(shop.statements)
    assert [column.name for column in synced_columns(catalog())] == ["name", "status", "note"]
    assert not any(word in text for word in ("phone", "secret", "body"))
    assert await room.values.search(["张三"], 5) == []


async def test_blank_long_and_broken_values_are_left_out() -> None:
    room = Room()
    await room.run(catalog())
    assert {value.text for value in room.values.values if value.column == "name"} == {"天猫", "京东"}


async def test_a_column_over_the_cap_is_cut_and_named() -> None:
    room = Room()
    report = await room.run(catalog(), cap=10)
    assert sum(value.column == "note" for value in room.values.values) == 10
    (warning,) = report.warnings
    assert "channels.note" in warning and "10" in warning


async def test_the_same_catalog_again_embeds_nothing_and_reads_values_again() -> None:
    room, shop = Room(), Shop()
    await room.run(catalog())
    texts = len(room.embedder.texts)
    report = await room.run(catalog(), shop)
    assert len(room.embedder.texts) == texts and len(shop.statements) == 3
    assert set(report.skipped) == {"columns", "metrics", "metadata"} and report.plan.nothing


async def test_a_new_version_replaces_everything() -> None:
    room = Room()
    await room.run(catalog())
    other = Table(name="regions", columns=(Column(table="regions", name="province"),))
    report = await room.run(catalog("v2", other))
    assert [text.id for text in room.columns.texts] == ["regions", "regions.province"]
    assert report.plan.columns.removed[0] == "channels" and report.skipped == ()


async def test_a_failing_embedder_leaves_the_old_index_whole() -> None:
    class Broken(FakeEmbedder):
        async def embed(self, texts: Sequence[str]) -> Vectors:
            raise StoreUnavailable("the embedding service is away")

    room = Room()
    await room.run(catalog())
    room.embedder = Broken()
    with pytest.raises(StoreUnavailable):
        await room.run(catalog("v2"))
    assert (await room.metadata.catalog()).version == "v1"


async def test_a_run_that_broke_at_the_values_goes_on_from_there() -> None:
    room = Room()
    with pytest.raises(WarehouseUnavailable):
        await room.run(catalog(), Shop(broken=True))
    texts = len(room.embedder.texts)
    report = await room.run(catalog())
    assert len(room.embedder.texts) == texts and set(report.skipped) == {"columns", "metrics", "metadata"}
    assert (await room.values.search(["京东"], 1))[0].text == "京东"


async def test_a_run_that_broke_between_columns_and_metrics_goes_on_from_there() -> None:
    class Full(FakeMetricIndex):
        async def replace(
            self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors | None = None
        ) -> None:
            raise StoreUnavailable("the disk is full")

    room = Room()
    room.metrics = Full()
    with pytest.raises(StoreUnavailable):
        await room.run(catalog())
    room.metrics = FakeMetricIndex()
    report = await room.run(catalog())
    assert set(report.skipped) == {"columns", "metadata"}
    assert [text.id for text in room.metrics.texts] == ["sales"]


async def test_progress_tells_every_part_and_the_column_being_read() -> None:
    room = Room()
    await room.run(catalog())
    parts = list(dict.fromkeys(said.part for said in room.heard))
    assert parts == ["embed", "metadata", "columns", "metrics", "values"]
    assert {said.detail for said in room.heard if said.part == "values"} >= {"channels.name", "channels.note"}


async def test_an_empty_catalog_is_a_mistake_not_a_success() -> None:
    with pytest.raises(CatalogInvalid, match="no tables"):
        await Room().run(Catalog(name="shop", version="v1"))


async def test_statements_are_admitted_ones_with_a_cap() -> None:
    room, shop = Room(), Shop()
    await room.run(catalog(), shop, cap=10)
    assert all("DISTINCT" in statement and "LIMIT 11" in statement for statement in shop.statements)
