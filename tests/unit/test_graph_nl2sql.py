import asyncio

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from api.threads import serializer
from data_agent.catalog.choose import chosen_tables
from data_agent.domain.answer import Rows
from data_agent.domain.reading import Reading
from data_agent.domain.value import Value
from data_agent.errors import (
    CorrectionRepeated,
    CorrectionsExhausted,
    ModelRejected,
    ModelUnavailable,
    NoSql,
    NotUnderstood,
    ReplyTruncated,
    StoreUnavailable,
    WarehouseUnavailable,
)
from data_agent.options import Options
from data_agent.state import DataAgentState, new_turn
from tests.cases.shop import CATALOG
from tests.fakes.indexes import FakeValueIndex
from tests.fakes.run import ONE_ROW, World
from tests.fakes.warehouse import FakeWarehouse, Told

TWELVE = {
    "extract_keywords",
    "recall_column",
    "recall_value",
    "recall_metric",
    "merge_retrieved_info",
    "filter_table",
    "filter_metric",
    "add_extra_context",
    "generate_sql",
    "validate_sql",
    "execute_sql",
}
READ = "各渠道的已支付金额"
UNREAD = "哪些渠道的表现让老板满意"
GOOD = "```sql\nSELECT channel, COUNT(*) FROM orders GROUP BY channel\n```"
BAD = "```sql\nSELECT totally_unknown_thing FROM orders\n```"


class Down:
    """An index whose server is away."""

    async def search(self, *args: object) -> list[object]:
        raise StoreUnavailable("no answer from the index", hint="start it")


class Slow:
    """An index that never answers."""

    async def search(self, *args: object) -> list[object]:
        await asyncio.sleep(60)
        return []


async def test_a_complete_reading_walks_every_node_once_without_a_model() -> None:
    world = await World().indexed()
    state = await world.ask(READ)
    assert state["rows"].rows == ((1,),)
    assert state["written_by"] == "reading"
    assert sorted(world.nodes) == sorted(TWELVE)
    assert len(world.warehouse.explained) == len(world.warehouse.fetched) == 1


async def test_every_node_says_running_and_success() -> None:
    world = await World().indexed()
    await world.ask(READ)
    told = [(event.step, event.status) for event in world.heard("progress")]
    assert set(told) == {(name, status) for name in TWELVE for status in ("running", "success")}


async def test_words_without_a_place_and_no_model_are_named() -> None:
    world = await World().indexed()
    with pytest.raises(NotUnderstood) as caught:
        await world.ask(UNREAD)
    assert "老板" in caught.value.message
    assert world.heard("reasoning")[0].reading.unplaced


async def test_the_model_writes_what_could_not_be_read_and_the_guard_admits_it() -> None:
    world = await World([GOOD]).indexed()
    state = await world.ask(UNREAD)
    assert state["written_by"] == "model"
    assert world.warehouse.fetched == [state["admitted"].sql]
    assert [event.text for event in world.heard("llm_token")] == [GOOD]
    prompt = world.llm.prompts[0]
    assert "2026-03-31" in prompt and "mysql" in prompt and "9.7.0" in prompt and UNREAD in prompt


async def test_a_corrected_statement_is_validated_again_before_it_runs() -> None:
    world = await World([BAD, GOOD]).indexed()
    state = await world.ask(UNREAD)
    assert world.nodes.count("validate_sql") == 2
    assert world.nodes.count("correct_sql") == 1
    assert len(state["attempts"]) == 1
    assert "totally_unknown_thing" in world.llm.prompts[1]


async def test_the_same_statement_again_ends_the_correction_at_once() -> None:
    """The case q062."""
    world = await World([BAD, BAD, GOOD]).indexed()
    with pytest.raises(CorrectionRepeated):
        await world.ask(UNREAD)
    assert len(world.llm.prompts) == 2
    assert not world.warehouse.fetched


async def test_corrections_are_bounded_and_the_last_reason_is_told() -> None:
    """The case q048."""
    replies = [f"```sql\nSELECT unknown_thing_{n} FROM orders\n```" for n in range(5)]
    world = await World(replies, options=Options(max_corrections=2)).indexed()
    with pytest.raises(CorrectionsExhausted, match="unknown_thing_2"):
        await world.ask(UNREAD)
    assert len(world.llm.prompts) == 3
    assert not world.warehouse.explained


@pytest.mark.parametrize("attack", ["DROP TABLE orders", "SELECT SLEEP(9)", "SELECT 1 INTO OUTFILE '/tmp/x'"])
async def test_an_unsafe_statement_never_reaches_the_warehouse(attack: str) -> None:
    world = await World([attack] * 5).indexed()
    with pytest.raises((CorrectionRepeated, NoSql)):
        await world.ask(UNREAD)
    assert not world.warehouse.explained and not world.warehouse.fetched


async def test_a_complaint_of_explain_goes_to_the_correction() -> None:
    complaint = Told(complaint="1055: isn't in GROUP BY", code=1055)
    first = "SELECT channel, COUNT(*) FROM orders GROUP BY channel"
    world = await World([GOOD, "SELECT COUNT(*) FROM orders"]).indexed()
    world.warehouse = FakeWarehouse(otherwise=ONE_ROW)
    plain_told = world.warehouse._told
    world.warehouse._told = lambda sql: complaint if first in sql.sql.replace("`", "") else plain_told(sql)  # type: ignore[method-assign]
    await world.ask(UNREAD)
    assert "1055" in world.llm.prompts[1]


