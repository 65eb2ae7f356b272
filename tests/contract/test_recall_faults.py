"""Stores that are away, slow, refusing or broken: one clear error each, with the mend and without secrets."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from qdrant_client import AsyncQdrantClient

from data_agent.domain.value import Value
from data_agent.errors import StoreUnavailable
from data_agent.ports.recall import IndexStamp
from repositories.elasticsearch.value_index import ElasticsearchValueIndex
from repositories.embedded.value_index import EmbeddedValueIndex
from repositories.qdrant.column_index import QdrantColumnIndex
from tests.fakes.embedder import FakeEmbedder

DEAD = "http://127.0.0.1:9"
STAMP = IndexStamp(catalog_version="v1", model="", dimension=0)


async def batches(*texts: str) -> AsyncIterator[list[Value]]:
    yield [Value(table="t", column="c", text=text) for text in texts]


async def test_a_dead_elasticsearch_is_named_without_the_password() -> None:
    index = ElasticsearchValueIndex(DEAD, user="elastic", password="secret")
    for call in (index.search(["x"], 3), index.stamp(), index.replace(STAMP, batches("x"))):
        with pytest.raises(StoreUnavailable) as caught:
            await call
        assert "127.0.0.1:9" in caught.value.message and "secret" not in caught.value.message + caught.value.hint
    await index.close()


async def test_a_dead_qdrant_is_a_store_unavailable() -> None:
    client = AsyncQdrantClient(DEAD, check_compatibility=False, timeout=2)
    index = QdrantColumnIndex(client, "fake-embedder", 64, where="127.0.0.1:9")
    with pytest.raises(StoreUnavailable) as caught:
        await index.search(await FakeEmbedder().embed(["x"]), ["x"], 3)
    assert "127.0.0.1:9" in caught.value.message and caught.value.hint
    await client.close()


async def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    index = EmbeddedValueIndex(tmp_path / "file")
    with pytest.raises(StoreUnavailable) as caught:
        await index.replace(STAMP, batches("x"))
    assert "file" in caught.value.message


async def test_a_damaged_build_says_to_index_again(tmp_path: Path) -> None:
    index = EmbeddedValueIndex(tmp_path)
    await index.replace(STAMP, batches("北京市"))
    for file in tmp_path.glob("build-*/values/meta.json"):  # noqa: ASYNC240
        file.write_text(json.dumps({"no": "index"}), encoding="utf-8")
    with pytest.raises(StoreUnavailable) as caught:
        await EmbeddedValueIndex(tmp_path).search(["北京"], 3)
    assert "data-agent index" in caught.value.hint


@pytest.mark.elasticsearch
async def test_an_index_run_that_died_is_cleaned_by_the_next_one(elasticsearch_url: str, tmp_path: Path) -> None:
    index = ElasticsearchValueIndex(elasticsearch_url, alias="test-died")
    await index.client.indices.create(index="test-died-20200101000000-dead00")
    await index.replace(STAMP, batches("北京市"))
    assert len(await index.client.indices.get(index="test-died-*")) == 1
    assert (await index.search(["北京"], 3))[0].text == "北京市"
    for build in await index.client.indices.get(index="test-died-*"):
        await index.client.indices.delete(index=build)
    await index.close()
