"""Vectors that were made once: an embedder that keeps them in a SQLite file, so that no text is embedded twice."""

import asyncio
import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from data_agent.ports.embedder import Embedder, Vectors
from repositories.embedded.errors import translated

_CREATE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"
_PAGE = 500


class StoredEmbedder:
    """`Embedder` around another one. Used for indexing: unchanged texts cost a lookup, a killed run goes on.

    The key is the hash of model, dimension and text, so another model never gets these vectors.
    """

    def __init__(self, inner: Embedder, path: Path) -> None:
        self.name = inner.name
        self.dimension = inner.dimension
        self._inner = inner
        self._path = path

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors from the file, and from the inner embedder for what is new; the new ones are written at once."""
        keys = {text: self._key(text) for text in texts}
        with translated("vector file", self._path):
            known = await asyncio.to_thread(self._read, list(dict.fromkeys(keys.values())))
        if fresh := [text for text, key in keys.items() if key not in known]:
            made = dict(zip((keys[text] for text in fresh), await self._inner.embed(fresh), strict=True))
            with translated("vector file", self._path):
                await asyncio.to_thread(self._write, made)
            known.update(made)
        return np.array([known[keys[text]] for text in texts], dtype=np.float32).reshape(len(texts), self.dimension)

    async def close(self) -> None:
        """Close the inner embedder."""
        await self._inner.close()

    async def forget(self, keep: Iterable[str]) -> int:
        """Drop the vectors of every text that is not in `keep`; returns how many went."""
        with translated("vector file", self._path):
            return await asyncio.to_thread(self._forget, {self._key(text) for text in keep})

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.name}\x00{self.dimension}\x00{text}".encode()).digest()

    def _connect(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            connection = sqlite3.connect(self._path, timeout=30)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(_CREATE)
        except sqlite3.Error as error:
            raise OSError(f"SQLite: {error}") from error
        return connection

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        found: dict[bytes, Vectors] = {}
        with closing(self._connect()) as connection:
            for start in range(0, len(keys), _PAGE):
                page = keys[start : start + _PAGE]
                marks = ",".join("?" * len(page))
                rows = connection.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", page)
                found.update((key, np.frombuffer(blob, dtype=np.float32)) for key, blob in rows)
        return found

    def _write(self, made: dict[bytes, Vectors]) -> None:
        rows = [(key, np.asarray(row, dtype=np.float32).tobytes()) for key, row in made.items()]
        with closing(self._connect()) as connection, connection:
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    def _forget(self, keep: set[bytes]) -> int:
        with closing(self._connect()) as connection, connection:
            gone = [(key,) for (key,) in connection.execute("SELECT key FROM vectors") if key not in keep]
            connection.executemany("DELETE FROM vectors WHERE key = ?", gone)
        return len(gone)
