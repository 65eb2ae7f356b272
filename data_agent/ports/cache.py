"""Answers of slow parts, kept for a while by all workers together."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class Cache(Protocol):
    """Bytes under a key that may be forgotten at any moment. It never fails: what cannot be reached is not there.

    A key carries everything the bytes depend on: the model, the catalog's version and, where callers may see different
    things, the role. Neither keys nor bytes hold secrets, and a key holds no text of a question but its hash.
    """

    async def get(self, keys: Sequence[str]) -> list[bytes | None]:
        """What is held under each key, None where nothing is."""
        ...

    async def put(self, entries: Mapping[str, bytes], seconds: float) -> None:
        """Hold these for `seconds` at the longest."""
        ...

    async def close(self) -> None:
        """Give back every connection."""
        ...
