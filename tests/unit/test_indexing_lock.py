"""Two index runs at once: the second waits or says who holds the lock."""

import asyncio
import os
from pathlib import Path

import pytest

from data_agent.errors import Busy
from repositories.embedded.lock import FolderLock


async def test_the_second_run_is_told_who_holds_the_lock(tmp_path: Path) -> None:
    async with FolderLock(tmp_path):
        with pytest.raises(Busy) as caught:
            async with FolderLock(tmp_path, seconds=0.1):
                pass
    assert str(os.getpid()) in caught.value.message and caught.value.hint


async def test_the_second_run_waits_for_a_short_first(tmp_path: Path) -> None:
    order: list[str] = []

    async def run(name: str, seconds: float) -> None:
        async with FolderLock(tmp_path):
            order.append(name)
            await asyncio.sleep(seconds)
            order.append(f"{name} done")

    first = asyncio.create_task(run("first", 0.3))
    await asyncio.sleep(0.05)
    await asyncio.gather(first, run("second", 0))
    assert order == ["first", "first done", "second", "second done"]


async def test_a_run_that_failed_lets_go(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        async with FolderLock(tmp_path):
            raise RuntimeError("broke")
    async with FolderLock(tmp_path, seconds=0.1):
        pass
