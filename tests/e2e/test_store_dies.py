"""A real Elasticsearch node that freezes, dies, fills up and comes back: while it is asked, and while it is written."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch
from pydantic import BaseModel

from api.bootstrap import bootstrap, index_stores
from api.service import Service
from api.settings import load_settings
from data_agent.domain.value import Value
from data_agent.errors import StoreUnavailable
from data_agent.events import Result, Warned
from data_agent.ports.recall import IndexStamp
from demo.layout import CATALOG, demo_catalog
from demo.warehouse import build
from repositories.elasticsearch.value_index import ElasticsearchValueIndex
from tests.servers import OwnNode

pytestmark = [pytest.mark.elasticsearch, pytest.mark.slow]
QUESTION = "2025年广东的销售额"
STAMP = IndexStamp(catalog_version="v1", model="", dimension=0)


@pytest.fixture
def node(own_node: OwnNode) -> Iterator[OwnNode]:
    """The node, running and open for writing before and after."""
    own_node.start()
    yield own_node
    own_node.start()


async def batches(*texts: str) -> AsyncIterator[list[Value]]:
    for text in texts:
        yield [Value(table="t", column="c", text=text)]


@asynccontextmanager
async def opened(node: OwnNode, seconds: float = 10.0) -> AsyncIterator[ElasticsearchValueIndex]:
    index = ElasticsearchValueIndex(node.url, alias="test-dies", seconds=seconds)
    try:
        yield index
    finally:
        await index.close()


async def asked(service: Service) -> tuple[list[BaseModel], Result]:
    events = [event async for event in service.ask(QUESTION)]
    (result,) = [event for event in events if isinstance(event, Result)]
    return events, result


async def test_a_node_that_dies_under_questions_is_told_of_and_the_answer_comes(node: OwnNode, tmp_path: Path) -> None:
    build(f"duckdb:///{tmp_path}/shop.duckdb")
    file = tmp_path / "settings.yaml"
    file.write_text(
        f"warehouse: {{url: 'duckdb:///shop.duckdb'}}\ncatalog: {CATALOG}\noptions: {{recall_seconds: 6}}\n"
        f"stores: {{path: stores, elasticsearch_url: '{node.url}'}}\ncalendar: {{now: '2026-07-01T09:00:00+08:00'}}\n",
        encoding="utf-8",
    )
    settings = load_settings(file)
    async with bootstrap(settings) as service:
        await service.warm()
        await index_stores(settings, service.outside, demo_catalog())
        events, whole = await asked(service)
        assert not [event for event in events if isinstance(event, Warned)] and whole.answer.rows
        node.signal(signal.SIGSTOP)
        async with asyncio.timeout(60):
            frozen, told = await asked(service)
        assert [event.source for event in frozen if isinstance(event, Warned)] == ["value_index"]
        assert any("value_index" in warning for warning in told.answer.warnings)
        node.signal(signal.SIGCONT)
        await asyncio.to_thread(node.start)
        events, again = await asked(service)
        assert again.answer.rows == whole.answer.rows and not [event for event in events if isinstance(event, Warned)]
        node.signal(signal.SIGKILL)
        dead, told = await asked(service)
        assert [event.source for event in dead if isinstance(event, Warned)] == ["value_index"]
        assert any("value_index" in warning for warning in told.answer.warnings)
    async with bootstrap(settings) as service:
        assert any("value_index" in warning for warning in (await asked(service))[1].answer.warnings), "down at start"
        await asyncio.to_thread(node.start)
        assert (await asked(service))[1].answer.rows == whole.answer.rows


async def test_a_node_that_dies_under_indexing_keeps_the_old_index_and_the_next_run_ends_the_work(
    node: OwnNode,
) -> None:
    async def deadly() -> AsyncIterator[list[Value]]:
        yield [Value(table="t", column="c", text="上海市")]
        node.signal(signal.SIGKILL)
        yield [Value(table="t", column="c", text="天津市")]

    async with opened(node, seconds=3) as index:
        await index.replace(STAMP, batches("北京市"))
        with pytest.raises(StoreUnavailable):
            await index.replace(STAMP.model_copy(update={"catalog_version": "v2"}), deadly())
        await asyncio.to_thread(node.start)
        stamp = await index.stamp()
        assert stamp is not None and stamp.catalog_version == "v1"
        assert [value.text for value in await index.search(["北京市", "上海市", "天津市"], 3)] == ["北京市"]
        await index.replace(STAMP, batches("上海市", "天津市"))
        found = [value.text for value in await index.search(["北京市", "上海市", "天津市"], 3)]
        assert found == ["上海市", "天津市"]
        assert len(await index.client.indices.get(index="test-dies-*")) == 1


async def test_a_frozen_node_costs_the_time_limit_and_no_more(node: OwnNode) -> None:
    async with opened(node) as index:
        await index.replace(STAMP, batches("北京市"))
    async with opened(node, seconds=0.5) as index:
        node.signal(signal.SIGSTOP)
        try:
            async with asyncio.timeout(10):
                with pytest.raises(StoreUnavailable, match="did not answer in time"):
                    await index.search(["北京市"], 3)
        finally:
            node.signal(signal.SIGCONT)


@pytest.mark.parametrize("block", ["cluster.blocks.read_only", "cluster.blocks.read_only_allow_delete"])
async def test_a_read_only_node_is_told_as_such_and_still_read(node: OwnNode, block: str) -> None:
    async with opened(node) as index:
        await index.replace(STAMP, batches("北京市"))
        with Elasticsearch(node.url) as client:
            client.cluster.put_settings(persistent={block: True})
            try:
                with pytest.raises(StoreUnavailable, match="read-only") as caught:
                    await index.replace(STAMP, batches("上海市"))
                assert "lift the block" in caught.value.hint
                assert [value.text for value in await index.search(["北京市"], 3)] == ["北京市"]
            finally:
                client.cluster.put_settings(persistent={block: None})
        await index.replace(STAMP, batches("上海市"))
        assert [value.text for value in await index.search(["上海市"], 3)] == ["上海市"]


async def test_a_full_disk_blocks_the_live_index_and_not_its_readers(node: OwnNode) -> None:
    """Past the flood-stage mark the server itself sets `read_only_allow_delete` on every index."""
    async with opened(node) as index:
        await index.replace(STAMP, batches("北京市"))
        (live,) = await index.client.indices.get(index="test-dies-*")
        await index.client.indices.put_settings(index=live, settings={"index.blocks.read_only_allow_delete": True})
        assert [value.text for value in await index.search(["北京市"], 3)] == ["北京市"]
        await index.replace(STAMP, batches("上海市"))
        assert [value.text for value in await index.search(["上海市"], 3)] == ["上海市"]
