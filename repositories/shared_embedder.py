"""Vectors being made right now: branches that ask for the same texts at once wait for one answer."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from data_agent.ports.embedder import Embedder, Vectors


@dataclass
class Flight:
    """One request under way, and how many wait for it."""

    task: asyncio.Future[Vectors]
    waiting: int = 0


class SharedEmbedder:
    """`Embedder` around another one: two recall branches ask for the same vectors, and they are made once.

    A request goes on while anybody waits for it; the last one who stops waiting stops it.
    """

    def __init__(self, inner: Embedder) -> None:
        self.name = inner.name
        self.dimension = inner.dimension
        self._inner = inner
        self._under_way: dict[tuple[str, ...], Flight] = {}

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """The inner embedder's vectors."""
        key = tuple(texts)
        flight = self._under_way.get(key)
        if flight is None:
            flight = self._under_way[key] = Flight(asyncio.ensure_future(self._inner.embed(key)))
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                flight.task.cancel()
                self._landed(key, flight)

    async def close(self) -> None:
        """Close the inner embedder."""
        await self._inner.close()

    def _landed(self, key: tuple[str, ...], flight: Flight) -> None:
        """Nobody joins it any more; a newer request for the same texts stays."""
        if self._under_way.get(key) is flight:
            del self._under_way[key]
