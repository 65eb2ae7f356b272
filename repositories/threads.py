"""Blocking driver calls in a bounded number of threads; whoever stops waiting stops the statement too."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from data_agent.errors import Busy, WarehouseTimeout, WarehouseUnavailable

Found = TypeVar("Found")

STOP_EVERY, STOP_TRIES = 0.2, 25
"""A stop that comes before the server has begun the statement is lost, so it is repeated: every 0.2 s, for 5 s."""


class Call:
    """One blocking call under way. Its thread says how to `stop` it; `abandoned` says that nobody waits any more."""

    def __init__(self) -> None:
        self.stop: Callable[[], None] = lambda: None
        self.abandoned = False


class Lanes:
    """Runs blocking calls, at most `size` at a time; one that finds no free lane for `wait_seconds` is told so."""

    def __init__(self, name: str, size: int, wait_seconds: float = 5.0) -> None:
        self._name = name
        self._threads = ThreadPoolExecutor(size, thread_name_prefix=name)
        self._stoppers = ThreadPoolExecutor(2, thread_name_prefix=f"{name}-stop")
        self._free = asyncio.Semaphore(size)
        self._wait_seconds = wait_seconds
        self._calls: set[Call] = set()
        self._stopping: set[asyncio.Task[None]] = set()
        self._closed = False

    async def run(self, work: Callable[[Call], Found], seconds: float) -> Found:
        """The result of `work`, in a lane of its own; see `step`."""
        async with self.lane() as call:
            return await self.step(call, lambda: work(call), seconds)

    @asynccontextmanager
    async def lane(self) -> AsyncIterator[Call]:
        """Keep a lane for a call of several steps.

        Raises:
            Busy: no lane became free in time.
        """
        try:
            async with asyncio.timeout(self._wait_seconds):  # wait_for of Python 3.11 can swallow a cancellation
                await self._free.acquire()
        except TimeoutError:
            hint = "try again in a moment · 请稍后重试"
            raise Busy(f"every connection of {self._name} is in use", hint=hint) from None
        call = Call()
        self._calls.add(call)
        try:
            yield call
        finally:
            self._calls.discard(call)
            self._free.release()

    async def step(self, call: Call, work: Callable[[], Found], seconds: float) -> Found:
        """The result of `work`; when the waiting ends first (time is up, or a cancellation), it is stopped.

        Raises:
            WarehouseTimeout: it took longer than `seconds`.
            WarehouseUnavailable: closed already.
        """
        if self._closed:
            raise WarehouseUnavailable(f"{self._name} is closed")
        job = self._threads.submit(work)
        future = asyncio.wrap_future(job)
        future.add_done_callback(_seen)
        try:
            done, _ = await asyncio.wait({future}, timeout=seconds)
        except asyncio.CancelledError:
            await self._stop(call, job)
            raise
        if not done:
            await self._stop(call, job)
            raise too_slow(self._name, seconds)
        return future.result()

    async def _stop(self, call: Call, job: Future[Found]) -> None:
        call.abandoned = True
        if job.cancel():
            return
        task = asyncio.ensure_future(self._insist(call, job))
        self._stopping.add(task)
        task.add_done_callback(self._stopping.discard)
        await asyncio.shield(task)

    async def _insist(self, call: Call, job: Future[Found]) -> None:
        loop, ended = asyncio.get_running_loop(), asyncio.wrap_future(job)
        ended.add_done_callback(_seen)
        for _ in range(STOP_TRIES):
            await loop.run_in_executor(self._stoppers, _quietly, call.stop)
            if (await asyncio.wait({ended}, timeout=STOP_EVERY))[0]:
                return

    async def close(self) -> None:
        """Stop what still runs and end the threads; again is harmless."""
        self._closed = True
        for call in tuple(self._calls):
            call.abandoned = True
            await asyncio.to_thread(_quietly, call.stop)
        await asyncio.gather(*self._stopping, return_exceptions=True)
        await asyncio.to_thread(self._threads.shutdown, wait=True, cancel_futures=True)
        await asyncio.to_thread(self._stoppers.shutdown, wait=True)


def too_slow(name: str, seconds: float) -> WarehouseTimeout:
    """What is said of a statement that used up its time."""
    hint = "narrow the time range or ask for fewer groups · 请缩小时间范围，或减少分组"
    return WarehouseTimeout(f"{name} ran the statement longer than {seconds:g} s; it was stopped", hint=hint)


def _seen(future: asyncio.Future[Found]) -> None:
    if not future.cancelled():
        future.exception()


def _quietly(stop: Callable[[], None]) -> None:
    # a stop that fails is repeated, and the answer is already decided
    with contextlib.suppress(Exception):
        stop()