async def test_prose_instead_of_sql_is_an_honest_failure_that_keeps_the_reason() -> None:
    world = await World(["NO_DATA: the schema has no salary data."]).indexed()
    with pytest.raises(NoSql, match="salary"):
        await world.ask(UNREAD)
    assert not world.warehouse.explained


@pytest.mark.parametrize("broken", [Down(), Slow()])
@pytest.mark.parametrize("branch", ["column_index", "metric_index", "value_index"])
async def test_one_failing_recall_branch_degrades_with_a_warning(branch: str, broken: object) -> None:
    """The case q102."""
    world = await World(options=Options(recall_seconds=0.05)).indexed()
    setattr(world, branch, broken)
    state = await world.ask(READ)
    assert state["rows"].rows
    assert [event.source for event in world.heard("warning")] == [branch]


async def test_three_failing_recall_branches_are_a_failure() -> None:
    world = World(column_index=Down(), metric_index=Down(), value_index=Down())
    with pytest.raises(StoreUnavailable, match="recall"):
        await world.ask(READ)


async def test_a_dead_warehouse_and_a_dead_model_say_so() -> None:
    world = await World().indexed()
    world.warehouse.down = True
    with pytest.raises(WarehouseUnavailable):
        await world.ask(READ)
    world = await World([ModelUnavailable("away")]).indexed()
    with pytest.raises(ModelUnavailable):
        await world.ask(UNREAD)


@pytest.mark.parametrize("broken", [ReplyTruncated("cut"), ModelRejected("blocked")])
async def test_half_a_statement_is_never_run(broken: Exception) -> None:
    """The cases q205 and q260, behind the client of the model."""
    world = await World([broken]).indexed()
    with pytest.raises(type(broken)):
        await world.ask(UNREAD)
    assert not world.warehouse.explained and not world.warehouse.fetched


async def test_merge_runs_once_after_all_branches() -> None:
    """The cases q014 and q101."""
    world = await World().indexed()
    await world.ask(READ)
    assert world.nodes.count("merge_retrieved_info") == 1
    assert world.nodes.count("add_extra_context") == 1


async def test_candidates_over_the_budget_are_chosen_by_the_model_and_cut_by_code() -> None:
    replies = [{"tables": ["Orders", "invented_table"], "columns": []}, {"metrics": ["1"]}, GOOD]
    world = await World(replies, options=Options(token_budget=10)).indexed()
    state = await world.ask(UNREAD)
    assert len(world.llm.prompts) == 3
    assert "orders" in {table.name for table in state["tables"]}
    assert "invented_table" not in {table.name for table in state["tables"]}


async def test_an_empty_choice_keeps_the_candidates() -> None:
    world = await World([{"tables": []}, {"metrics": []}, GOOD], options=Options(token_budget=10)).indexed()
    state = await world.ask(UNREAD)
    assert state["tables"]


async def test_a_thread_does_not_leak_one_question_into_the_next() -> None:
    """The case q047."""
    saver = InMemorySaver(serde=serializer())
    world = await World([BAD, GOOD]).indexed()
    first = await world.ask(UNREAD, saver=saver)
    assert first["attempts"]
    second = await world.ask(READ, saver=saver)
    assert second["attempts"] == [] and second["written_by"] == "reading" and second["sql_error"] == ""


async def test_every_state_key_comes_back_equal_from_a_checkpoint() -> None:
    """The case q201."""
    saver = InMemorySaver(serde=serializer())
    world = await World().indexed()
    live = await world.ask(READ, saver=saver)
    kind, stored = serializer().dumps_typed(dict(live))
    back: DataAgentState = serializer().loads_typed((kind, stored))
    for key, value in live.items():
        assert back[key] == value and type(back[key]) is type(value), key  # type: ignore[literal-required]


def test_a_new_turn_sets_every_key_that_a_question_writes() -> None:
    later = {"decision", "answer", "previous"}
    assert set(new_turn("x")) == set(DataAgentState.__annotations__) - later
    assert new_turn("x")["rows"] == Rows() and new_turn("x")["reading"] == Reading(question="x", language="zh")


async def test_values_outside_the_callers_view_are_dropped() -> None:
    class Leaky(FakeValueIndex):
        async def search(self, words: object, limit: int) -> list[Value]:
            return [Value(table="salaries", column="name", text="张三", word="张三", score=1.0)]

    world = await World(value_index=Leaky()).indexed()
    state = await world.ask(READ)
    assert state["recalled_values"] == []


def test_chosen_tables_keep_the_bridge_between_them() -> None:
    joins = tuple(CATALOG.relationships)
    kept = chosen_tables(CATALOG.tables, ["orders", "products"], [], joins, ())
    assert {"orders", "products", "order_items"} <= {table.name for table in kept}


def test_chosen_columns_never_lose_keys() -> None:
    kept = chosen_tables(CATALOG.tables, [], ["orders.channel"], CATALOG.relationships, ())
    orders = next(table for table in kept if table.name == "orders")
    assert {"id", "channel", "customer_id"} <= {column.name for column in orders.columns}
    assert "discount" not in {column.name for column in orders.columns}
