"""An embedder that needs no model: texts that share letters or pairs of characters lie near each other."""

import zlib
from collections.abc import Sequence

import numpy as np

from data_agent.ports.embedder import Vectors
from data_agent.wording.tokens import fold


class FakeEmbedder:
    """Hashes character pairs into unit vectors; the same text always gets the same vector."""

    def __init__(self, dimension: int = 64, name: str = "fake-embedder") -> None:
        self.name = name
        self.dimension = dimension
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts.extend(texts)
        return np.array([self._vector(text) for text in texts], dtype=np.float32).reshape(len(texts), self.dimension)

    async def close(self) -> None:
        return

    def _vector(self, text: str) -> Vectors:
        folded = f" {fold(text)} "
        row = np.zeros(self.dimension, dtype=np.float32)
        for start in range(len(folded) - 1):
            row[zlib.crc32(folded[start : start + 2].encode()) % self.dimension] += 1
        length: float = float(np.linalg.norm(row))
        return row / np.float32(length or 1.0)
