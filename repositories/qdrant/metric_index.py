"""Metrics by meaning and by words, on Qdrant."""

from collections.abc import Sequence

from qdrant_client import AsyncQdrantClient

from data_agent.domain.value import MetricHit
from data_agent.ports.embedder import Vectors
from data_agent.ports.recall import IndexedText, IndexStamp
from repositories.qdrant.text_index import QdrantTextIndex


class QdrantMetricIndex:
    """`MetricIndex` on a server. The client is shared and closed by whoever made it."""

    def __init__(
        self, client: AsyncQdrantClient, model: str, dimension: int, alias: str = "data-agent-metrics", where: str = ""
    ) -> None:
        self._texts = QdrantTextIndex(
            client, alias, model=model, dimension=dimension, where=where or "the server", what="metric index"
        )

    async def stamp(self) -> IndexStamp | None:
        """What the live index was built from."""
        return await self._texts.stamp()

    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[MetricHit]:
        """The nearest and the ones that hold the words."""
        found = await self._texts.search(vectors, words, limit)
        return [MetricHit(metric=one.id, dense=one.dense, name=one.name, text=one.text) for one in found]

    async def replace(
        self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors | None = None
    ) -> None:
        """Swap in a whole new index."""
        await self._texts.replace(stamp, texts, vectors, names)
