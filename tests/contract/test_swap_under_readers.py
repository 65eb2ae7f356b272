"""Readers while an index is swapped: every one sees a whole build, the old or the new, on every engine."""

import asyncio
import warnings
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from qdrant_client import AsyncQdrantClient

from data_agent.domain.value import Value
from data_agent.ports.recall import IndexedText, IndexStamp, ValuePart
from repositories.embedded.column_index import EmbeddedColumnIndex
from repositories.qdrant.column_index import QdrantColumnIndex
from tests.contract.value_indexes import OPENERS
from tests.fakes.embedder import FakeEmbedder

TURNS = 6
WORDS = [f"城市{n}号店" for n in range(5)]


@pytest.fixture(params=OPENERS, ids=lambda opener: opener.__name__)
async def values(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Any]:
    async with request.param(tmp_path, request) as opened:
        yield opened


async def test_a_question_finds_all_its_values_in_one_build(values: Any) -> None:
    """Each build holds the same words under a table of its own; kept columns must neither vanish nor double."""
    done = False

    async def batches(turn: int) -> AsyncIterator[list[Value]]:
        for word in WORDS:
            yield [Value(table=f"build{turn}", column="c", text=word)]

    async def publish(turn: int) -> None:
        stamp = IndexStamp(catalog_version=f"v{turn}", model="", dimension=0)
        parts = {f"build{turn}.c": ValuePart(mark="m", count=len(WORDS)), "kept.c": ValuePart(mark="m", count=1)}
        keep = {"kept.c"} if turn else set()

        async def stream() -> AsyncIterator[list[Value]]:
            if not turn:
                yield [Value(table="kept", column="c", text="一直都在")]
            async for batch in batches(turn):
                yield batch

        await values.replace(stamp, stream(), keep=keep, parts=lambda: parts)

    async def read() -> int:
        count = 0
        while not done:
            found = await values.search([*WORDS, "一直都在"], 3)
            exact = [value for value in found if value.score == 1.0]
            assert len({value.table for value in exact} - {"kept"}) == 1, exact
            assert [value.text for value in exact] == [*WORDS, "一直都在"], exact
            count += 1
            await asyncio.sleep(0)
        return count

    await publish(0)
    readers = [asyncio.create_task(read()) for _ in range(2)]
    for turn in range(1, TURNS):
        await publish(turn)
        await asyncio.sleep(0)  # what lies in memory never waits by itself
    done = True
    assert min(await asyncio.gather(*readers)) > 0


@pytest.fixture(params=["embedded", "qdrant"])
async def columns(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Any]:
    if request.param == "embedded":
        yield EmbeddedColumnIndex(tmp_path, "fake-embedder", 64)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        client = AsyncQdrantClient(":memory:")
        yield QdrantColumnIndex(client, "fake-embedder", 64)
        await client.close()


async def test_a_question_finds_the_columns_of_one_build(columns: Any) -> None:
    embedder, done = FakeEmbedder(), False

    async def publish(turn: int) -> None:
        ids = (f"build{turn}", *(f"build{turn}.c{n}" for n in range(4)))
        texts = [IndexedText(id=id_, names=(id_,), text=id_) for id_ in ids]
        stamp = IndexStamp(catalog_version=f"v{turn}", model="fake-embedder", dimension=64)
        await columns.replace(stamp, texts, await embedder.embed([text.text for text in texts]))

    async def read() -> int:
        vectors, count = await embedder.embed(["build"]), 0
        while not done:
            found = await columns.search(vectors, ["build"], 50)
            assert len({hit.table for hit in found}) == 1 and len(found) == 5, found
            count += 1
            await asyncio.sleep(0)
        return count

    await publish(0)
    readers = [asyncio.create_task(read()) for _ in range(2)]
    for turn in range(1, TURNS):
        await publish(turn)
        await asyncio.sleep(0)  # what lies in memory never waits by itself
    done = True
    assert min(await asyncio.gather(*readers)) > 0
