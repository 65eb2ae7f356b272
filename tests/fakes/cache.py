"""A cache in memory with a clock that a test moves."""

from collections.abc import Mapping, Sequence


class FakeCache:
    """`Cache` that forgets nothing but what its time is up for; `down` makes everything a miss."""

    def __init__(self) -> None:
        self.held: dict[str, tuple[float, bytes]] = {}
        self.now = 0.0
        self.down = False

    async def get(self, keys: Sequence[str]) -> list[bytes | None]:
        found = {key: held for key, (until, held) in self.held.items() if until > self.now and not self.down}
        return [found.get(key) for key in keys]

    async def put(self, entries: Mapping[str, bytes], seconds: float) -> None:
        if not self.down:
            self.held |= {key: (self.now + seconds, held) for key, held in entries.items()}

    async def close(self) -> None:
        return None
