"""The questions under way: one per thread, as many as the gate lets in, each of them stoppable."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from api.gate import Gate
from api.owners import kept_as
from api.questions import known_thread, said
from api.turn import Turn
from data_agent.domain.caller import Caller
from data_agent.errors import Cancelled, NothingRuns, ThreadBusy


@dataclass
class Running:
    """A question under way, and whether a person stopped it."""

    task: asyncio.Task[Any]
    stopped: bool = False


@dataclass
class UnderWay:
    """Takes questions in and stops them."""

    gate: Gate = field(default_factory=Gate)
    _running: dict[str, Running] = field(default_factory=dict)

    @asynccontextmanager
    async def place(self, turn: Turn, caller: Caller) -> AsyncIterator[None]:
        """A place among the running questions, once there is one.

        Raises:
            ThreadBusy: this thread has a question under way.
            Busy: too many questions at once.
            Cancelled: a person stopped it.
        """
        name = kept_as(known_thread(turn.thread_id), caller)
        if name in self._running:
            raise ThreadBusy(
                said(
                    turn.language,
                    "这个会话的上一个问题还在回答",
                    "the previous question of this thread is still running",
                ),
                hint=said(turn.language, "请等它结束，或开始新会话", "wait for it to end, or start a new thread"),
            )
        running = self._running[name] = Running(_current_task())
        try:
            async with self.gate.place(f"{caller.role}/{caller.name}", turn.language):
                yield
        except asyncio.CancelledError:
            if not running.stopped or running.task.uncancel():
                raise
            raise Cancelled(said(turn.language, "已停止", "stopped")) from None
        finally:
            del self._running[name]

    async def cancel(self, thread_id: str, caller: Caller) -> None:
        """Stop a thread's question; returns when nothing of it runs any more, the database included.

        Raises:
            NothingRuns: this caller runs none there.
        """
        running = self._running.get(kept_as(thread_id, caller))
        if running is None:
            raise NothingRuns(
                "no question is running in this conversation · 这个会话没有正在回答的问题",
                hint="it has ended already · 可能已经结束",
            )
        if not running.stopped:
            running.stopped = True
            running.task.cancel()
        await asyncio.wait([running.task])

    async def close(self) -> None:
        """Stop them all."""
        tasks = [each.task for each in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _current_task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("a question runs in a task")
    return task
