"""Every value index, opened the same way: a folder, or a name of its own on the server."""

import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from repositories.elasticsearch.value_index import ElasticsearchValueIndex
from repositories.embedded.value_index import EmbeddedValueIndex
from tests.fakes.indexes import FakeValueIndex

Opener = Callable[[Path, pytest.FixtureRequest], AbstractAsyncContextManager[Any]]


@asynccontextmanager
async def fake(folder: Path, request: pytest.FixtureRequest) -> AsyncIterator[FakeValueIndex]:
    yield FakeValueIndex()


@asynccontextmanager
async def embedded(folder: Path, request: pytest.FixtureRequest) -> AsyncIterator[EmbeddedValueIndex]:
    yield EmbeddedValueIndex(folder)


@asynccontextmanager
async def elasticsearch(folder: Path, request: pytest.FixtureRequest) -> AsyncIterator[ElasticsearchValueIndex]:
    """A name of its own on the real node, removed afterwards."""
    name = "test-" + hashlib.sha256(str(folder).encode()).hexdigest()[:12]
    index = ElasticsearchValueIndex(request.getfixturevalue("elasticsearch_url"), alias=name)
    yield index
    for build in await index.client.indices.get(index=f"{name}-*"):
        await index.client.indices.delete(index=build)
    await index.close()


OPENERS: list[Any] = [fake, embedded, pytest.param(elasticsearch, marks=pytest.mark.elasticsearch)]
