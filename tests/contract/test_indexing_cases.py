"""Failures of indexing that people have met, each by the id of its case."""

import json
import os
import warnings
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from qdrant_client import AsyncQdrantClient

from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Table
from data_agent.domain.value import Value
from data_agent.errors import IndexMismatch, IndexMissing, StoreUnavailable
from data_agent.indexing.values import MAX_CHARS, synced_columns
from data_agent.ports.recall import IndexedText, IndexStamp
from repositories.elasticsearch.documents import mappings, query_for
from repositories.elasticsearch.value_index import CANDIDATES, ElasticsearchValueIndex
from repositories.embedded.column_index import EmbeddedColumnIndex
from repositories.openai.embedder import OpenAIEmbedder
from repositories.qdrant.column_index import QdrantColumnIndex
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.http import Reply, http_server

NO_MODEL = IndexStamp(catalog_version="v1", model="", dimension=0)
STAMP = IndexStamp(catalog_version="v1", model="fake-embedder", dimension=64)
TEXTS = [
    IndexedText(id="orders", names=("orders",), text="orders"),
    IndexedText(id="orders.pay_amount", names=("pay amount", "支付金额"), text="orders pay amount"),
]
PRODUCT = {"x-elastic-product": "Elasticsearch"}


async def batches(*texts: str) -> AsyncIterator[list[Value]]:
    yield [Value(table="t", column="c", text=text) for text in texts]


async def fill(index: QdrantColumnIndex | EmbeddedColumnIndex, texts: Sequence[IndexedText] = TEXTS) -> None:
    vectors = await FakeEmbedder().embed([text.text for text in texts])
    await index.replace(STAMP, texts, vectors)


@pytest.fixture
async def memory() -> AsyncIterator[AsyncQdrantClient]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # payload indexes mean nothing in local mode
        client = AsyncQdrantClient(":memory:")
        yield client
        await client.close()


async def test_q015_a_model_of_another_size_is_refused_with_both_sizes_and_the_mend(memory: AsyncQdrantClient) -> None:
    await fill(QdrantColumnIndex(memory, "fake-embedder", 64))
    other = QdrantColumnIndex(memory, "other-model", 32)
    with pytest.raises(IndexMismatch, match=r"64.*32") as caught:
        await other.search(await FakeEmbedder(dimension=32).embed(["x"]), ["x"], 3)
    assert "data-agent index" in caught.value.hint


async def test_q015_an_empty_index_of_another_size_is_refused_too(memory: AsyncQdrantClient) -> None:
    await fill(QdrantColumnIndex(memory, "fake-embedder", 64), [])
    with pytest.raises(IndexMismatch):
        await QdrantColumnIndex(memory, "other-model", 32).search(
            await FakeEmbedder(dimension=32).embed(["x"]), ["x"], 3
        )


async def test_q107_a_folder_may_be_opened_twice_and_read_while_it_is_written(tmp_path: Path) -> None:
    first, second = (EmbeddedColumnIndex(tmp_path, "fake-embedder", 64) for _ in range(2))
    await fill(first)
    vectors = await FakeEmbedder().embed(["orders"])
    assert await first.search(vectors, ["orders"], 3) == await second.search(vectors, ["orders"], 3) != []
    await fill(second, TEXTS[:1])
    assert [hit.table for hit in await first.search(vectors, ["orders"], 3)] == ["orders"]


async def test_q108_nothing_uses_the_search_call_that_the_client_lost(memory: AsyncQdrantClient) -> None:
    assert not hasattr(memory, "search")
    index = QdrantColumnIndex(memory, "fake-embedder", 64)
    await fill(index)
    assert await index.search(await FakeEmbedder().embed(["orders"]), ["orders"], 3)


async def test_q109_indexing_twice_leaves_the_number_of_points_as_it_was(memory: AsyncQdrantClient) -> None:
    index, counts = QdrantColumnIndex(memory, "fake-embedder", 64), []
    for _ in range(2):
        await fill(index)
        (collection,) = (await memory.get_collections()).collections
        points, _ = await memory.scroll(collection.name, limit=100)
        counts.append(sorted(str(point.id) for point in points))
    assert counts[0] == counts[1] and len(counts[0]) == len(TEXTS) + 1


