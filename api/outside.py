"""Every outside thing the service holds open, in one place, and how to give all of it back."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

from data_agent.ports.cache import Cache
from data_agent.ports.clock import Clock
from data_agent.ports.embedder import Embedder
from data_agent.ports.llm import Llm
from data_agent.ports.metadata import Metadata
from data_agent.ports.recall import ColumnIndex, MetricIndex, ValueIndex
from data_agent.ports.warehouse import Warehouse


class Threads(Protocol):
    """Where conversations are kept: a LangGraph checkpointer that can be asked whether it works."""

    saver: Any

    async def ping(self) -> str:
        """A proof that threads can be read."""
        ...

    async def close(self) -> None:
        """Give the connection back."""
        ...


@dataclass(frozen=True)
class Outside:
    """The ports, implemented. Any of them can be replaced in a test."""

    warehouse: Warehouse
    metadata: Metadata
    column_index: ColumnIndex
    metric_index: MetricIndex
    value_index: ValueIndex
    embedder: Embedder
    clock: Clock
    threads: Threads
    llm: Llm | None = None
    cache: Cache | None = None
    closing: tuple[Callable[[], Awaitable[None]], ...] = ()

    async def close(self) -> None:
        """Close what can be closed, the warehouse first: it may still be running something."""
        for part in (self.warehouse, self.metadata, self.threads, self.llm):
            if part is not None:
                await part.close()
        for close in self.closing:
            await close()
