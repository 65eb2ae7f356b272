"""Tables and columns by meaning and by words, in a folder."""

from collections.abc import Sequence
from pathlib import Path

from data_agent.domain.value import ColumnHit
from data_agent.ports.embedder import Vectors
from data_agent.ports.recall import IndexedText, IndexStamp
from repositories.embedded.text_index import TextIndex
from repositories.embedded.vectors import Found


class EmbeddedColumnIndex:
    """`ColumnIndex` with no server to start."""

    def __init__(self, folder: Path, model: str, dimension: int) -> None:
        self._texts = TextIndex(folder, model, dimension, "column index")

    async def stamp(self) -> IndexStamp | None:
        """What the live index was built from."""
        return await self._texts.stamp()

    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[ColumnHit]:
        """The nearest and the best by words."""
        return [_hit(found) for found in await self._texts.search(vectors, words, limit)]

    async def replace(
        self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors | None = None
    ) -> None:
        """Swap in a whole new index."""
        await self._texts.replace(stamp, texts, vectors, names)


def _hit(found: Found) -> ColumnHit:
    column = found.id[len(found.parent) + 1 :] if found.parent else ""
    return ColumnHit(
        table=found.parent or found.id,
        column=column,
        dense=found.dense,
        name=found.name,
        text=found.text,
        words=found.words,
    )