async def test_q207_a_question_before_indexing_is_told_what_to_run(memory: AsyncQdrantClient) -> None:
    with pytest.raises(IndexMissing) as caught:
        await QdrantColumnIndex(memory, "fake-embedder", 64).search(await FakeEmbedder().embed(["x"]), ["x"], 3)
    assert "data-agent index" in caught.value.hint


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(body={"title": "qdrant", "version": "1.7.4"}), "version 1.7.4"),
        (Reply(status=404), "404"),
        (Reply(status=401), "refused the key"),
        (Reply(body={"title": "qdrant", "version": "1.16.0"}, delay=3.0), "did not answer in time"),
    ],
    ids=["older", "no such endpoint", "wrong key", "slow"],
)
async def test_q234_a_server_that_is_too_old_or_refuses_or_sleeps_is_told_as_such(reply: Reply, said: str) -> None:
    async with http_server(reply) as server:
        client = AsyncQdrantClient(server.url, check_compatibility=False, timeout=1)
        with pytest.raises(StoreUnavailable) as caught:
            await QdrantColumnIndex(client, "fake-embedder", 64, where="here").search(
                await FakeEmbedder().embed(["x"]), ["x"], 3
            )
        await client.close()
    assert said in caught.value.message and caught.value.hint


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(body={"version": {"number": "7.17.0"}}, headers=PRODUCT), "version 7.17.0"),
        (Reply(body={"version": {"number": "8.19.9"}}), "not Elasticsearch"),
        (Reply(status=401, body={"error": {"type": "security_exception"}}, headers=PRODUCT), "refused the login"),
        (Reply(body={"version": {"number": "8.19.9"}}, headers=PRODUCT, delay=3.0), "did not answer in time"),
    ],
    ids=["older", "another product", "wrong password", "slow"],
)
async def test_another_version_product_or_password_of_elasticsearch_is_told(reply: Reply, said: str) -> None:
    async with http_server(reply) as server:
        index = ElasticsearchValueIndex(server.url, user="elastic", password="secret", seconds=1)
        with pytest.raises(StoreUnavailable) as caught:
            await index.search(["x"], 3)
        await index.close()
    assert said in caught.value.message and "secret" not in caught.value.message + caught.value.hint


async def test_q110_a_value_that_is_refused_stops_the_build_with_the_count_and_the_reason() -> None:
    items = [
        {"index": {"_id": "1", "status": 400, "error": {"type": "document_parsing_exception"}}},
        {"index": {"_id": "2", "status": 201}},
    ]
    replies = {
        "GET /": Reply(body={"version": {"number": "8.19.9"}}, headers=PRODUCT),
        "GET /_alias/data-agent-values": Reply(status=404, body={"error": "missing"}, headers=PRODUCT),
        "PUT /_bulk": Reply(body={"errors": True, "items": items}, headers=PRODUCT),
    }
    async with http_server(Reply(body={"acknowledged": True}, headers=PRODUCT), replies) as server:
        index = ElasticsearchValueIndex(server.url)
        with pytest.raises(StoreUnavailable, match="refused 1 of 2 values: document_parsing_exception") as caught:
            await index.replace(NO_MODEL, batches("a", "b"))
        await index.close()
        assert any(asked.startswith("DELETE /data-agent-values-") for asked in server.asked), "the build is removed"
    assert caught.value.exit_code != 0


@pytest.mark.elasticsearch
@pytest.mark.parametrize("word", ['A/B(测试): "x" AND NOT *', "AND", "a:b", "[", "\\", "*", "?", "~", "{}", "a OR b"])
async def test_q111_special_characters_are_letters_like_any_other(elasticsearch_url: str, word: str) -> None:
    index = ElasticsearchValueIndex(elasticsearch_url, alias=f"test-q111-{os.getpid()}")
    try:
        await index.replace(NO_MODEL, batches('A/B(测试): "x" AND NOT *', "北京市"))
        found = [value.text for value in await index.search([word], 5)]
        assert "北京市" not in found and (len(word) < 5 or found == [word] or word == "a OR b")
        assert "query_string" not in json.dumps(query_for(word))
    finally:
        await removed(index)


