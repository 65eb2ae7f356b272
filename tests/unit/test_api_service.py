"""The only way in: events in order, one end, nothing left running."""

import asyncio
import logging
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph import START, StateGraph

from api.gate import Gate
from api.service import Service
from api.threads import SqliteThreads
from data_agent.context import DataAgentContext
from data_agent.domain.caller import Caller
from data_agent.errors import NothingRuns
from data_agent.events import Done, Failed, HumanReviewRequest, LlmToken, Result
from data_agent.options import Options
from data_agent.state import DataAgentState
from tests.fakes.graph import ROWS, SQL, FakeWarehouse, build, fake_outside, fake_service


async def heard(service: Service, query: str, **how: Any) -> list[Any]:
    return [event async for event in service.ask(query, **how)]


def ends(events: list[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, Result | Failed)]


async def test_an_answer_carries_what_the_door_heard_on_the_way() -> None:
    events = await heard(fake_service(), "各大区的销售额", thread_id="t-1")
    answer = events[-2].answer
    assert (answer.path, answer.sql, answer.rows) == ("reading", SQL, ROWS)
    assert [step.name for step in answer.steps] == [
        "classify_intent",
        "merge_retrieved_info",
        "choose",
        "execute_sql",
        "give_answer",
    ]
    assert (answer.model_calls, answer.prompt_tokens, answer.completion_tokens) == (1, 10, 2)
    assert answer.warnings == ("数据截至 2026-06-30",)
    assert answer.thread_id == events[-1].thread_id == "t-1"
    assert answer.elapsed_ms > 0


async def test_events_of_the_inner_graph_arrive_as_they_happen() -> None:
    """The case q233."""
    events = await heard(fake_service(), "各大区的销售额")
    assert [event.text for event in events if isinstance(event, LlmToken)] == ["SELECT", " 1"]


@pytest.mark.parametrize("query", ["各大区", "出错", "崩溃", "断线", "请选一个", "", "x" * 100_000, "hello"])
async def test_every_run_ends_with_one_answer_or_error_and_done(query: str) -> None:
    events = await heard(fake_service(), query)
    assert len(ends(events)) == 1
    assert isinstance(events[-1], Done)
    assert events[-2] is ends(events)[0]


@pytest.mark.parametrize(
    ("query", "code", "status"),
    [
        ("", "empty_question", 422),
        (" \x00\u200b\ud800\n", "empty_question", 422),
        ("x" * 100_000, "question_too_long", 413),
        ("出错", "statement_failed", 422),
        ("断线", "warehouse_unavailable", 503),
        ("崩溃", "internal", 500),
    ],
)
async def test_a_failure_has_its_code_and_status(query: str, code: str, status: int) -> None:
    failed = ends(await heard(fake_service(), query))[0]
    assert (failed.code, failed.status) == (code, status)
    assert len(failed.answer.question) <= 2000


async def test_a_failure_names_its_step_and_keeps_what_was_found() -> None:
    failed = ends(await heard(fake_service(), "出错"))[0]
    assert failed.step == "execute_sql"
    assert failed.answer.sql == SQL
    assert failed.answer.reading is not None
    assert failed.answer.steps[-1].name == "execute_sql"


async def test_a_foreign_error_leaks_neither_to_the_caller_nor_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """The case q211."""
    with caplog.at_level(logging.DEBUG):
        events = await heard(fake_service(), "崩溃")
    assert "hush" not in "".join(event.model_dump_json() for event in events)
    assert "hush" not in caplog.text
    assert "RuntimeError" in caplog.text


async def test_a_graph_that_goes_round_in_circles_is_stopped_with_a_reason() -> None:
    """The case q048."""
    service = fake_service()
    circle = StateGraph(DataAgentState, context_schema=DataAgentContext)
    circle.add_node("again", lambda state: {"sql": state["sql"] + "x"})
    circle.add_edge(START, "again")
    circle.add_edge("again", "again")
    service.graph = circle.compile(checkpointer=service.outside.threads.saver)
    failed = ends(await heard(service, "各大区"))[0]
    assert (failed.code, failed.message) == ("cannot_answer", "步骤太多，已停止")


async def test_control_characters_are_stripped_before_anything_reads_the_question() -> None:
    events = await heard(fake_service(), "各\x00大区\u202e的\r\n销售额 😀")
    assert events[-2].answer.question == "各 大区的 销售额 😀"


async def test_a_second_question_of_a_running_thread_is_told_to_wait() -> None:
    service = fake_service()
    async with aclosing(service.ask("慢", thread_id="t")) as first:
        await anext(first)
        assert ends(await heard(service, "各大区", thread_id="t"))[0].code == "thread_busy"
        assert isinstance(ends(await heard(service, "各大区", thread_id="u"))[0], Result)
    assert isinstance(ends(await heard(service, "各大区", thread_id="t"))[0], Result)


async def test_too_many_questions_at_once_are_told_to_come_back() -> None:
    service = fake_service(gate=Gate(most=1, queue=0))
    async with aclosing(service.ask("慢")) as first:
        await anext(first)
        failed = ends(await heard(service, "各大区"))[0]
    assert (failed.code, failed.status) == ("busy", 429)


async def test_leaving_stops_the_statement_before_the_door_closes() -> None:
    """The case q202."""
    warehouse = FakeWarehouse()
    service = fake_service(warehouse=warehouse)
    async with aclosing(service.ask("慢")) as events:
        async for _ in events:
            if warehouse.running:
                break
    assert (warehouse.running, warehouse.stopped) == (0, 1)


