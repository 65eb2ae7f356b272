"""A word of several meanings stops the question; a person's choice goes on with it, and the thread remembers."""

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from api.service import Service
from api.threads import SqliteThreads, serializer
from data_agent.domain.answer import Answer
from data_agent.domain.value import Value
from data_agent.events import Failed, HumanReviewRequest, NodeStart, Progress, Result
from data_agent.graphs.assistant import build
from data_agent.options import Options
from data_agent.reading.lexicon import Lexicon
from tests.cases.shop import CATALOG, link
from tests.fakes.graph import FakeMetadata, FakeThreads, fake_outside
from tests.fakes.run import World
from tests.fakes.warehouse import FakeWarehouse, Told

BRAND, CATEGORY = "column:products.brand=苹果", "column:products.category=苹果"
QUESTION = "苹果的销量"
ROWS = Told(names=("n",), rows=((7,),))


class TwoApples:
    """苹果 stands in two columns."""

    async def stamp(self) -> None:
        return None

    async def parts(self) -> dict[str, Any]:
        return {}

    async def search(self, words: object, limit: int) -> list[Value]:
        return [Value(table="products", column=column, text="苹果", word="苹果") for column in ("brand", "category")]


async def shop(threads: Any = None, **more: Any) -> Service:
    """The real graph over fakes, with an ambiguous word."""
    world = await World().indexed()
    catalog = more.pop("catalog", CATALOG)
    parts = {
        "warehouse": FakeWarehouse(otherwise=ROWS),
        "metadata": FakeMetadata(catalog),
        "column_index": world.column_index,
        "metric_index": world.metric_index,
        "value_index": TwoApples(),
        "embedder": world.embedder,
        "threads": threads or FakeThreads(InMemorySaver(serde=serializer())),
    }
    outside = fake_outside(**{**parts, **more})
    return Service(outside=outside, graph=build(outside.threads.saver), lexicon_of=Lexicon.of, options=Options())


async def all_of(events: Any) -> list[Any]:
    return [event async for event in events]


async def asked(service: Service, query: str = QUESTION, **how: Any) -> Answer:
    end = (await all_of(service.ask(query, **how)))[-2]
    assert isinstance(end, Result), end
    return end.answer


async def resumed(service: Service, choices: dict[str, str], thread: str = "t") -> Any:
    return (await all_of(service.resume(thread, choices)))[-2]


async def test_a_word_of_two_meanings_stops_the_question_with_counted_choices() -> None:
    service = await shop()
    events = await all_of(service.ask(QUESTION, thread_id="t"))
    asking = [event for event in events if isinstance(event, HumanReviewRequest)]
    answer = events[-2].answer
    assert [(event.kind, event.thread_id) for event in asking] == [("clarify", "t")]
    assert answer.path == "clarify" and "苹果" in answer.summary
    assert [(choice.id, choice.count) for choice in answer.choices[0].choices] == [(BRAND, 7), (CATEGORY, 7)]
    statuses = [event.status for event in events if isinstance(event, Progress) and event.step == "choose_meaning"]
    assert statuses == ["running", "waiting"]


async def test_a_choice_goes_on_with_the_same_question_and_says_what_it_meant() -> None:
    """The case q275."""
    service = await shop()
    await asked(service, thread_id="t")
    events = await all_of(service.resume("t", {"苹果": BRAND}))
    answer = events[-2].answer
    assert (answer.question, answer.path, answer.rows) == (QUESTION, "reading", ((7,),))
    assert [(part.column, part.values) for part in answer.reading.filters] == [("products.brand", ("苹果",))]
    assert any("苹果" in warning and "选择" in warning for warning in answer.warnings)
    assert "classify_intent" not in [event.node for event in events if isinstance(event, NodeStart)]


async def test_a_choice_is_remembered_for_its_thread_only() -> None:
    service = await shop()
    await asked(service, thread_id="t")
    await resumed(service, {"苹果": CATEGORY})
    again = await asked(service, "苹果的销量是多少", thread_id="t")
    assert again.reading is not None and again.reading.filters[0].column == "products.category"
    assert any("选择" in warning for warning in again.warnings)
    assert (await asked(service, thread_id="other")).path == "clarify"


async def test_a_choice_given_with_the_question_is_remembered_too() -> None:
    service = await shop()
    assert (await asked(service, thread_id="t", choices={"苹果": BRAND})).path == "reading"
    assert (await asked(service, thread_id="t")).path == "reading"


