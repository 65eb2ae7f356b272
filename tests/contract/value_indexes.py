"""Every value index, opened the same way: a folder, or a name of its own on the server."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from repositories.embedded.value_index import EmbeddedValueIndex
from tests.fakes.indexes import FakeValueIndex

Opener = Callable[[Path], Any]


def fake(folder: Path) -> FakeValueIndex:
    return FakeValueIndex()


def embedded(folder: Path) -> EmbeddedValueIndex:
    return EmbeddedValueIndex(folder)


OPENERS: list[Any] = [fake, embedded]
