"""An index run from end to end on fakes: order, skipping, resuming, caps, personal data."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Table
from data_agent.errors import CatalogInvalid, StatementFailed, StoreUnavailable, WarehouseTimeout, WarehouseUnavailable
from data_agent.indexing.index import IndexProgress, index
from data_agent.indexing.plan import survey
from data_agent.indexing.values import ValueStream, synced_columns
from data_agent.ports.changes import ColumnState
from data_agent.ports.embedder import Vectors
from data_agent.ports.recall import IndexedText, IndexStamp
from scripts.plan import plan_lines
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


class Telling(Shop):
    """A shop that says which of its columns are as before."""

    def __init__(self, **marks: str) -> None:
        super().__init__()
        self.marks = {"name": "1", "status": "1", "note": "1"} | marks

    async def states(self, columns: Sequence[Column]) -> dict[str, ColumnState]:
        return {column.id: ColumnState(mark=self.marks[column.name], rows=9) for column in columns}


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


async def test_a_warehouse_that_cannot_tell_has_its_values_read_again() -> None:
    room, shop = Room(), Shop()
    await room.run(catalog())
    texts = len(room.embedder.texts)
    report = await room.run(catalog(), shop)
    assert len(room.embedder.texts) == texts and len(shop.statements) == 3
    assert set(report.skipped) == {"columns", "metrics", "metadata"}
    assert not report.plan.columns.any and not report.plan.metrics.any and len(report.plan.values.changed) == 3


async def test_a_run_with_nothing_changed_reads_and_writes_nothing() -> None:
    room, again = Room(), Telling()
    first = await room.run(catalog(), Telling())
    texts = len(room.embedder.texts)
    report = await room.run(catalog(), again)
    assert set(report.skipped) == {"columns", "metrics", "metadata", "values"} and report.plan.nothing
    assert again.statements == [] and len(room.embedder.texts) == texts
    assert (report.values, report.read) == (first.values, 0)


async def test_a_column_whose_mark_moved_is_read_alone() -> None:
    room, again = Room(), Telling(note="2")
    first = await room.run(catalog(), Telling())
    report = await room.run(catalog(), again)
    (statement,) = again.statements
    assert "note" in statement and report.plan.values.changed == ("channels.note",)
    assert {value.column for value in room.values.written} == {"note"}
    assert report.values == first.values and report.plan.rows == 9


async def test_another_name_of_a_value_reads_its_column_again_and_no_other() -> None:
    room, again = Room(), Telling()
    await room.run(catalog(), Telling())
    name, *others = CHANNELS.columns
    renamed = name.model_copy(update={"value_aliases": {"天猫": ("猫超",)}})
    await room.run(catalog("v2", CHANNELS.model_copy(update={"columns": (renamed, *others)})), again)
    assert len(again.statements) == 1 and "name" in again.statements[0]
    assert (await room.values.search(["猫超"], 1))[0].text == "天猫" and not await room.values.search(["淘宝"], 1)


async def test_a_new_description_moves_no_value() -> None:
    room, again = Room(), Telling()
    await room.run(catalog(), Telling())
    report = await room.run(catalog("v2", CHANNELS.model_copy(update={"description": "where people buy"})), again)
    stamp = await room.values.stamp()
    assert again.statements == [] and room.values.written == [] and report.values == len(room.values.values)
    assert stamp is not None and stamp.catalog_version == "v2"


async def test_full_trusts_no_mark() -> None:
    room, again = Room(), Telling()
    await room.run(catalog(), Telling())
    await room.run(catalog(), again, full=True)
    assert len(again.statements) == 3


async def test_a_column_that_becomes_personal_leaves_the_index() -> None:
    room = Room()
    await room.run(catalog(), Telling())
    hidden = tuple(column.model_copy(update={"personal": True}) for column in CHANNELS.columns)
    await room.run(catalog("v2", CHANNELS.model_copy(update={"columns": hidden})), Telling())
    assert room.values.values == [] and await room.values.parts() == {}


async def test_a_column_over_the_cap_is_told_of_again_when_it_is_kept() -> None:
    room = Room()
    await room.run(catalog(), Telling(), cap=10)
    report = await room.run(catalog(), Telling(), cap=10)
    assert "values" in report.skipped and "channels.note" in report.warnings[0]


@pytest.mark.parametrize(
    "error", [StatementFailed("no such column"), WarehouseTimeout("too slow")], ids=["gone", "slow"]
)
async def test_a_column_that_cannot_be_read_is_named_and_the_others_go_on(error: Exception) -> None:
    class Partly(Telling):
        async def stream(self, sql: AdmittedSql, batch: int = 5000) -> AsyncIterator[list[tuple[Any, ...]]]:
            if "status" in sql.sql:
                raise error
            async for rows in super().stream(sql, batch):
                yield rows

    room, again = Room(), Telling()
    report = await room.run(catalog(), Partly())
    assert "channels.status" in report.warnings[0] and len(report.warnings) == 1
    assert (await room.values.search(["京东"], 1))[0].text == "京东"
    await room.run(catalog(), again)
    assert [statement for statement in again.statements if "status" in statement] == again.statements != []


async def test_the_reading_of_one_column_ends_in_time_q112() -> None:
    """Q112-column-profile-timeout: SELECT DISTINCT over a huge column hangs the indexing run."""

    class Endless(Telling):
        async def stream(self, sql: AdmittedSql, batch: int = 5000) -> AsyncIterator[list[tuple[Any, ...]]]:
            self.statements.append(sql.sql)
            if "note" in sql.sql:
                await asyncio.sleep(60)
            yield [("x",)]

    shop = Endless()
    stream = ValueStream(catalog(), shop, seconds=0.05)  # type: ignore[arg-type]
    read = [value.text async for batch in stream.batches() for value in batch if value.text == "x"]
    assert len(read) == 2 and "channels.note" in stream.warnings[0] and "0.05 s" in stream.warnings[0]
    assert stream.broken == {"channels.note"}


async def test_a_new_version_replaces_everything() -> None:
    room = Room()
    await room.run(catalog())
    other = Table(name="regions", columns=(Column(table="regions", name="province"),))
    report = await room.run(catalog("v2", other))
    assert [text.id for text in room.columns.texts] == ["regions", "regions.province"]
    assert report.plan.columns.removed[0] == "channels" and report.skipped == ()


async def test_columns_that_only_have_a_name_are_told() -> None:
    """The case q229: missing comments are reported."""
    report = await Room().run(catalog())
    assert report.hints == (
        "4 of 6 columns have no description or alias and are found by name only: "
        "channels.name, channels.note, channels.secret, …",
    )


async def test_another_embedding_model_is_planned_as_a_whole_rebuild() -> None:
    room = Room()
    await room.run(catalog())
    other = FakeEmbedder(dimension=room.embedder.dimension * 2)
    found = await survey(
        catalog(), metadata=room.metadata, value_index=room.values, column_index=room.columns, embedder=other
    )
    plan = found.plan(catalog())
    assert plan.models is not None and not plan.nothing and plan.texts == 2 * plan.all_texts
    assert "embedded again" in "\n".join(plan_lines(plan, None))


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
