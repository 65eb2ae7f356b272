"""What the column and metric indexes of every technology share: texts that are found become columns or metrics."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from data_agent.domain.value import ColumnHit, MetricHit
from data_agent.ports.embedder import Vectors
from data_agent.ports.recall import IndexedText, IndexStamp


class Found(NamedTuple):
    """A text that was found: cosines of question and description and of any row and the names; lexical score.

    `parent` is empty for a text that stands on its own (a table, a metric), else the table of a column.
    """

    id: str
    parent: str
    dense: float | None
    name: float | None
    text: float | None
    words: tuple[float, ...] = ()


class Texts(Protocol):
    """An index of texts, whatever they are of."""

    async def stamp(self) -> IndexStamp | None:
        """What it was built from."""
        ...

    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[Found]:
        """The nearest by meaning and the best by words."""
        ...

    async def replace(
        self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors | None = None
    ) -> None:
        """Swap in a whole new one."""
        ...


class OverTexts:
    """An index of columns or metrics is one of texts."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    async def stamp(self) -> IndexStamp | None:
        """What the live index was built from."""
        return await self._texts.stamp()

    async def replace(
        self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors | None = None
    ) -> None:
        """Swap in a whole new index."""
        await self._texts.replace(stamp, texts, vectors, names)


class ColumnsInTexts(OverTexts):
    """`ColumnIndex` over texts."""

    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[ColumnHit]:
        """The nearest and the best by words."""
        return [_column(found) for found in await self._texts.search(vectors, words, limit)]


class MetricsInTexts(OverTexts):
    """`MetricIndex` over texts."""

    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[MetricHit]:
        """The nearest and the best by words."""
        found = await self._texts.search(vectors, words, limit)
        return [MetricHit(metric=one.id, dense=one.dense, name=one.name, text=one.text) for one in found]


def _column(found: Found) -> ColumnHit:
    return ColumnHit(
        table=found.parent or found.id,
        column=found.id[len(found.parent) + 1 :] if found.parent else "",
        dense=found.dense,
        name=found.name,
        text=found.text,
        words=found.words,
    )
