"""What a statement may cost: over the budget it is refused, or a person is asked first."""

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from data_agent.domain.admitted import AdmittedSql, Plan
from data_agent.errors import UnsafeSql
from data_agent.graphs import assistant
from data_agent.options import Limits, Options
from data_agent.sql.cost import too_expensive
from tests.fakes.run import World
from tests.fakes.warehouse import FakeWarehouse, Told

READ = "各渠道的已支付金额"


def plan_of(rows: int | None, *, unjoined: tuple[str, ...] = (), **limits: Any) -> UnsafeSql | None:
    admitted = AdmittedSql(sql="SELECT 1", dialect="mysql", tables=(), unjoined=unjoined)
    return too_expensive(admitted, Plan(estimated_rows=rows), Limits(**limits))


async def world(rows: int, **limits: Any) -> World:
    warehouse = FakeWarehouse(otherwise=Told(names=("n",), rows=((1,),), estimated_rows=rows))
    return await World(warehouse=warehouse, options=Options(limits=Limits(**limits))).indexed()


def test_an_estimate_is_held_to_the_budget_and_to_nothing_without_one() -> None:
    assert plan_of(101, max_estimated_rows=100) is not None
    assert plan_of(100, max_estimated_rows=100) is None
    assert plan_of(10**12) is None
    assert plan_of(None, max_estimated_rows=100) is None


def test_the_refusal_says_the_estimate_the_budget_and_how_to_narrow_in_both_languages() -> None:
    problem = plan_of(123456, max_estimated_rows=1000)
    assert problem is not None and problem.reason_code == "too_expensive"
    for text in (problem.message, problem.zh):
        assert "123,456" in text and "1,000" in text
    assert "Narrow" in problem.message and "缩小" in problem.zh


def test_a_cross_join_is_too_expensive_when_it_is_large_or_of_unknown_size() -> None:
    large, unknown = plan_of(2_000_000, unjoined=("c",)), plan_of(None, unjoined=("c",))
    assert large is not None and large.reason_code == "crossed" and " c " in large.message
    assert unknown is not None
    assert plan_of(31 * 6, unjoined=("c",)) is None
    assert plan_of(2_000_000, unjoined=("c",), max_crossed_rows=None) is None


async def test_over_the_budget_nothing_runs() -> None:
    asked = await world(5000, max_estimated_rows=100)
    with pytest.raises(UnsafeSql, match="5,000") as refusal:
        await asked.ask(READ, front=True)
    assert refusal.value.reason_code == "too_expensive"
    assert asked.warehouse.fetched == []


@pytest.mark.parametrize("allowed", [True, False])
async def test_a_person_is_asked_and_only_a_yes_runs_it(allowed: bool) -> None:
    asked, saver = await world(5000, max_estimated_rows=100, on_expensive="approve"), InMemorySaver()
    state = await asked.ask(READ, front=True, saver=saver)
    review = state["__interrupt__"][0].value
    assert review.kind == "approve" and "5,000" in review.question
    before = list(asked.warehouse.fetched)
    assert before == []
    graph, config = assistant.build(saver), {"configurable": {"thread_id": "t"}}
    going_on = graph.ainvoke(Command(resume=allowed), config, context=await asked.context())
    if not allowed:
        with pytest.raises(UnsafeSql, match="没有被批准"):
            await going_on
        assert asked.warehouse.fetched == []
        return
    end = await going_on
    assert end["answer"].row_count == 1
    assert len(asked.warehouse.explained) == 2  # what was approved is proven again


async def test_the_next_question_is_not_approved_by_the_last_approval() -> None:
    asked, saver = await world(5000, max_estimated_rows=100, on_expensive="approve"), InMemorySaver()
    await asked.ask(READ, front=True, saver=saver)
    config = {"configurable": {"thread_id": "t"}}
    await assistant.build(saver).ainvoke(Command(resume=True), config, context=await asked.context())
    again = await asked.ask(READ, front=True, saver=saver)
    assert again["__interrupt__"][0].value.kind == "approve"
