"""The only way in: every door asks here, so that limits, threads and errors cannot differ between doors."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from langgraph.types import Command

from api.failures import told
from api.outside import Outside
from api.policies import no_policy
from api.quality import Graded, QualityMode
from api.questions import clean_question, known_thread, said
from api.turn import Turn
from api.waiting import waiting_in
from data_agent.context import DataAgentContext, Newest
from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Catalog
from data_agent.errors import Busy, DataAgentError, NeedsClarification, ThreadBusy
from data_agent.events import Event, HumanReviewRequest, Result
from data_agent.options import Options
from data_agent.policy.rights import Rights
from data_agent.state import new_turn

LOCAL = Caller()
STEP_LIMIT = 40
Tell = Callable[[Event], None]
Lexicons = Callable[[Catalog], Any]
RightsOf = Callable[[Catalog, Caller], Rights | None]
Contexts = Callable[[], Awaitable[DataAgentContext]]
Begin = Callable[[], Awaitable[Any]]


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
    max_concurrent: int = 256
    _newest: Newest = field(default_factory=dict)
    _running: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    def ask(
        self,
        query: str,
        *,
        caller: Caller = LOCAL,
        thread_id: str | None = None,
        quality_mode: QualityMode = "balanced",
        choices: Mapping[str, str] | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Answer a question: events, then exactly one `result` or `error`, then `done`.

        `choices` says what ambiguous words mean (words → id of a choice an earlier answer offered). Closing the
        generator stops everything the question started, the database included.
        """
        turn = Turn(query, thread_id)

        async def begin() -> Any:
            turn.put(clean_question(query, self.options.max_question_chars))
            return new_turn(turn.question, choices)

        return self._events(turn, begin, lambda: self._context(caller, quality_mode))

    def resume(
        self,
        thread_id: str,
        choices: Mapping[str, str],
        *,
        caller: Caller = LOCAL,
        quality_mode: QualityMode = "balanced",
    ) -> AsyncGenerator[Event, None]:
        """Go on with the question of a thread that waits for a choice (words → id); events as from `ask`."""
        turn = Turn("", thread_id)

        async def begin() -> Any:
            waiting = await waiting_in(self.graph, thread_id)
            turn.put(waiting.question)
            return Command(resume=waiting.checked(choices))

        return self._events(turn, begin, lambda: self._context(caller, quality_mode))

    async def warm(self) -> None:
        """Load what the first question would wait for; what fails here is told by that question."""
        with suppress(DataAgentError):
            await self.outside.embedder.embed(["warm"])
            await self._context(LOCAL, "balanced")

    async def close(self) -> None:
        """Stop what is running and give everything back."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self.outside.close()

    async def _events(self, turn: Turn, begin: Begin, context: Contexts) -> AsyncGenerator[Event, None]:
        """Run the question in a task of its own, so that its time limit never falls on the listener."""
        heard: asyncio.Queue[Event | None] = asyncio.Queue()
        task = asyncio.create_task(self._answer(turn, begin, context, heard.put_nowait), name=turn.thread_id)
        task.add_done_callback(lambda _: heard.put_nowait(None))
        try:
            while event := await heard.get():
                yield event
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def _answer(self, turn: Turn, begin: Begin, context: Contexts, tell: Tell) -> None:
        try:
            self._admit(turn)
            try:
                async with asyncio.timeout(self.options.total_seconds):
                    await self._walk(turn, await begin(), await context(), tell)
            finally:
                self._running.pop(turn.thread_id, None)
            tell(Result(answer=turn.answer()))
        except NeedsClarification as error:
            review = _review(turn, error)
            turn.hear(review)
            tell(review)
            tell(Result(answer=turn.answer()))
        except Exception as error:  # noqa: BLE001  the door turns every failure into one terminal event
            tell(turn.failed(told(error, turn, self.options.total_seconds)))
        tell(turn.done())

    def _admit(self, turn: Turn) -> None:
        """Take a place among the running questions.

        Raises:
            ThreadBusy: this thread has a question under way.
            Busy: too many questions at once.
        """
        known_thread(turn.thread_id)
        if turn.thread_id in self._running:
            raise ThreadBusy(
                said(
                    turn.language,
                    "这个会话的上一个问题还在回答",
                    "the previous question of this thread is still running",
                ),
                hint=said(turn.language, "请等它结束，或开始新会话", "wait for it to end, or start a new thread"),
            )
        if len(self._running) >= self.max_concurrent:
            raise Busy(
                said(turn.language, "同时提问的人太多", "too many questions at once"),
                hint=said(turn.language, "请稍后再试", "try again in a moment"),
            )
        current = asyncio.current_task()
        if current is not None:
            self._running[turn.thread_id] = current

    async def _context(self, caller: Caller, mode: QualityMode) -> DataAgentContext:
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

    async def _walk(self, turn: Turn, start: Any, context: DataAgentContext, tell: Tell) -> None:
        """Walk the graph from a new state or a resumed one, pass its events on, note its changes."""

        def heard(event: Event) -> None:
            turn.hear(event)
            tell(event)

        parts = self.graph.astream(
            start,
            {"configurable": {"thread_id": turn.thread_id}, "recursion_limit": STEP_LIMIT},
            context=replace(context, tell=heard),
            stream_mode="updates",
            subgraphs=True,
            durability="exit",
        )
        async for _, changes in parts:
            for event in _learned(turn, changes):
                heard(event)


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
