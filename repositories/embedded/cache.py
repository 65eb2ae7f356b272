"""The cache of one process."""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence


class EmbeddedCache:
    """`Cache` in memory: the `most` entries used last."""

    def __init__(self, most: int = 4096, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._held: OrderedDict[str, tuple[float, bytes]] = OrderedDict()

    async def get(self, keys: Sequence[str]) -> list[bytes | None]:
        """What is held under each key."""
        return [self._one(key) for key in keys]

    async def put(self, entries: Mapping[str, bytes], seconds: float) -> None:
        """Hold these; the ones that were not used for longest go."""
        until = self._clock() + seconds
        for key, held in entries.items():
            self._held[key] = (until, held)
            self._held.move_to_end(key)
        while len(self._held) > self._most:
            self._held.popitem(last=False)

    async def close(self) -> None:
        """Forget everything."""
        self._held.clear()

    def _one(self, key: str) -> bytes | None:
        until, held = self._held.get(key, (0.0, b""))
        if until <= self._clock():
            self._held.pop(key, None)
            return None
        self._held.move_to_end(key)
        return held
