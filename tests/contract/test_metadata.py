"""What every metadata store promises, fake and real alike."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from data_agent.domain.catalog import Catalog, Document, Domain
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Relationship, Table
from data_agent.errors import IndexMissing, StoreUnavailable
from data_agent.ports.metadata import Metadata
from repositories.sql.metadata import SqlMetadata
from tests.fakes.metadata import FakeMetadata


def catalog(version: str = "v1", tables: int = 3) -> Catalog:
    made = tuple(
        Table(
            name=f"t{i}",
            columns=(Column(table=f"t{i}", name="名称", aliases=("name", "名字"), labels={"1": "是"}, sync=True),),
            primary_key=("id",),
        )
        for i in range(tables)
    )
    return Catalog(
        name="shop",
        version=version,
        tables=made,
        metrics=(Metric(name="sales", aliases=("销售额",), table="t0", expression="SUM(t0.x)", filters=("t0.y = 1",)),),
        relationships=(Relationship(from_table="t0", from_columns=("a",), to_table="t1", to_columns=("b",)),),
        domains=(Domain(name="sales", keywords=("卖",)),),
        documents=(Document(title="退货", text="七天", source="policy.md"),),
        synonyms={"大佬": ("钻石",)},
    )


@pytest.fixture(params=["fake", "sqlite", pytest.param("mysql", marks=pytest.mark.mysql)])
async def metadata(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Any]:
    if request.param == "fake":
        yield FakeMetadata()
        return
    url = f"sqlite:///{tmp_path}/meta.db"
    if request.param == "mysql":
        url = request.getfixturevalue("mysql_database")
    store = SqlMetadata(url)
    yield store
    await store.close()


async def test_an_empty_store_says_that_nothing_was_indexed(metadata: Metadata) -> None:
    with pytest.raises(IndexMissing) as caught:
        await metadata.catalog()
    assert "data-agent index" in caught.value.hint


async def test_the_catalog_comes_back_equal(metadata: Metadata) -> None:
    await metadata.replace(catalog())
    assert await metadata.catalog() == catalog()


async def test_replacing_shows_the_new_version_whole(metadata: Metadata) -> None:
    await metadata.replace(catalog())
    await metadata.catalog()
    await metadata.replace(catalog("v2", tables=1))
    assert await metadata.catalog() == catalog("v2", tables=1)


async def test_the_same_version_can_be_written_again(metadata: Metadata) -> None:
    await metadata.replace(catalog())
    await metadata.replace(catalog())
    assert (await metadata.catalog()).version == "v1"


async def test_a_reader_never_sees_a_mixture(metadata: Metadata) -> None:
    await metadata.replace(catalog("v0", tables=1))

    async def write() -> None:
        for number in range(1, 6):
            await metadata.replace(catalog(f"v{number}", tables=number + 1))

    async def read() -> None:
        for _ in range(20):
            seen = await metadata.catalog()
            assert len(seen.tables) == int(seen.version[1:]) + 1

    await asyncio.gather(write(), read(), read())


async def test_another_process_reads_what_was_written(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/meta.db"
    writer, reader = SqlMetadata(url), SqlMetadata(url)
    await writer.replace(catalog())
    assert await reader.catalog() == catalog()
    await writer.replace(catalog("v2"))
    assert (await reader.catalog()).version == "v2"
    await writer.close()
    await reader.close()


async def test_old_versions_are_cleaned(tmp_path: Path) -> None:
    from sqlalchemy import create_engine, text

    store = SqlMetadata(f"sqlite:///{tmp_path}/meta.db")
    for number in range(5):
        await store.replace(catalog(f"v{number}"))
    await store.close()
    engine = create_engine(f"sqlite:///{tmp_path}/meta.db")
    with engine.connect() as connection:
        versions = connection.execute(text("SELECT DISTINCT version FROM catalog_objects ORDER BY 1")).scalars().all()
    engine.dispose()
    assert versions == ["v3", "v4"]


async def test_a_second_read_asks_for_the_version_only(tmp_path: Path) -> None:
    from sqlalchemy import event

    store = SqlMetadata(f"sqlite:///{tmp_path}/meta.db")
    await store.replace(catalog())
    statements: list[str] = []
    event.listen(store._engine, "before_cursor_execute", lambda *seen: statements.append(seen[2]))
    first = await store.catalog()
    assert len(statements) == 2
    assert await store.catalog() is first
    assert len(statements) == 3
    await store.close()


async def test_a_dead_server_is_a_store_unavailable_without_the_password() -> None:
    store = SqlMetadata("mysql+pymysql://root:secret@127.0.0.1:9/meta")
    with pytest.raises(StoreUnavailable) as caught:
        await store.catalog()
    assert "secret" not in caught.value.message + caught.value.hint
    assert not isinstance(caught.value, IndexMissing)
    await store.close()


async def test_two_catalogs_share_a_database_without_meeting(tmp_path):
    url = f"sqlite:///{tmp_path}/meta.db"
    shop, money = SqlMetadata(url, "data-agent-shop"), SqlMetadata(url, "data-agent-money")
    for store, name in ((shop, "shop"), (money, "money")):
        await store.replace(Catalog(name=name, version=name))
    assert [(await store.catalog()).name for store in (shop, money)] == ["shop", "money"]
    await shop.replace(Catalog(name="shop", version="2"))
    await shop.replace(Catalog(name="shop", version="3"))
    assert (await money.catalog()).name == "money"
    for store in (shop, money):
        await store.close()
