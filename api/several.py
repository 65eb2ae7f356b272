"""Several warehouses behind one door: each has a service of its own, a question runs on exactly one of them."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from langgraph.types import Command

from api.bootstrap import bootstrap
from api.choosing import WORDS, Chosen, choosing
from api.failures import told
from api.fitting import fit, without
from api.outside import Outside
from api.owners import kept_as
from api.quality import QualityMode
from api.questions import clean_question, known_thread, said
from api.running import UnderWay
from api.service import LOCAL, Service
from api.settings import Settings
from api.stores import StoreFiles, open_embedder
from api.threads import SqliteThreads
from api.turn import Turn
from api.waiting import waiting_in
from api.warehouse_settings import NamedWarehouse
from data_agent.domain.caller import Caller
from data_agent.domain.reading import Ambiguity, Choice, Reading
from data_agent.errors import DataAgentError, InvalidInput, NothingWaits
from data_agent.events import Event, HumanReviewRequest, Result
from data_agent.reading.named import Named
from data_agent.routing.rules import by_rules

CLOSE = 0.2
"""Scores nearer than this are a close call, and a person chooses."""


@dataclass
class Several:
    """Chooses the warehouse of each question: as given, as the thread began, or by what the question says."""

    services: dict[str, Service]
    warehouses: Mapping[str, NamedWarehouse]
    threads: Any
    under_way: UnderWay = field(default_factory=UnderWay)

    def __post_init__(self) -> None:
        self._graph = choosing(self.threads.saver)

    @property
    def names(self) -> tuple[str, ...]:
        """The warehouses, as they may be named."""
        return tuple(self.services)

    @property
    def outsides(self) -> dict[str, Outside]:
        """What each warehouse's service stands on."""
        return {name: service.outside for name, service in self.services.items()}

    async def ask(
        self,
        query: str,
        *,
        caller: Caller = LOCAL,
        thread_id: str | None = None,
        quality_mode: QualityMode = "balanced",
        choices: Mapping[str, str] | None = None,
        warehouse: str | None = None,
    ) -> AsyncGenerator[Event, None]:
        """As `Service.ask`; `warehouse` names where, else the thread or the question decides, or a person is asked."""
        turn, own = Turn(query, thread_id), dict(choices or {})
        given = warehouse or own.pop(WORDS, "").removeprefix(f"{WORDS}:")
        try:
            found = await self._decided(turn, query, caller, given)
        except Exception as error:  # noqa: BLE001  the door turns every failure into one terminal event
            for event in self._failed(error, turn):
                yield event
            return
        if isinstance(found, HumanReviewRequest):
            turn.hear(found)
            yield found
            yield Result(answer=turn.answer())
            yield turn.done()
            return
        asking = self.services[found].ask(
            await self._put(found, query, caller),
            caller=caller,
            thread_id=turn.thread_id,
            quality_mode=quality_mode,
            choices=own,
        )
        async with aclosing(asking) as events:
            async for event in events:
                yield event

    async def resume(
        self,
        thread_id: str,
        choices: Mapping[str, str],
        *,
        approve: bool | None = None,
        caller: Caller = LOCAL,
        quality_mode: QualityMode = "balanced",
    ) -> AsyncGenerator[Event, None]:
        """Go on with a thread: with the warehouse a person chose, or where its own warehouse waits."""
        turn = Turn("", thread_id)
        try:
            query = await self._picked(thread_id, choices, caller)
            service = self.services[await self._kept(thread_id, caller) or self.names[0]]
        except Exception as error:  # noqa: BLE001  as above
            for event in self._failed(error, turn):
                yield event
            return
        going = (
            service.ask(
                await self._put(service.name, query, caller),
                caller=caller,
                thread_id=thread_id,
                quality_mode=quality_mode,
            )
            if query
            else service.resume(thread_id, choices, approve=approve, caller=caller, quality_mode=quality_mode)
        )
        async with aclosing(going) as events:
            async for event in events:
                yield event

    async def measure(
        self,
        asked: Named | Reading,
        *,
        more: Named | None = None,
        caller: Caller = LOCAL,
        warehouse: str | None = None,
        thread_id: str | None = None,
    ) -> AsyncGenerator[Event, None]:
        """As `Service.measure`; where several warehouses know the names, one has to be given."""
        words = asked.question if isinstance(asked, Reading) else " ".join((*asked.metrics, *asked.by))
        turn = Turn(words, thread_id)
        try:
            best = [self._known(warehouse)] if warehouse else await self._best(words, caller)
            if len(best) > 1:
                hint = f"give the warehouse: {', '.join(best)} · 请指定 warehouse"
                raise InvalidInput("several warehouses know these names · 多个库都有这些名称", hint=hint)
        except Exception as error:  # noqa: BLE001  as above
            for event in self._failed(error, turn):
                yield event
            return
        measuring = self.services[best[0]].measure(asked, more=more, caller=caller, thread_id=turn.thread_id)
        async with aclosing(measuring) as events:
            async for event in events:
                yield event

    async def cancel(self, thread_id: str, *, caller: Caller = LOCAL) -> None:
        """As `Service.cancel`: all of them share one list of what is under way."""
        await self.under_way.cancel(thread_id, caller)

    async def warm(self) -> None:
        """Load what the first question would wait for."""
        await asyncio.gather(*(service.warm() for service in self.services.values()))

    async def close(self) -> None:
        """Give back what is the router's own; the services close themselves."""
        await self.threads.close()

    def _failed(self, error: Exception, turn: Turn) -> tuple[Event, Event]:
        return turn.failed(told(error, turn, self._first.options.total_seconds)), turn.done()

    @property
    def _first(self) -> Service:
        return next(iter(self.services.values()))

    def _known(self, name: str) -> str:
        if name not in self.services:
            hint = f"known: {', '.join(self.names)}"
            raise InvalidInput(f"there is no warehouse `{name}` · 没有这个库", hint=hint)
        return name

    async def _decided(self, turn: Turn, query: str, caller: Caller, given: str) -> str | HumanReviewRequest:
        """The warehouse of a question, remembered for its thread; or what to ask the person."""
        known_thread(turn.thread_id)
        turn.put(clean_question(query, self._first.options.max_question_chars))
        name = self._known(given) if given else await self._kept(turn.thread_id, caller)
        best = [name] if name else await self._best(turn.question, caller)
        offered = [] if len(best) == 1 else [self._offer(best)]
        state = Chosen(query=turn.question, warehouse="" if offered else best[0], offered=offered)
        await self._graph.ainvoke(state, _config(turn.thread_id, caller))
        if not offered:
            return best[0]
        question = said(turn.language, "这个问题问的是哪个库？", "Which warehouse is this about?")
        return HumanReviewRequest(
            kind="clarify", question=question, ambiguities=tuple(offered), thread_id=turn.thread_id
        )

    async def _put(self, name: str, question: str, caller: Caller) -> str:
        """The question without words that only say where to ask; those its catalog knows stay."""
        try:
            lexicon = (await self.services[name].context(caller)).lexicon
        except DataAgentError:  # told by the service, with everything around it
            return question
        return without([word for word in self.warehouses[name].words if not lexicon.lookup(word)], question)

    def _offer(self, names: list[str]) -> Ambiguity:
        choices = [
            Choice(id=f"{WORDS}:{name}", label=name, kind="warehouse", detail=self.warehouses[name].description)
            for name in names
        ]
        return Ambiguity(words=WORDS, choices=tuple(choices))

    async def _picked(self, thread_id: str, choices: Mapping[str, str], caller: Caller) -> str:
        """The question that waited for a warehouse and may go on now; empty when the thread waits for something else.

        Raises:
            UnknownChoice: another warehouse was chosen than those offered.
        """
        try:
            waiting = await waiting_in(self._graph, kept_as(known_thread(thread_id), caller))
        except NothingWaits:
            return ""
        await self._graph.ainvoke(Command(resume=waiting.checked(choices)), _config(thread_id, caller))
        return waiting.question

    async def _kept(self, thread_id: str, caller: Caller) -> str:
        """The warehouse a thread runs on; empty when it has none yet, or it is no longer there."""
        state = await self._graph.aget_state(_config(thread_id, caller))
        name = str(state.values.get("warehouse", ""))
        return name if name in self.services else ""

    async def _best(self, question: str, caller: Caller) -> list[str]:
        """The best warehouse, or all that come close to it; small talk goes to the first.

        Raises:
            DataAgentError: none can be used, for the reason of the first.
        """
        found = await asyncio.gather(*(self._score(name, question, caller) for name in self.services))
        scores = {name: each for name, each in zip(self.services, found, strict=True) if isinstance(each, float)}
        if not scores:
            raise next(each for each in found if isinstance(each, DataAgentError))
        best = max(scores.values())
        return [name for name, score in scores.items() if best - score < CLOSE]

    async def _score(self, name: str, question: str, caller: Caller) -> float | DataAgentError:
        """How well a warehouse fits; the reason where it cannot be used by this caller, or at all."""
        service = self.services[name]
        try:
            context = await service.context(caller)
            decision = by_rules(question, context.lexicon)
            if decision and decision.intent == "chitchat":
                return 1.0 if service is self._first else 0.0
            return await fit(question, context, self.warehouses[name].words)
        except DataAgentError as error:
            return error


def _config(thread_id: str, caller: Caller) -> Any:
    return {"configurable": {"thread_id": kept_as(thread_id, caller)}}


@asynccontextmanager
async def opened(settings: Settings, **parts: Any) -> AsyncIterator[Service | Several]:
    """The one service of a single warehouse, or the router over those of several.

    Raises:
        StoreUnavailable: a folder of the stores cannot be used.
        InvalidSettings: a policy file has mistakes.
    """
    if not settings.warehouses:
        async with bootstrap(settings, **parts) as service:
            yield service
        return
    parts = {"embedder": open_embedder(settings.embedder), "under_way": UnderWay(settings.server.gate()), **parts}
    async with AsyncExitStack() as stack:
        stack.push_async_callback(parts["embedder"].close)
        threads = await SqliteThreads.open(StoreFiles(settings.stores.path).threads)
        stack.push_async_callback(threads.close)
        services = {
            name: await stack.enter_async_context(bootstrap(each, **parts)) for name, each in settings.each().items()
        }
        yield Several(services, settings.warehouses, threads, parts["under_way"])
