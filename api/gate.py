"""How many questions run at once, in all and for each caller; a bounded queue for the rest."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from math import ceil
from time import monotonic

from api.questions import said
from data_agent.domain.language import Language
from data_agent.errors import Busy

LATEST = 0.2
"""How much the latest question counts in how long a place is held."""
LONGEST = 60
"""Nobody is told to stay away longer, in seconds."""


@dataclass
class Gate:
    """Lets `most` questions through at once, `most_per_caller` of one caller; `queue` more wait up to `wait_seconds`.

    First come, first served, except that a caller who is at its own limit holds up nobody else.
    """

    most: int = 256
    most_per_caller: int = 256
    queue: int = 64
    wait_seconds: float = 5.0
    _held: float = 1.0
    _inside: Counter[str] = field(default_factory=Counter)
    _waiting: dict[asyncio.Future[None], str] = field(default_factory=dict)

    @asynccontextmanager
    async def place(self, caller: str, language: Language = "en") -> AsyncIterator[None]:
        """A place among the running questions, as long as it is held.

        Raises:
            Busy: the queue is full, or no place came free in time.
        """
        await self._enter(caller, language)
        since = monotonic()
        try:
            yield
        finally:
            self._held += LATEST * (monotonic() - since - self._held)
            self._leave(caller)

    async def _enter(self, caller: str, language: Language) -> None:
        if self._has_room(caller) and caller not in self._waiting.values():
            self._inside[caller] += 1
            return
        if len(self._waiting) >= self.queue:
            raise self._busy(caller, language)
        turn = asyncio.get_running_loop().create_future()
        self._waiting[turn] = caller
        try:
            async with asyncio.timeout(self.wait_seconds):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self._leave(caller)  # the place came in the very moment nobody wanted it any more
            if isinstance(error, TimeoutError):
                raise self._busy(caller, language) from None
            raise
        finally:
            self._waiting.pop(turn, None)

    def retry_after(self, caller: str) -> int:
        """Seconds until there is likely to be room: how long places are held of late, for everybody ahead."""
        own = sum(each == caller for each in self._waiting.values())
        turns = max((len(self._waiting) + 1) / max(self.most, 1), (own + 1) / max(self.most_per_caller, 1))
        return min(max(ceil(turns * self._held), 1), LONGEST)

    def _busy(self, caller: str, language: Language) -> Busy:
        seconds = self.retry_after(caller)
        error = Busy(
            said(language, "同时提问的人太多", "too many questions at once"),
            hint=said(language, f"请在 {seconds} 秒后再试", f"try again in {seconds} s"),
        )
        error.retry_after = seconds
        return error

    def _has_room(self, caller: str) -> bool:
        return self._inside.total() < self.most and self._inside[caller] < self.most_per_caller

    def _leave(self, caller: str) -> None:
        self._inside[caller] -= 1
        if not self._inside[caller]:
            del self._inside[caller]
        for turn, waiting in list(self._waiting.items()):
            if not turn.done() and self._has_room(waiting):
                self._inside[waiting] += 1
                turn.set_result(None)
