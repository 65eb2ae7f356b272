"""The cache on a Redis server: shared by all workers, and never waited for."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

from redis.asyncio import Redis

from data_agent.errors import StoreUnavailable
from repositories.redis.errors import translated

Found = TypeVar("Found")
log = logging.getLogger(__name__)

SECONDS = 0.25
"""Longer than that, and computing it again would have been faster."""
PAUSE_SECONDS = 10.0
"""A server that failed is left alone for so long, so that it costs one wait and not one each question."""


class RedisCache:
    """`Cache` on a server. It fails open: one warning in the log, and everything is a miss until it is back.

    `space` begins every key, so that several services can share one server.
    """

    def __init__(self, url: str, space: str = "data-agent") -> None:
        parts = urlsplit(url)
        self._where = f"{parts.hostname}:{parts.port or 6379}"
        self._space = space
        self._client: Any = Redis.from_url(url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS)
        self._until = 0.0
        self._warned = False

    async def get(self, keys: Sequence[str]) -> list[bytes | None]:
        """What is held under each key."""
        nothing: list[bytes | None] = [None] * len(keys)
        names = [self._name(key) for key in keys]
        return await self._tried(lambda: self._client.mget(names), nothing) if keys else nothing

    async def put(self, entries: Mapping[str, bytes], seconds: float) -> None:
        """Hold these, in one request."""

        async def stored() -> None:
            async with self._client.pipeline(transaction=False) as pipeline:
                for key, held in entries.items():
                    pipeline.set(self._name(key), held, px=max(1, round(seconds * 1000)))
                await pipeline.execute()

        if entries:
            await self._tried(stored, None)

    async def version(self) -> str:
        """The server's version.

        Raises:
            StoreUnavailable: it cannot be used.
        """
        with translated(self._where):
            return str((await self._client.info("server"))["redis_version"])

    async def close(self) -> None:
        """Give back every connection."""
        await self._client.aclose()

    def _name(self, key: str) -> str:
        return f"{self._space}:{key}"

    async def _tried(self, work: Callable[[], Awaitable[Found]], otherwise: Found) -> Found:
        if time.monotonic() < self._until:
            return otherwise
        try:
            with translated(self._where):
                async with asyncio.timeout(2 * SECONDS):
                    found = await work()
        except StoreUnavailable as error:
            self._until = time.monotonic() + PAUSE_SECONDS
            if not self._warned:
                log.warning("%s; going on without the cache · 暂不使用缓存", error.message)
            self._warned = True
            return otherwise
        self._warned = False
        return found
