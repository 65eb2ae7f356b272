"""What nodes share: `@step` announces, times and fails in one place; `tool_call` does so for outside calls."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import wraps
from time import perf_counter
from typing import Any, Protocol, TypeVar, cast

from langgraph.errors import GraphBubbleUp

from data_agent.context import Run
from data_agent.domain.answer import Usage
from data_agent.errors import DependencyError
from data_agent.events import Event, NodeStart, Progress, ToolCallEnd, ToolCallStart, Warned
from data_agent.state import DataAgentState

Found = TypeVar("Found")


class Node(Protocol):
    """The one signature of a node."""

    __name__: str

    def __call__(self, state: DataAgentState, runtime: Run) -> Awaitable[DataAgentState]:
        """Return only the keys that change."""
        ...


def say(runtime: Run, event: Event) -> None:
    """Let the caller hear an event: at once where the door listens, else through the graph's stream."""
    (runtime.context.tell or runtime.stream_writer)(event)


def warn(runtime: Run, message: str, source: str = "") -> None:
    """Tell the caller that the answer is weaker than usual."""
    say(runtime, Warned(message=message, source=source))


async def or_degrade(runtime: Run, source: str, call: Callable[[], Awaitable[Found]]) -> Found | None:
    """Ask one of several sources; when it fails or takes too long, warn and go on without it (None)."""
    try:
        async with tool_call(runtime, source):
            async with asyncio.timeout(runtime.context.options.recall_seconds):
                return await call()
    except (DependencyError, TimeoutError) as error:
        reason = error.message if isinstance(error, DependencyError) else "没有及时回应 / no answer in time"
        warn(runtime, f"{source} 暂时不可用 / is left out: {reason}", source)
        return None


def milliseconds_since(start: float) -> float:
    """Elapsed time of a `perf_counter` reading, in ms."""
    return round((perf_counter() - start) * 1000, 3)


def step(label: str) -> Callable[[Node], Node]:
    """Make a function a node. `label` is its Chinese name, 4-6 characters.

    An interrupt passes through and says "waiting"; any other exception says "error" and goes up unchanged, marked with
    the step's name in `failed_step`.
    """

    def decorate(node: Node) -> Node:
        @wraps(node)
        async def announced(state: DataAgentState, runtime: Run) -> DataAgentState:
            name, start = node.__name__, perf_counter()
            say(runtime, NodeStart(node=name))
            say(runtime, Progress(step=name, label=label, status="running"))
            try:
                changes = await node(state, runtime)
            except GraphBubbleUp:
                say(runtime, Progress(step=name, label=label, status="waiting"))
                raise
            except BaseException as error:
                if not hasattr(error, "failed_step"):
                    cast(Any, error).failed_step = name
                say(runtime, Progress(step=name, label=label, status="error", ms=milliseconds_since(start)))
                raise
            say(runtime, Progress(step=name, label=label, status="success", ms=milliseconds_since(start)))
            return changes

        cast(Any, announced).label = label
        return cast(Node, announced)

    return decorate


@dataclass
class Call:
    """An outside call under way; set `usage` when it is known."""

    usage: Usage = field(default_factory=Usage)


@asynccontextmanager
async def tool_call(runtime: Run, tool: str, detail: str = "") -> AsyncIterator[Call]:
    """Announce an outside call and how it ended. `tool` is `llm`, `warehouse`, `embedder` or an index."""
    start, call, ok = perf_counter(), Call(), False
    say(runtime, ToolCallStart(tool=tool, detail=detail))
    try:
        yield call
        ok = True
    finally:
        say(runtime, ToolCallEnd(tool=tool, ok=ok, ms=milliseconds_since(start), usage=call.usage))
