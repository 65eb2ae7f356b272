"""Tables and columns by meaning and by words, on Qdrant."""

from collections.abc import Sequence

from qdrant_client import AsyncQdrantClient

from data_agent.domain.value import ColumnHit
from data_agent.ports.embedder import Vectors
from data_agent.ports.recall import IndexedText, IndexStamp
from repositories.qdrant.text_index import Found, QdrantTextIndex


class QdrantColumnIndex:
    """`ColumnIndex` on a server. The client is shared and closed by whoever made it."""

    def __init__(
        self, client: AsyncQdrantClient, model: str, dimension: int, alias: str = "data-agent-columns", where: str = ""
    ) -> None:
        self._texts = QdrantTextIndex(
            client, alias, model=model, dimension=dimension, where=where or "the server", what="column index"
        )

    async def stamp(self) -> IndexStamp | None:
        """What the live index was built from."""
        return await self._texts.stamp()

    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[ColumnHit]:
        """The nearest and the ones that hold the words."""
        return [_hit(found) for found in await self._texts.search(vectors, words, limit)]

    async def replace(
        self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors | None = None
    ) -> None:
        """Swap in a whole new index."""
        await self._texts.replace(stamp, texts, vectors, names)


def _hit(found: Found) -> ColumnHit:
    return ColumnHit(
        table=found.parent or found.id,
        column=found.id[len(found.parent) + 1 :] if found.parent else "",
        dense=found.dense,
        name=found.name,
        text=found.text,
        words=found.words,
    )
