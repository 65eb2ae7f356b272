"""An assistant graph and an outside world with nothing behind them, for tests of the doors.

The question decides what happens: `慢`/`slow` waits in the warehouse, `等` waits there for fifteen seconds, `单` has
one row, `截` is cut, `错`/`fail` and `崩` raise, `断` is a dependency that is down, `选`/`choose` interrupts, `贵`
waits for an approval, `闲`/`hello` is small talk; anything else is answered with three regions.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import numpy as np
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from api.clock import HeldClock
from api.gate import Gate
from api.outside import Outside
from api.running import UnderWay
from api.service import Service
from api.threads import serializer
from data_agent.context import DataAgentContext, Run
from data_agent.domain.admitted import AdmittedSql, Plan
from data_agent.domain.answer import Answer, Decision, ResultColumn, Rows, Usage
from data_agent.domain.catalog import Catalog
from data_agent.domain.reading import Ambiguity, Choice, ReadDimension, Reading, ReadMetric
from data_agent.domain.value import ColumnHit, MetricHit, Value
from data_agent.errors import StatementFailed, UnsafeSql, WarehouseUnavailable
from data_agent.events import HumanReviewRequest, IntentClassified, LlmToken, PathDecision, Reasoning
from data_agent.options import Limits, Options
from data_agent.ports.embedder import Vectors
from data_agent.ports.recall import IndexedText, IndexStamp, ValuePart
from data_agent.state import DataAgentState
from data_agent.step import say, step, tool_call, warn

SQL = "SELECT `region` AS `大区`,\n  SUM(pay_amount) AS `销售额`\nFROM orders\r\nGROUP BY 1"
COLUMNS = (
    ResultColumn(name="region", label="大区"),
    ResultColumn(name="sales", label="销售额", kind="decimal", unit="元", format="currency"),
    ResultColumn(name="id", label="编号", kind="big_integer"),
    ResultColumn(name="note", label="备注"),
)
ROWS = (
    ("华东", "1234567.50", "9223372036854775807", None),
    ("华北\u2028\x85<img src=x onerror=alert(1)>", "-9.00", "1", ""),
    ('=HYPERLINK("http://x","点我")', "10.00", "2", 'a,b\n"c"'),
)
SUSPENSE = 30.0


@dataclass
class FakeWarehouse:
    """A warehouse whose slow statement knows whether it was stopped."""

    name: str = "fake"
    dialect: str = "mysql"
    down: bool = False
    running: int = 0
    stopped: int = 0
    busy: asyncio.Event = field(default_factory=asyncio.Event)

    async def version(self) -> str:
        if self.down:
            raise WarehouseUnavailable("no connection to fake:3306", hint="start the server")
        return "1.0"

    async def explain(self, sql: AdmittedSql, seconds: float = 10.0) -> Plan:
        return Plan(estimated_rows=3)

    async def fetch(self, sql: AdmittedSql, limits: Limits) -> Rows:
        self.running += 1
        self.busy.set()
        try:
            await asyncio.sleep(limits.seconds)
        except asyncio.CancelledError:
            await asyncio.sleep(0.05)  # a real one needs a moment to kill the statement
            self.stopped += 1
            raise
        finally:
            self.running -= 1
        return Rows(columns=COLUMNS, rows=ROWS)

    async def stream(self, sql: AdmittedSql, batch: int = 5000) -> AsyncIterator[list[tuple[Any, ...]]]:
        yield [tuple(row) for row in ROWS]

    async def close(self) -> None:
        return


@dataclass
class FakeMetadata:
    """One catalog, kept in memory."""

    live: Catalog = field(default_factory=lambda: Catalog(name="fake", version="v1"))

    async def catalog(self) -> Catalog:
        return self.live

    async def replace(self, catalog: Catalog) -> None:
        self.live = catalog

    async def close(self) -> None:
        return


class FakeIndex:
    """An index that holds nothing and is up to date."""

    async def stamp(self) -> IndexStamp | None:
        return IndexStamp(catalog_version="v1", model="fake", dimension=2, count=0)


class FakeColumnIndex(FakeIndex):
    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[ColumnHit]:
        return []

    async def replace(self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors) -> None:
        return


class FakeMetricIndex(FakeIndex):
    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[MetricHit]:
        return []

    async def replace(self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors) -> None:
        return


class FakeValueIndex(FakeIndex):
    async def parts(self) -> dict[str, ValuePart]:
        return {}

    async def search(self, words: Sequence[str], limit: int) -> list[Value]:
        return []

    async def replace(self, stamp: IndexStamp, values: AsyncIterator[Sequence[Value]]) -> int:
        return 0


class FakeEmbedder:
    name = "fake"
    dimension = 2

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), 2), dtype=np.float32)


class FakeThreads:
    """Conversations that are forgotten."""

    def __init__(self, saver: Any = None) -> None:
        from langgraph.checkpoint.memory import InMemorySaver

        self.saver = saver or InMemorySaver(serde=serializer())

    async def ping(self) -> str:
        return "0 threads"

    async def close(self) -> None:
        return


@step("意图识别")
async def classify_intent(state: DataAgentState, runtime: Run) -> DataAgentState:
    small = any(word in state["query"] for word in ("闲", "hello"))
    decision = Decision(intent="chitchat" if small else "data_query", confidence=0.9, reasoning="fake", stage="rules")
    say(runtime, IntentClassified(decision=decision))
    return {"decision": decision}


@step("合并召回")
async def merge_retrieved_info(state: DataAgentState, runtime: Run) -> DataAgentState:
    reading = Reading(
        question=state["query"],
        language="zh",
        metrics=(ReadMetric(words="销售额", metric="sales"),),
        dimensions=(ReadDimension(words="大区", column="regions.region"),),
    )
    say(runtime, Reasoning(text="按 大区 看 销售额", reading=reading))
    if "选" in state["query"] or "choose" in state["query"]:
        return {"reading": reading, "sql": ""}
    say(runtime, PathDecision(path="reading", reason="fake"))
    return {"reading": reading, "sql": SQL}


@step("人工选择")
async def choose(state: DataAgentState, runtime: Run) -> DataAgentState:
    if not state["sql"]:
        brand = Choice(id="brand", label="品牌：苹果", kind="value", count=3)
        fruit = Choice(id="fruit", label="品类：苹果", kind="value", count=5)
        chosen = interrupt((Ambiguity(words="苹果", choices=(brand, fruit)),))
        return {"choices": chosen, "sql": SQL}
    if "贵" in state["query"] and interrupt(HumanReviewRequest(kind="approve", question="太贵")) is not True:
        raise UnsafeSql("没有批准")
    return {}


@step("执行查询")
async def execute_sql(state: DataAgentState, runtime: Run) -> DataAgentState:
    query = state["query"]
    if "错" in query or "fail" in query:
        raise StatementFailed("Unknown column 'x' in 'field list'", hint="rephrase the question")
    if "崩" in query:
        raise RuntimeError("mysql://root:hush@db/shop")
    if "断" in query:
        raise WarehouseUnavailable("no connection to fake:3306", hint="start the server")
    async with tool_call(runtime, "llm") as call:
        for text in ("SELECT", " 1"):
            say(runtime, LlmToken(node="generate_sql", text=text))
        call.usage = Usage(calls=1, prompt_tokens=10, completion_tokens=2)
    if any(word in query for word in ("慢", "slow", "等")):
        async with tool_call(runtime, "warehouse"):
            await runtime.context.warehouse.fetch(_admitted(), Limits(seconds=15.0 if "等" in query else SUSPENSE))
    warn(runtime, "数据截至 2026-06-30", "freshness")
    rows = ROWS[:1] if "单" in query else ROWS
    return {"rows": Rows(columns=COLUMNS, rows=rows, truncated="截" in query)}


def _admitted() -> AdmittedSql:
    return AdmittedSql.model_construct(sql=SQL, dialect="mysql", tables=("orders",))


@step("给出答案")
async def give_answer(state: DataAgentState, runtime: Run) -> DataAgentState:
    if state["decision"].intent == "chitchat":
        return {"answer": Answer(question=state["query"], path="chitchat", intent="chitchat", summary="你好！")}
    rows = state["rows"]
    return {
        "answer": Answer(
            question=state["query"],
            path="reading",
            intent="data_query",
            reading=state["reading"],
            sql=state["sql"],
            dialect="mysql",
            columns=rows.columns,
            rows=rows.rows,
            row_count=len(rows.rows),
            truncated=rows.truncated,
            summary="华东的销售额最高：1,234,567.50 元",
            confidence=0.95,
        )
    }


def build(checkpointer: Any = None) -> Any:
    """The same outline as the real one."""
    graph = StateGraph(DataAgentState, context_schema=DataAgentContext)
    line = (merge_retrieved_info, choose, execute_sql, give_answer)
    for node in (classify_intent, *line):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "classify_intent")
    graph.add_conditional_edges(
        "classify_intent",
        lambda state: "give_answer" if state["decision"].intent == "chitchat" else "merge_retrieved_info",
        ["give_answer", "merge_retrieved_info"],
    )
    for before, after in pairwise(line):
        graph.add_edge(before.__name__, after.__name__)
    graph.add_edge("give_answer", END)
    return graph.compile(checkpointer=checkpointer)


def fake_outside(**parts: Any) -> Outside:
    """An outside world of fakes; any part can be replaced."""
    world = Outside(
        warehouse=FakeWarehouse(),
        metadata=FakeMetadata(),
        column_index=FakeColumnIndex(),
        metric_index=FakeMetricIndex(),
        value_index=FakeValueIndex(),
        embedder=FakeEmbedder(),
        clock=HeldClock(datetime(2026, 7, 1, 1, tzinfo=UTC), "Asia/Shanghai"),
        threads=FakeThreads(),
    )
    return replace(world, **parts)


def fake_service(options: Options | None = None, gate: Gate | None = None, **parts: Any) -> Service:
    """A service that answers without a database."""
    outside = fake_outside(**parts)
    return Service(
        outside=outside,
        graph=build(outside.threads.saver),
        lexicon_of=lambda _: None,
        options=options or Options(),
        under_way=UnderWay(gate or Gate()),
    )
