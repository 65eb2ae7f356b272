"""Every column and metric index, opened the same way: a folder, the model and its dimension."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from qdrant_client import AsyncQdrantClient

from repositories.embedded.column_index import EmbeddedColumnIndex
from repositories.embedded.metric_index import EmbeddedMetricIndex
from repositories.qdrant.column_index import QdrantColumnIndex
from repositories.qdrant.metric_index import QdrantMetricIndex
from tests.fakes.indexes import FakeColumnIndex, FakeMetricIndex

Opener = Callable[..., Any]
_FAKES: dict[Path, Any] = {}
_CLIENTS: dict[Path, AsyncQdrantClient] = {}
MODEL, DIMENSION = "fake-embedder", 64


def fake(folder: Path, model: str = MODEL, dimension: int = DIMENSION) -> FakeColumnIndex:
    return _opened(FakeColumnIndex, folder, model, dimension)


def fake_metrics(folder: Path, model: str = MODEL, dimension: int = DIMENSION) -> FakeMetricIndex:
    return _opened(FakeMetricIndex, folder, model, dimension)


def _opened(kind: Any, folder: Path, model: str, dimension: int) -> Any:
    """The same folder holds the same content, as on a disk."""
    index = kind(model, dimension)
    if folder in _FAKES:
        index.__dict__.update({**_FAKES[folder].__dict__, "model": model, "dimension": dimension})
    _FAKES[folder] = index
    return index


def embedded(folder: Path, model: str = MODEL, dimension: int = DIMENSION) -> EmbeddedColumnIndex:
    return EmbeddedColumnIndex(folder, model, dimension)


def embedded_metrics(folder: Path, model: str = MODEL, dimension: int = DIMENSION) -> EmbeddedMetricIndex:
    return EmbeddedMetricIndex(folder, model, dimension)


def qdrant(folder: Path, model: str = MODEL, dimension: int = DIMENSION) -> QdrantColumnIndex:
    return QdrantColumnIndex(_client(folder), model, dimension, alias=f"test-{folder.name}")


def qdrant_metrics(folder: Path, model: str = MODEL, dimension: int = DIMENSION) -> QdrantMetricIndex:
    return QdrantMetricIndex(_client(folder), model, dimension, alias=f"test-{folder.name}")


def _client(folder: Path) -> AsyncQdrantClient:
    """The client's local mode, or a real server where `TEST_QDRANT_URL` names one."""
    url = os.environ.get("TEST_QDRANT_URL")
    if folder not in _CLIENTS:
        _CLIENTS[folder] = AsyncQdrantClient(url) if url else AsyncQdrantClient(":memory:")
    return _CLIENTS[folder]


OPENERS: list[Opener] = [fake, embedded, qdrant]
METRIC_OPENERS: list[Opener] = [fake_metrics, embedded_metrics, qdrant_metrics]
