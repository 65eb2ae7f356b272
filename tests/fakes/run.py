"""A whole question with nothing real behind it: the graph, a catalog, fakes at every port."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langgraph.types import Checkpointer
from pydantic import BaseModel

from api.clock import HeldClock
from data_agent.context import DataAgentContext
from data_agent.domain.catalog import Catalog
from data_agent.graphs import assistant, nl2sql
from data_agent.indexing.index import index
from data_agent.options import Options
from data_agent.reading.lexicon import Lexicon
from data_agent.state import DataAgentState, new_turn
from tests.cases.shop import CATALOG, NOW
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.indexes import FakeColumnIndex, FakeMetricIndex, FakeValueIndex
from tests.fakes.llm import FakeLlm
from tests.fakes.metadata import FakeMetadata
from tests.fakes.warehouse import FakeWarehouse, Told

ONE_ROW = Told(names=("n",), rows=((1,),))


@dataclass
class World:
    """Everything outside of one question; replace what a test is about."""

    replies: Sequence[Any] | None = None
    warehouse: FakeWarehouse = field(default_factory=lambda: FakeWarehouse(otherwise=ONE_ROW))
    catalog: Catalog = CATALOG
    options: Options = field(default_factory=Options)
    column_index: Any = field(default_factory=FakeColumnIndex)
    metric_index: Any = field(default_factory=FakeMetricIndex)
    value_index: Any = field(default_factory=FakeValueIndex)
    events: list[BaseModel] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.llm = None if self.replies is None else FakeLlm(self.replies)
        self.embedder = FakeEmbedder()

    async def context(self) -> DataAgentContext:
        return DataAgentContext(
            catalog=self.catalog,
            lexicon=Lexicon.of(self.catalog),
            warehouse=self.warehouse,
            column_index=self.column_index,
            metric_index=self.metric_index,
            value_index=self.value_index,
            embedder=self.embedder,
            clock=HeldClock(NOW, "Asia/Shanghai"),
            llm=self.llm,
            options=self.options,
        )

    async def indexed(self) -> "World":
        await index(
            self.catalog,
            warehouse=FakeWarehouse(otherwise=Told(names=("v",), rows=())),
            embedder=self.embedder,
            column_index=self.column_index,
            metric_index=self.metric_index,
            value_index=self.value_index,
            metadata=FakeMetadata(),
        )
        return self

    async def ask(
        self, question: str, *, front: bool = False, saver: Checkpointer = None, thread: str = "t"
    ) -> DataAgentState:
        graph = (assistant if front else nl2sql).build(saver)
        state: Any = {}
        parts = graph.astream(
            new_turn(question),
            {"configurable": {"thread_id": thread}, "recursion_limit": 40},
            context=await self.context(),
            stream_mode=["custom", "values"],
            subgraphs=True,
        )
        async for where, mode, data in parts:
            if mode == "custom":
                self.events.append(data)
            elif not where:
                state = data
        return state

    def heard(self, kind: str) -> list[Any]:
        return [event for event in self.events if getattr(event, "type", "") == kind]

    @property
    def nodes(self) -> list[str]:
        return [event.node for event in self.heard("node_start")]