@pytest.mark.parametrize("choices", [{"苹果": "column:products.brand=梨"}, {"梨": BRAND}, {}, {"苹果": ""}])
async def test_what_was_not_offered_is_refused_and_the_question_still_waits(choices: dict[str, str]) -> None:
    service = await shop()
    await asked(service, thread_id="t")
    failed = await resumed(service, choices)
    assert (failed.code, failed.status) == ("unknown_choice", 422)
    assert BRAND in failed.hint
    assert isinstance(await resumed(service, {"苹果": BRAND}), Result)


async def test_a_thread_that_waits_for_nothing_cannot_go_on() -> None:
    service = await shop()
    failed = await resumed(service, {"苹果": BRAND}, "never")
    assert (failed.code, failed.status) == ("nothing_waits", 404)
    await asked(service, "各渠道的已支付金额", thread_id="t")
    assert (await resumed(service, {"苹果": BRAND})).code == "nothing_waits"


async def test_a_second_resume_finds_nothing_waiting() -> None:
    service = await shop()
    await asked(service, thread_id="t")
    assert isinstance(await resumed(service, {"苹果": BRAND}), Result)
    assert (await resumed(service, {"苹果": BRAND})).code == "nothing_waits"


async def test_of_two_resumes_at_once_one_goes_on() -> None:
    service = await shop()
    await asked(service, thread_id="t")
    ends = await asyncio.gather(*(resumed(service, {"苹果": choice}) for choice in (BRAND, CATEGORY)))
    assert sorted(getattr(end, "code", end.type) for end in ends) == ["result", "thread_busy"]


async def test_another_question_takes_the_place_of_one_that_waits() -> None:
    service = await shop()
    await asked(service, thread_id="t")
    assert (await asked(service, "各渠道的已支付金额", thread_id="t")).path == "reading"
    assert isinstance(await resumed(service, {"苹果": BRAND}), Failed)


async def test_a_question_still_waits_after_a_restart(tmp_path: Path) -> None:
    first = await SqliteThreads.open(tmp_path / "threads.sqlite")
    await asked(await shop(first), thread_id="t")
    await first.close()
    second = await SqliteThreads.open(tmp_path / "threads.sqlite")
    service = await shop(second)
    assert (await resumed(service, {"苹果": BRAND})).answer.path == "reading"
    assert (await asked(service, thread_id="t")).path == "reading"
    await second.close()


async def test_a_question_that_failed_after_the_choice_can_be_asked_again() -> None:
    warehouse = FakeWarehouse(otherwise=ROWS)
    service = await shop(warehouse=warehouse)
    await asked(service, thread_id="t")
    warehouse.down = True
    assert (await resumed(service, {"苹果": BRAND})).code == "warehouse_unavailable"
    warehouse.down = False
    assert isinstance((await all_of(service.ask(QUESTION, thread_id="t")))[-2], Result)


async def test_a_count_that_takes_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data_agent.nodes.count_choices.SECONDS", 0.05)
    slow = Told(names=("n",), rows=((7,),), seconds=5)
    answer = await asked(await shop(warehouse=FakeWarehouse(otherwise=slow)))
    assert [choice.count for choice in answer.choices[0].choices] == [None, None]


async def test_several_ways_between_tables_are_asked_about_and_the_chosen_one_is_walked() -> None:
    double = CATALOG.model_copy(
        update={"relationships": (*CATALOG.relationships, link("orders.status", "customers.id", "checker"))}
    )
    service = await shop(catalog=double)
    answer = await asked(service, "各大区的订单数", thread_id="t")
    assert answer.path == "clarify"
    (ways,) = answer.choices
    assert all(choice.id.startswith("path:") and choice.kind == "path" for choice in ways.choices)
    end = await resumed(service, {ways.words: "path:checker"})
    assert end.answer.reading.paths == ("checker",)
    assert "status" in end.answer.sql.partition("ON")[2]
    assert any("按您的选择" in warning for warning in end.answer.warnings)
    assert (await asked(service, "各大区的订单数", thread_id="t")).path == "reading"


async def test_leaving_while_it_goes_on_stops_the_statement() -> None:
    warehouse = FakeWarehouse(otherwise=ROWS)
    service = await shop(warehouse=warehouse)
    await asked(service, thread_id="t")
    warehouse.otherwise = Told(names=("n",), rows=((7,),), seconds=20)
    async with aclosing(service.resume("t", {"苹果": BRAND})) as events:
        async for event in events:
            if event.type == "tool_call_start" and event.detail == "fetch":
                break
        await asyncio.sleep(0.05)
    assert len(warehouse.stopped) == 1
