"""Vectors that another worker made already: an embedder that asks a shared cache first."""

import hashlib
from collections.abc import Sequence

import numpy as np

from data_agent.ports.cache import Cache
from data_agent.ports.embedder import Embedder, Vectors

SECONDS = 7 * 86_400.0
QUESTION = 32
"""More texts at once are an index being built, whose vectors have a store of their own."""


class CachedEmbedder:
    """`Embedder` around another one, for questions. A vector depends on model, dimension and text, not on who asks."""

    def __init__(self, inner: Embedder, cache: Cache) -> None:
        self.name = inner.name
        self.dimension = inner.dimension
        self._inner = inner
        self._cache = cache

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors from the cache, and from the inner embedder for what is not there."""
        if len(texts) > QUESTION:
            return await self._inner.embed(texts)
        keys = {text: self._key(text) for text in texts}
        held = dict(zip(keys, await self._cache.get(list(keys.values())), strict=True))
        known = {text: row for text, blob in held.items() if (row := self._row(blob)) is not None}
        if missing := [text for text in keys if text not in known]:
            fresh = dict(zip(missing, await self._inner.embed(missing), strict=True))
            known |= fresh
            await self._cache.put({keys[text]: _bytes(row) for text, row in fresh.items()}, SECONDS)
        return np.array([known[text] for text in texts], dtype=np.float32).reshape(len(texts), self.dimension)

    async def close(self) -> None:
        """Close the inner embedder."""
        await self._inner.close()

    def _row(self, blob: bytes | None) -> Vectors | None:
        """A vector of the right length, or nothing: what others wrote is not trusted."""
        if blob is None or len(blob) != 4 * self.dimension:
            return None
        row: Vectors = np.frombuffer(blob, dtype="<f4")
        return row if np.isfinite(row).all() else None

    def _key(self, text: str) -> str:
        told = f"{self.name}\x00{self.dimension}\x00{text}"
        return f"embed:{hashlib.sha256(told.encode()).hexdigest()}"


def _bytes(row: Vectors) -> bytes:
    return np.asarray(row, dtype="<f4").tobytes()
