"""One index run at a time over a folder of stores: a lock that a killed holder lets go of."""

import asyncio
import fcntl
from pathlib import Path
from types import TracebackType
from typing import IO

from data_agent.errors import Busy
from repositories.embedded.errors import translated
from repositories.holder import holder


class FolderLock:
    """An exclusive lock on `folder`; waits up to `seconds`, then says who holds it.

    Raises:
        Busy: another run held it all the time.
    """

    def __init__(self, folder: Path, seconds: float = 5.0) -> None:
        self._path = folder / "index.lock"
        self._seconds = seconds
        self._file: IO[str] | None = None

    async def __aenter__(self) -> "FolderLock":
        """Take the lock."""
        with translated("index lock", self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            held = self._path.open("a+", encoding="utf-8")
        waited = 0.0
        while not _taken(held):
            if waited >= self._seconds:
                held.seek(0)
                other = held.read().strip() or "not known"
                held.close()
                raise Busy(
                    f"another index run holds {self._path} ({other})",
                    hint="wait for it to end (--wait SECONDS), or stop that process; a killed one lets go by itself",
                )
            await asyncio.sleep(0.2)
            waited += 0.2
        held.truncate(0)
        held.write(holder())
        held.flush()
        self._file = held
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let it go."""
        if self._file:
            self._file.close()
            self._file = None


def _taken(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
