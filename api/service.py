"""The only way in: every door asks here, so that limits, threads and errors cannot differ between doors."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from langgraph.types import Command

from api.asked import asked_reading
from api.failures import told
from api.outside import Outside
from api.owners import kept_as
from api.policies import no_policy
from api.quality import Graded, QualityMode
from api.questions import clean_question, said
from api.running import UnderWay
from api.turn import Turn
from api.waiting import waiting_in
from data_agent.context import DataAgentContext, Newest
from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Catalog
from data_agent.domain.reading import Reading
from data_agent.errors import DataAgentError, InvalidInput, NeedsClarification
from data_agent.events import Event, HumanReviewRequest, Result
from data_agent.graphs import measure
from data_agent.options import Options
from data_agent.policy.rights import Rights
from data_agent.reading.named import Named
from data_agent.state import new_turn

LOCAL = Caller()
STEP_LIMIT = 40
Tell = Callable[[Event], None]
Lexicons = Callable[[Catalog], Any]
RightsOf = Callable[[Catalog, Caller], Rights | None]
Contexts = Callable[[], Awaitable[DataAgentContext]]
Start = tuple[Any, Any]
Begin = Callable[[DataAgentContext], Awaitable[Start]]


@dataclass
class Service:
    """Answers questions. `graph` is the compiled assistant graph; `lexicon_of` makes a catalog's words findable.

    `rights_of` says what a caller may see of a catalog.
    """

    outside: Outside
    graph: Any
    lexicon_of: Lexicons
    rights_of: RightsOf = no_policy
    options: Options = field(default_factory=Options)
    under_way: UnderWay = field(default_factory=UnderWay)
    measuring: Any = field(default_factory=measure.build)
    _newest: Newest = field(default_factory=dict)

    def ask(
        self,
        query: str,
        *,
        caller: Caller = LOCAL,
        thread_id: str | None = None,
        quality_mode: QualityMode = "balanced",
        choices: Mapping[str, str] | None = None,
        warehouse: str | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Answer a question: events, then exactly one `result` or `error`, then `done`.

        `choices` says what ambiguous words mean (words → id of a choice an earlier answer offered). Closing the
        generator stops everything the question started, the database included.
        """
        turn = Turn(query, thread_id)

        async def begin(_: DataAgentContext) -> Start:
            self._own(warehouse)
            turn.put(clean_question(query, self.options.max_question_chars))
            return self.graph, new_turn(turn.question, choices)

        return self._events(turn, caller, begin, lambda: self.context(caller, quality_mode))

    def resume(
        self,
        thread_id: str,
        choices: Mapping[str, str],
        *,
        approve: bool | None = None,
        caller: Caller = LOCAL,
        quality_mode: QualityMode = "balanced",
    ) -> AsyncGenerator[Event, None]:
        """Go on with a thread that waits for a choice (words → id) or an approval; events as from `ask`."""
        turn = Turn("", thread_id)

        async def begin(context: DataAgentContext) -> Start:
            waiting = await waiting_in(self.graph, _kept_as(turn, context))
            turn.put(waiting.question)
            return self.graph, Command(resume=waiting.checked(choices, approve))

        return self._events(turn, caller, begin, lambda: self.context(caller, quality_mode))

    def measure(
        self,
        asked: Named | Reading,
        *,
        more: Named | None = None,
        caller: Caller = LOCAL,
        warehouse: str | None = None,
        thread_id: str | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Compose, prove and run a reading that is handed in, or spelled by names; events as from `ask`.

        `more` names parts that come on top of a reading. `thread_id` is what `cancel` stops it by.
        """
        turn = Turn("", thread_id)

        async def begin(context: DataAgentContext) -> Start:
            self._own(warehouse)
            reading, choices = asked_reading(asked, context, more)
            turn.put(reading.question)
            return self.measuring, measure.begin(reading, choices)

        async def context() -> DataAgentContext:
            return replace(await self.context(caller), llm=None)

        return self._events(turn, caller, begin, context)

    async def cancel(self, thread_id: str, *, caller: Caller = LOCAL) -> None:
        """Stop the running question of a thread; returns when nothing of it runs any more, the database included.

        Raises:
            NothingRuns: this caller runs none there.
        """
        await self.under_way.cancel(thread_id, caller)

    async def warm(self) -> None:
        """Load what the first question would wait for; what fails here is told by that question."""
        with suppress(DataAgentError):
            await self.outside.embedder.embed(["warm"])
            await self.context(LOCAL)

    async def close(self) -> None:
        """Stop what is running and give everything back."""
        await self.under_way.close()
        await self.outside.close()

    @property
    def name(self) -> str:
        """What its warehouse is called."""
        return self.outside.warehouse.name

    @property
    def outsides(self) -> dict[str, Outside]:
        """What it stands on, by the warehouse's name."""
        return {self.name: self.outside}

    @property
    def names(self) -> tuple[str, ...]:
        """The warehouses that may be named: this one."""
        return (self.name,)

    def _own(self, warehouse: str | None) -> None:
        if warehouse not in {None, "", self.name}:
            raise InvalidInput(f"there is no warehouse `{warehouse}` · 没有这个库", hint=f"known: {self.name}")

    async def _events(self, turn: Turn, caller: Caller, begin: Begin, context: Contexts) -> AsyncGenerator[Event, None]:
        """Run the question in a task of its own, so that its time limit never falls on the listener."""
        heard: asyncio.Queue[Event | None] = asyncio.Queue()
        task = asyncio.create_task(self._answer(turn, caller, begin, context, heard.put_nowait), name=turn.thread_id)
        task.add_done_callback(lambda _: heard.put_nowait(None))
        try:
            while event := await heard.get():
                yield event
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def _answer(self, turn: Turn, caller: Caller, begin: Begin, context: Contexts, tell: Tell) -> None:
        turn.warehouse = self.name
        try:
            async with self.under_way.place(turn, caller), asyncio.timeout(self.options.total_seconds):
                await self._walk(turn, begin, await context(), tell)
            tell(Result(answer=turn.answer()))
        except NeedsClarification as error:
            review = _review(turn, error)
            turn.hear(review)
            tell(review)
            tell(Result(answer=turn.answer()))
        except Exception as error:  # noqa: BLE001  the door turns every failure into one terminal event
            tell(turn.failed(told(error, turn, self.options.total_seconds)))
        tell(turn.done())

    async def context(self, caller: Caller, mode: QualityMode = "balanced") -> DataAgentContext:
        """A snapshot for one question: a catalog that changes meanwhile does not change it."""
        outside, whole = self.outside, await self.outside.metadata.catalog()
        rights = self.rights_of(whole, caller)
        catalog, limits = (rights.view, rights.lowered(self.options.limits)) if rights else (whole, self.options.limits)
        return DataAgentContext(
            catalog=catalog,
            lexicon=self.lexicon_of(catalog),
            warehouse=outside.warehouse,
            column_index=outside.column_index,
            metric_index=outside.metric_index,
            value_index=outside.value_index,
            embedder=outside.embedder,
            clock=outside.clock,
            llm=Graded(outside.llm, mode) if outside.llm else None,
            caller=caller,
            options=self.options.model_copy(update={"limits": limits}),
            rights=rights,
            newest=self._newest,
        )

    async def _walk(self, turn: Turn, begin: Begin, context: DataAgentContext, tell: Tell) -> None:
        """Walk the graph from a new state or a resumed one, pass its events on, note its changes."""

        def heard(event: Event) -> None:
            turn.hear(event)
            tell(event)

        graph, start = await begin(context)
        kept = {"durability": "exit"} if graph.checkpointer else {}
        parts = graph.astream(
            start,
            {"configurable": {"thread_id": _kept_as(turn, context)}, "recursion_limit": STEP_LIMIT},
            context=replace(context, tell=heard),
            stream_mode="updates",
            **kept,
        )
        async for changes in parts:
            for event in _learned(turn, changes):
                heard(event)


def _kept_as(turn: Turn, context: DataAgentContext) -> str:
    """The name under which this caller's thread is kept."""
    return kept_as(turn.thread_id, context.caller, context.rights.role if context.rights else None)


def _learned(turn: Turn, data: dict[str, Any]) -> list[Event]:
    """Note each node's changes; an interrupt becomes a question to the person."""
    asked: list[Event] = []
    for node, changes in data.items():
        if node == "__interrupt__":
            asked += [_review(turn, interrupt.value) for interrupt in changes]
        elif changes:
            turn.learn(changes)
    return asked


def _review(turn: Turn, value: Any) -> HumanReviewRequest:
    """The question to the person, whether a node raised it or interrupted with it."""
    if isinstance(value, HumanReviewRequest):
        return value.model_copy(update={"thread_id": turn.thread_id})
    choices = getattr(value, "choices", value if isinstance(value, tuple) else ())
    question = getattr(value, "message", "") or said(turn.language, "请选择您的意思", "please choose what you mean")
    return HumanReviewRequest(kind="clarify", question=question, ambiguities=choices, thread_id=turn.thread_id)
