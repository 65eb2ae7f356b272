"""Every column index, opened the same way: a folder, the model and its dimension."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from repositories.embedded.column_index import EmbeddedColumnIndex
from repositories.embedded.metric_index import EmbeddedMetricIndex
from tests.fakes.indexes import FakeColumnIndex, FakeMetricIndex

Opener = Callable[..., Any]
_FAKES: dict[Path, Any] = {}


def fake(folder: Path, model: str = "fake-embedder", dimension: int = 64) -> FakeColumnIndex:
    return _opened(FakeColumnIndex, folder, model, dimension)


def fake_metrics(folder: Path, model: str = "fake-embedder", dimension: int = 64) -> FakeMetricIndex:
    return _opened(FakeMetricIndex, folder, model, dimension)


def _opened(kind: Any, folder: Path, model: str, dimension: int) -> Any:
    """The same folder holds the same content, as on a disk."""
    index = kind(model, dimension)
    if folder in _FAKES:
        index.__dict__.update({**_FAKES[folder].__dict__, "model": model, "dimension": dimension})
    _FAKES[folder] = index
    return index


def embedded(folder: Path, model: str = "fake-embedder", dimension: int = 64) -> EmbeddedColumnIndex:
    return EmbeddedColumnIndex(folder, model, dimension)


def embedded_metrics(folder: Path, model: str = "fake-embedder", dimension: int = 64) -> EmbeddedMetricIndex:
    return EmbeddedMetricIndex(folder, model, dimension)


OPENERS: list[Opener] = [fake, embedded]
METRIC_OPENERS: list[Opener] = [fake_metrics, embedded_metrics]
