"""One question on the demo, embedded and without a model: the whole way, and our own share of it.

Own overhead is everything but database time. Baseline of the same run: a graph of the same twelve-node shape whose
nodes do nothing. Build the demo first (`make demo`).
"""

import asyncio
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import TypedDict

from langgraph.graph import END, START, StateGraph

from api.bootstrap import bootstrap
from api.service import Service
from api.settings import load_settings
from benchmarks.machine import machine_state, percentile, spread
from data_agent.events import Failed, ToolCallEnd

QUESTIONS = (
    "2025年第一季度各大区的销售额",
    "2026年6月销售额最高的5个品牌",
    "上个月各渠道的订单数和客单价",
    "monthly revenue in 2025",
    "top 3 categories by units sold in 2026",
)
ROUNDS = 40
WARM_UP = 3


class Empty(TypedDict, total=False):
    """A state that nobody writes."""

    unused: int


async def timed(service: Service, question: str) -> tuple[float, float]:
    """Milliseconds of the whole question and of the database in it."""
    start, database = time.perf_counter(), 0.0
    async for event in service.ask(question):
        if isinstance(event, Failed):
            raise SystemExit(f"{question}: {event.message}")
        if isinstance(event, ToolCallEnd) and event.tool == "warehouse":
            database += event.ms
    return (time.perf_counter() - start) * 1000, database


def empty_graph() -> object:
    """Twelve nodes of the same shape that do nothing."""

    async def nothing(_state: Empty) -> dict[str, object]:
        return {}

    graph = StateGraph(Empty)
    shape = [[0], [1, 2, 3], [4], [5, 6], [7], [8], [9], [10], [11]]
    for number in range(12):
        graph.add_node(str(number), nothing)
    graph.add_edge(START, "0")
    for before, after in pairwise(shape):
        for target in after:
            graph.add_edge([str(source) for source in before], str(target))
    graph.add_edge("11", END)
    return graph.compile()


async def baseline(rounds: int) -> Sequence[float]:
    """Milliseconds of one run of the empty graph."""
    graph, taken = empty_graph(), []
    for _ in range(rounds):
        start = time.perf_counter()
        async for _part in graph.astream({}, stream_mode=["custom", "updates"]):  # type: ignore[attr-defined]
            pass
        taken.append((time.perf_counter() - start) * 1000)
    return taken


async def main() -> None:
    empty = await baseline(ROUNDS)
    async with bootstrap(load_settings()) as service:
        for question in QUESTIONS * WARM_UP:
            await timed(service, question)
        taken = [await timed(service, question) for _ in range(ROUNDS) for question in QUESTIONS]
    own = [whole - database for whole, database in taken]
    print(machine_state())
    print(f"questions: {len(taken)} ({len(QUESTIONS)} different, {ROUNDS} rounds, after {WARM_UP} to warm up)")
    print(f"whole question:     {spread([whole for whole, _ in taken])}")
    print(f"database in it:     {spread([database for _, database in taken])}")
    print(f"own overhead:       {spread(own)}")
    print(f"empty graph:        {spread(empty)}")
    print(f"own / empty graph:  {percentile(own, 0.5) / percentile(empty, 0.5):.1f} (p50)")


if __name__ == "__main__":
    asyncio.run(main())
