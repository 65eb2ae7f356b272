"""How many questions run at once: limits in all and per caller, a queue that is bounded and fair."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from api.gate import Gate
from data_agent.errors import Busy


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


class Visit:
    """Someone who takes a place and holds it until told to go."""

    def __init__(self, gate: Gate, caller: str) -> None:
        self.inside, self._go = False, asyncio.Event()
        self.task = asyncio.create_task(self._stay(gate, caller))

    async def _stay(self, gate: Gate, caller: str) -> None:
        async with gate.place(caller):
            self.inside = True
            await self._go.wait()
        self.inside = False

    async def leave(self) -> None:
        self._go.set()
        await self.task
        await settled()


async def test_without_a_queue_the_one_too_many_is_refused_at_once() -> None:
    gate = Gate(most=1, queue=0)
    async with gate.place("a"):
        with pytest.raises(Busy):
            async with gate.place("b"):
                pass


async def test_one_caller_cannot_take_every_place() -> None:
    gate = Gate(most=3, most_per_caller=2, queue=0)
    async with AsyncExitStack() as held:
        await held.enter_async_context(gate.place("a"))
        await held.enter_async_context(gate.place("a"))
        with pytest.raises(Busy):
            await held.enter_async_context(gate.place("a"))
        await held.enter_async_context(gate.place("b"))


async def test_who_waits_gets_the_next_place_in_order() -> None:
    gate = Gate(most=1, queue=2, wait_seconds=5)
    first, second, third = (Visit(gate, name) for name in "abc")
    await settled()
    assert (first.inside, second.inside, third.inside) == (True, False, False)
    await first.leave()
    assert (second.inside, third.inside) == (True, False)
    await second.leave()
    assert third.inside
    await third.leave()


async def test_a_caller_at_its_limit_holds_up_nobody_else() -> None:
    gate = Gate(most=2, most_per_caller=1, queue=5)
    a, again, b = Visit(gate, "a"), Visit(gate, "a"), Visit(gate, "b")
    await settled()
    assert (a.inside, again.inside, b.inside) == (True, False, True)
    await a.leave()
    assert again.inside
    await again.leave()
    await b.leave()


async def test_waiting_ends_in_time_and_leaves_no_trace() -> None:
    gate = Gate(most=1, queue=1, wait_seconds=0.01)
    async with gate.place("a"):
        with pytest.raises(Busy):
            async with gate.place("b"):
                pass
    async with gate.place("b"):
        pass


async def test_a_client_who_leaves_the_queue_takes_no_place() -> None:
    gate = Gate(most=1, queue=2)
    first, gone, next_one = Visit(gate, "a"), Visit(gate, "b"), Visit(gate, "c")
    await settled()
    gone.task.cancel()
    await settled()
    await first.leave()
    assert next_one.inside
    await next_one.leave()


async def test_a_place_given_in_the_moment_of_leaving_goes_to_the_next() -> None:
    gate = Gate(most=1, queue=2)
    first, gone, next_one = Visit(gate, "a"), Visit(gate, "b"), Visit(gate, "c")
    await settled()
    first._go.set()
    await first.task
    gone.task.cancel()
    await settled()
    assert next_one.inside
    await next_one.leave()