async def test_a_question_has_a_total_time_limit_that_stops_the_statement() -> None:
    warehouse = FakeWarehouse()
    service = fake_service(Options(total_seconds=0.2), warehouse=warehouse)
    failed = ends(await heard(service, "慢"))[0]
    assert (failed.code, failed.status) == ("question_timeout", 504)
    assert (warehouse.running, warehouse.stopped) == (0, 1)


async def test_closing_the_service_stops_what_runs() -> None:
    warehouse = FakeWarehouse()
    service = fake_service(warehouse=warehouse)
    listening = asyncio.create_task(heard(service, "慢"))
    await warehouse.busy.wait()
    await service.close()
    assert warehouse.stopped == 1
    assert not ends(await listening)


async def test_an_interrupt_asks_the_person_and_ends_as_a_clarification() -> None:
    events = await heard(fake_service(), "请选一个", thread_id="t")
    asked = next(event for event in events if isinstance(event, HumanReviewRequest))
    answer = events[-2].answer
    assert (answer.path, asked.thread_id) == ("clarify", "t")
    assert [choice.id for choice in answer.choices[0].choices] == ["brand", "fruit"]


async def test_an_interrupted_thread_takes_the_next_question() -> None:
    service = fake_service()
    await heard(service, "请选一个", thread_id="t")
    assert ends(await heard(service, "各大区", thread_id="t"))[0].answer.path == "reading"


async def test_an_earlier_answer_does_not_come_back_for_a_later_question() -> None:
    service = fake_service()
    await heard(service, "各大区", thread_id="t")
    failed = ends(await heard(service, "出错", thread_id="t"))[0]
    assert failed.answer.rows == ()
    assert ends(await heard(service, "hello", thread_id="t"))[0].answer.sql is None


@pytest.mark.parametrize("thread_id", ["", "a b", "x" * 129, "../etc", "表"])
async def test_a_thread_id_that_cannot_be_one_is_refused(thread_id: str) -> None:
    failed = ends(await heard(fake_service(), "各大区", thread_id=thread_id or "?"))[0]
    assert failed.code == "invalid_input"


async def test_a_thread_comes_back_whole_from_its_file(tmp_path: Path) -> None:
    first = await SqliteThreads.open(tmp_path / "threads.sqlite")
    await heard(fake_service(threads=first), "各大区", thread_id="t")
    await first.close()
    again = await SqliteThreads.open(tmp_path / "threads.sqlite")
    graph = build(again.saver)
    state = (await graph.aget_state({"configurable": {"thread_id": "t"}})).values
    assert state["answer"].rows == ROWS
    assert type(state["reading"]).__name__ == "Reading"
    assert await again.ping() == "1 threads"
    await again.close()


async def test_a_quality_mode_reaches_the_model_as_another_role() -> None:
    roles: list[str] = []

    class Named:
        name = "named"

        async def complete(self, prompt: str, role: str = "smart", on_token: Any = None) -> Any:
            roles.append(role)

        async def close(self) -> None:
            return

    service = fake_service(llm=Named())
    for mode in ("economy", "premium"):
        context = await service.context(Caller(), mode)
        assert context.llm is not None
        await context.llm.complete("x", "smart" if mode == "economy" else "fast")
    assert roles == ["fast", "smart"]


async def test_the_outside_is_given_back() -> None:
    closed: list[str] = []

    class Closing(FakeWarehouse):
        async def close(self) -> None:
            closed.append("warehouse")

    await fake_outside(warehouse=Closing()).close()
    assert closed == ["warehouse"]


async def stopped(service: Service, warehouse: FakeWarehouse, caller: Caller) -> list[Any]:
    """What the listener hears when `caller` stops the question of thread `t` while its statement runs."""
    listening = asyncio.create_task(heard(service, "慢", thread_id="t"))
    await warehouse.busy.wait()
    await service.cancel("t", caller=caller)
    assert (warehouse.running, warehouse.stopped) == (0, 1)
    return await listening


async def test_the_stop_button_ends_the_statement_and_the_listener_hears_it() -> None:
    warehouse = FakeWarehouse()
    service = fake_service(warehouse=warehouse)
    events = await stopped(service, warehouse, Caller())
    assert [event.code for event in ends(events)] == ["cancelled"]
    assert isinstance(events[-1], Done)
    assert isinstance(ends(await heard(service, "各大区", thread_id="t"))[0], Result)


async def test_nobody_stops_the_question_of_another_caller() -> None:
    warehouse = FakeWarehouse()
    service = fake_service(warehouse=warehouse)
    async with aclosing(service.ask("慢", thread_id="t")) as events:
        await anext(events)
        with pytest.raises(NothingRuns):
            await service.cancel("t", caller=Caller(name="other"))


async def test_a_thread_where_nothing_runs_cannot_be_stopped() -> None:
    with pytest.raises(NothingRuns):
        await fake_service().cancel("t")


async def test_a_question_in_the_queue_can_be_stopped_and_gives_its_turn_away() -> None:
    service = fake_service(gate=Gate(most=1, queue=2))
    async with aclosing(service.ask("慢", thread_id="t")) as first:
        await anext(first)
        waiting = asyncio.create_task(heard(service, "各大区", thread_id="u"))
        await asyncio.sleep(0.01)
        await service.cancel("u")
        assert ends(await waiting)[0].code == "cancelled"
    assert isinstance(ends(await heard(service, "各大区"))[0], Result)
