"""The outside world of one question: every dependency a node may use, in one frozen value."""

from collections.abc import Callable, Hashable, MutableMapping
from dataclasses import dataclass, field
from datetime import datetime

from langgraph.runtime import Runtime

from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Catalog
from data_agent.events import Event
from data_agent.options import Options
from data_agent.policy.rights import Rights
from data_agent.ports.clock import Clock
from data_agent.ports.embedder import Embedder
from data_agent.ports.llm import Llm
from data_agent.ports.recall import ColumnIndex, MetricIndex, ValueIndex
from data_agent.ports.warehouse import Warehouse
from data_agent.reading.lexicon import Lexicon

Newest = MutableMapping[Hashable, tuple[datetime, str]]


@dataclass(frozen=True)
class DataAgentContext:
    """What nodes are given. `catalog` is the caller's own view: what a role may not see is not in it.

    `lexicon` holds the words of that same view.
    `tell` hears events at once; without it they go through the graph's custom stream.
    `newest` remembers how fresh the data is (key → until when that holds, the day); one for all questions.
    `rights` are the caller's under a policy; None when no policy is set, and then everything may be seen.
    """

    catalog: Catalog
    lexicon: Lexicon
    warehouse: Warehouse
    column_index: ColumnIndex
    metric_index: MetricIndex
    value_index: ValueIndex
    embedder: Embedder
    clock: Clock
    llm: Llm | None = None
    caller: Caller = field(default_factory=Caller)
    options: Options = field(default_factory=Options)
    rights: Rights | None = None
    newest: Newest = field(default_factory=dict)
    tell: Callable[[Event], None] | None = None


Run = Runtime[DataAgentContext]
