"""An empty answer names what removed the rows; every answer says how fresh its data is."""

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from api.clock import HeldClock
from data_agent.answers.emptiness import is_empty
from data_agent.domain.answer import Answer, Rows
from data_agent.domain.reading import Reading, ReadMetric
from data_agent.nodes.find_newest import KEPT, find_newest
from data_agent.sql.weaken import without_each
from data_agent.state import new_turn
from repositories.embedded.warehouse import DuckDBWarehouse
from tests.cases.shop import NOW
from tests.fakes.run import World
from tests.fakes.warehouse import FakeWarehouse, Told

ORDERS = """
CREATE TABLE customers (id INT, name VARCHAR, region VARCHAR, city VARCHAR, level VARCHAR, is_test INT);
INSERT INTO customers VALUES (1, '甲', '华北', '北京市', 'A', 0), (2, '乙', '华东', '上海市', 'A', 0);
CREATE TABLE orders (id INT, order_no VARCHAR, customer_id INT, status INT, pay_amount DECIMAL(12,2),
  discount DECIMAL(5,2), channel VARCHAR, created_at TIMESTAMP, paid_at TIMESTAMP, rank INT, "group" VARCHAR);
INSERT INTO orders VALUES (1, 'N1', 1, 1, 100, NULL, '天猫', '2026-02-28 23:59:59', NULL, 1, 'a'),
  (2, 'N2', 2, 1, 300, NULL, '京东', '2026-03-31 18:30:00', NULL, 1, 'a');
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(ORDERS)
    return path


async def asked(file: Path, question: str, replies: Any = None) -> tuple[Answer, World]:
    world = await World(replies).indexed()
    world.warehouse = DuckDBWarehouse(file)  # type: ignore[assignment]
    try:
        return (await world.ask(question, front=True))["answer"], world
    finally:
        await world.warehouse.close()


def rows(*found: tuple[object, ...]) -> Rows:
    return Rows(rows=found)


@pytest.mark.parametrize(
    ("found", "dimensions", "empty"),
    [
        (rows(), 0, True),
        (rows((None,)), 0, True),
        (rows((0,)), 0, True),
        (rows(("0.00",)), 0, True),
        (rows(("天猫", None), ("京东", 0)), 1, True),
        (rows(("天猫", None), ("京东", "0.01")), 1, False),
        (rows(("天猫",)), 1, False),
        (rows((False,)), 0, False),
    ],
)
def test_a_result_is_empty_when_no_number_in_it_says_anything(found: Rows, dimensions: int, empty: bool) -> None:
    assert is_empty(found, dimensions) is empty


async def test_every_answer_says_how_fresh_its_data_is(file: Path) -> None:
    answer, _ = await asked(file, "各渠道的已支付金额")
    assert (answer.row_count, answer.freshness) == (2, "2026-03-31")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("2027年1月的已支付金额", "2027年1月 还没有数据：最新的数据到 2026-03-31。"),
        ("2027年1月各渠道的订单数", "2027年1月 还没有数据：最新的数据到 2026-03-31。"),
        ("order count in 2027", "There is no data for 2027 yet: the newest is of 2026-03-31."),
    ],
)
async def test_a_range_after_the_newest_data_says_so_and_gives_no_other_reason(
    file: Path, question: str, told: str
) -> None:
    answer, world = await asked(file, question)
    assert answer.summary.endswith(told)
    assert sum(word in answer.summary for word in ("去掉", "Without", "可能")) == 0
    assert world.nodes[-3:] == ["find_newest", "explain_empty", "give_answer"]


async def test_a_range_before_the_data_names_the_months_that_have_some(file: Path) -> None:
    answer, _ = await asked(file, "2019年3月的已支付金额")
    assert answer.summary.endswith("去掉时间条件就有数据：2026-02 至 2026-03。")


async def test_a_limit_no_group_reaches_is_named_alone(file: Path) -> None:
    answer, _ = await asked(file, "2026年3月已支付金额高于9000的渠道")
    assert answer.rows == ()
    assert answer.summary.endswith("有数据，但没有一组达到所要求的数值。")


async def test_the_condition_of_a_model_that_removed_the_rows_is_found(file: Path) -> None:
    sql = "```sql\nSELECT order_no FROM orders WHERE status = 1 AND channel = '拼多多'\n```"
    answer, _ = await asked(file, "让老板满意的渠道的订单数", [sql])
    assert answer.path == "model"
    assert "channel = '拼多多'" in answer.summary and "status = 1" not in answer.summary


async def test_an_answer_with_rows_asks_nothing_more() -> None:
    world = await World(warehouse=FakeWarehouse(otherwise=Told(names=("n",), rows=((5,),)))).indexed()
    await world.ask("订单数", front=True)
    assert len(world.warehouse.fetched) == 2


def test_each_condition_of_the_outermost_where_is_left_out_once() -> None:
    found = list(without_each("SELECT a FROM t WHERE x = 1 AND y = 2 ORDER BY a LIMIT 9", "mysql", 6))
    assert [condition for condition, _ in found] == ["x = 1", "y = 2"]
    assert found[0][1] == "SELECT a FROM t WHERE y = 2 ORDER BY a LIMIT 1"
    assert list(without_each("SELECT a FROM t", "mysql", 6)) == list(without_each("SELECT (", "mysql", 6)) == []
    assert len(list(without_each("SELECT a FROM t WHERE " + " AND ".join(["x = 1"] * 9), "mysql", 6))) == 6


async def test_the_newest_day_is_asked_once_in_five_minutes_and_per_catalog() -> None:
    world = await World(
        warehouse=FakeWarehouse(otherwise=Told(names=("n",), rows=(("2026-03-31 10:00:00",),)))
    ).indexed()
    context = await world.context()
    reading = Reading(question="x", language="zh", metrics=(ReadMetric(words="", metric="orders"),))
    state = {**new_turn("x"), "reading": reading}

    async def newest(**changes: Any) -> str:
        runtime: Any = SimpleNamespace(context=_with(context, **changes), stream_writer=lambda _: None)
        return (await find_newest(state, runtime))["newest"]  # type: ignore[arg-type]

    assert await newest() == await newest() == "2026-03-31"
    assert len(world.warehouse.fetched) == 1
    await newest(clock=HeldClock(NOW + KEPT + timedelta(seconds=1), "Asia/Shanghai"))
    await newest(catalog=context.catalog.model_copy(update={"version": "2"}))
    assert len(world.warehouse.fetched) == 3


async def test_a_warehouse_that_cannot_tell_the_newest_day_still_answers() -> None:
    world = await World(warehouse=FakeWarehouse(otherwise=Told(names=("n",), rows=((None,),)))).indexed()
    answer = (await world.ask("订单数", front=True))["answer"]
    assert answer.freshness == ""


def _with(context: Any, **changes: Any) -> Any:
    from dataclasses import replace

    return replace(context, **changes)
