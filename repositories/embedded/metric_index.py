"""Metrics by meaning and by words, in a folder."""

from collections.abc import Sequence
from pathlib import Path

from data_agent.domain.value import MetricHit
from data_agent.ports.embedder import Vectors
from data_agent.ports.recall import IndexedText, IndexStamp
from repositories.embedded.text_index import TextIndex


class EmbeddedMetricIndex:
    """`MetricIndex` with no server to start."""

    def __init__(self, folder: Path, model: str, dimension: int) -> None:
        self._texts = TextIndex(folder, model, dimension, "metric index")

    async def stamp(self) -> IndexStamp | None:
        """What the live index was built from."""
        return await self._texts.stamp()

    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[MetricHit]:
        """The nearest and the best by words."""
        found = await self._texts.search(vectors, words, limit)
        return [MetricHit(metric=one.id, dense=one.dense, name=one.name, text=one.text) for one in found]

    async def replace(
        self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors | None = None
    ) -> None:
        """Swap in a whole new index."""
        await self._texts.replace(stamp, texts, vectors, names)