@pytest.mark.elasticsearch
async def test_q209_a_value_that_looks_like_a_date_and_one_that_does_not_lie_side_by_side(
    elasticsearch_url: str,
) -> None:
    index = ElasticsearchValueIndex(elasticsearch_url, alias=f"test-q209-{os.getpid()}")
    try:
        assert await index.replace(NO_MODEL, batches("2026-03-31", "北京市", "12", "true")) == 4
        words = ["2026-03-31", "北京市", "12", "true"]
        assert [value.text for value in await index.search(words, 1)] == words
        assert mappings("cjk")["dynamic"] == "strict"
    finally:
        await removed(index)


@pytest.mark.elasticsearch
async def test_q236_a_long_value_is_taken_and_a_free_text_never_reaches_the_index(elasticsearch_url: str) -> None:
    index = ElasticsearchValueIndex(elasticsearch_url, alias=f"test-q236-{os.getpid()}")
    try:
        assert await index.replace(NO_MODEL, batches("长" * 40_000, "北京市")) == 2, "refused as a keyword otherwise"
        assert [value.text for value in await index.search(["北京市"], 1)] == ["北京市"]
        assert MAX_CHARS < 8191, "and ValueStream leaves out anything longer than that"
    finally:
        await removed(index)


@pytest.mark.elasticsearch
async def test_q277_no_content_headers_of_our_own_reach_the_client(elasticsearch_url: str) -> None:
    async with http_server(Reply(body={"version": {"number": "8.19.9"}}, headers=PRODUCT)) as server:
        index = ElasticsearchValueIndex(server.url)
        await index.version()
        await index.close()
    accepted = server.headers[0]["accept"]
    assert "compatible-with=8" in accepted


def test_q278_binary_and_document_columns_are_left_out_by_their_type() -> None:
    kinds = ("blob", "longblob", "varbinary(20)", "json", "geometry", "bytea", "STRUCT(a INT)", "INT[]")
    columns = [Column(table="t", name=f"c{n}", type=kind, sync=True) for n, kind in enumerate(kinds)]
    kept = Column(table="t", name="kept", type="varchar(20)", sync=True)
    table = Table(name="t", columns=(*columns, kept))
    assert synced_columns(Catalog(name="c", version="1", tables=(table,))) == [kept]


def test_q288_no_request_reaches_past_the_result_window() -> None:
    assert CANDIDATES <= 10_000


@pytest.mark.parametrize(("batch", "calls"), [(10, 4), (32, 7)])
async def test_q235_an_endpoint_that_takes_few_texts_a_call_gets_few(batch: int, calls: int) -> None:
    """By the setting; without it a refused batch goes again in halves: 32, 16, then five of 8."""

    def vectors(request: dict[str, Any]) -> Reply:
        texts = request["input"]
        if len(texts) > 10:
            return Reply(status=400, body={"error": {"message": "too many texts in one call (max 10)"}})
        data = [{"index": n, "object": "embedding", "embedding": [1.0, float(n)]} for n in range(len(texts))]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return Reply(body={"object": "list", "model": "m", "data": data, "usage": usage})

    async with http_server(vectors) as server:
        embedder = OpenAIEmbedder(
            base_url=f"{server.url}/v1", api_key=SecretStr("x"), model="m", dimension=2, batch=batch
        )
        assert (await embedder.embed([f"text {n}" for n in range(37)])).shape == (37, 2)
        await embedder.close()
    assert len(server.asked) == calls


async def removed(index: ElasticsearchValueIndex) -> None:
    for build in await index.client.indices.get(index=f"{index._alias}-*"):
        await index.client.indices.delete(index=build)
    await index.close()
