"""Several warehouses in one settings file: a question runs on exactly one of them, and it is said which."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from api.bootstrap import index_stores, open_outside
from api.settings import Settings, load_settings
from api.several import Several, opened
from data_agent.catalog.load import load_catalog
from data_agent.domain.caller import Caller
from data_agent.errors import InvalidSettings
from data_agent.events import Failed, HumanReviewRequest, Result
from data_agent.reading.named import Named
from tests.fakes.embedder import FakeEmbedder

SETTINGS = """
warehouses:
  shop:
    url: duckdb:///shop.duckdb
    catalog: shop.yaml
    description: orders of the shop
    words: [shop, 商城]
  people:
    url: duckdb:///people.duckdb
    catalog: people.yaml
    policy: people_policy.yaml
    words: [staff]
stores: {path: stores}
calendar: {now: "2026-07-01T09:00:00+08:00"}
"""
SHOP = """
name: shop
tables:
  - name: orders
    role: fact
    aliases: [订单]
    time_column: created_at
    columns:
      - {name: order_id, type: integer, role: primary_key}
      - {name: city, type: text, aliases: [城市], sync: true}
      - {name: amount, type: decimal}
      - {name: created_at, type: date}
metrics:
  - {name: sales, aliases: [销售额], expression: SUM(orders.amount), format: currency}
  - {name: orders_count, aliases: [数量], expression: COUNT(orders.order_id)}
"""
PEOPLE = """
name: people
tables:
  - name: staff
    role: fact
    aliases: [员工]
    columns:
      - {name: staff_id, type: integer, role: primary_key}
      - {name: office, type: text, aliases: [办公室], sync: true}
      - {name: salary, type: decimal}
metrics:
  - {name: pay, aliases: [工资总额], expression: SUM(staff.salary), format: currency}
  - {name: headcount, aliases: [人数, 数量], expression: COUNT(staff.staff_id)}
"""
POLICY = """
roles:
  - {name: analyst, allow: ["*"]}
  - {name: clerk, allow: ["*"], deny: [staff.salary]}
"""


def written(folder: Path) -> Path:
    for name, text in (
        ("shop.yaml", SHOP),
        ("people.yaml", PEOPLE),
        ("people_policy.yaml", POLICY),
        ("s.yaml", SETTINGS),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    with duckdb.connect(folder / "shop.duckdb") as shop:
        shop.execute("CREATE TABLE orders (order_id INT, city VARCHAR, amount DECIMAL(9,2), created_at DATE)")
        shop.execute("INSERT INTO orders VALUES (1, '上海', 10, '2026-06-01'), (2, '北京', 5, '2026-06-02')")
    with duckdb.connect(folder / "people.duckdb") as people:
        people.execute("CREATE TABLE staff (staff_id INT, office VARCHAR, salary DECIMAL(9,2))")
        people.execute("INSERT INTO staff VALUES (1, '杭州', 100), (2, '杭州', 200), (3, '成都', 50)")
    return folder / "s.yaml"


async def indexed(settings: Settings) -> None:
    for one in settings.each().values():
        outside = await open_outside(one, embedder=FakeEmbedder())
        await index_stores(one, outside, load_catalog(one.catalog)[0])
        await outside.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("several"))


@pytest.fixture
async def service(file: Path) -> AsyncIterator[Several]:
    settings = load_settings(file, {})
    if not (file.parent / "stores").exists():
        await indexed(settings)
    async with opened(settings, embedder=FakeEmbedder()) as found:
        assert isinstance(found, Several)
        yield found


async def end(asking: Any) -> Result | Failed:
    events = [event async for event in asking]
    (found,) = [event for event in events if isinstance(event, Result | Failed)]
    assert events[-1].type == "done"
    return found


@pytest.mark.parametrize(
    ("question", "warehouse", "rows"),
    [
        ("各城市的销售额", "shop", 2),
        ("各办公室的人数", "people", 2),
        ("杭州的人数", "people", 1),
        ("商城的数量", "shop", 1),
        ("staff 数量", "people", 1),
    ],
)
async def test_a_question_goes_where_its_words_are_known(service, question, warehouse, rows):
    found = await end(service.ask(question))
    assert (found.answer.warehouse, found.answer.path, found.answer.row_count) == (warehouse, "reading", rows)


async def test_a_warehouse_that_is_given_is_taken(service):
    answers = [(await end(service.ask("数量", warehouse=name))).answer for name in ("shop", "people")]
    assert [(answer.warehouse, answer.rows[0][-1]) for answer in answers] == [("shop", 2), ("people", 3)]


async def test_an_unknown_warehouse_is_named_with_those_there_are(service):
    found = await end(service.ask("数量", warehouse="moon"))
    assert (found.code, "shop, people" in found.hint) == ("invalid_input", True)


async def test_a_close_call_is_asked_back_and_the_choice_goes_on(service):
    events = [event async for event in service.ask("数量是多少", thread_id="close-1")]
    (review,) = [event for event in events if isinstance(event, HumanReviewRequest)]
    choices = review.ambiguities[0].choices
    assert [(each.id, each.kind, each.detail) for each in choices] == [
        ("warehouse:shop", "warehouse", "orders of the shop"),
        ("warehouse:people", "warehouse", ""),
    ]
    assert events[-2].answer.path == "clarify"
    wrong = await end(service.resume("close-1", {"warehouse": "warehouse:moon"}))
    assert wrong.code == "unknown_choice"
    found = await end(service.resume("close-1", {"warehouse": "warehouse:people"}))
    assert (found.answer.warehouse, found.answer.rows[0][-1]) == ("people", 3)


async def test_a_choice_may_come_with_the_question(service):
    found = await end(service.ask("数量是多少", choices={"warehouse": "warehouse:people"}))
    assert found.answer.warehouse == "people"


async def test_a_conversation_stays_on_its_warehouse_even_after_a_restart(service, file):
    first = await end(service.ask("商城的数量", thread_id="stay-1"))
    assert first.answer.warehouse == "shop"
    async with opened(load_settings(file, {}), embedder=FakeEmbedder()) as again:
        found = await end(again.ask("数量", thread_id="stay-1"))
    assert (found.answer.warehouse, found.answer.rows) == ("shop", ((2,),))


async def test_a_greeting_is_not_asked_which_warehouse(service):
    assert (await end(service.ask("你好"))).answer.path == "chitchat"


async def test_each_warehouse_has_its_own_policy(service):
    clerk = Caller(role="clerk")
    found = await end(service.ask("数量", caller=clerk))
    assert found.answer.warehouse == "people"
    hidden = await end(service.ask("工资总额", caller=clerk, warehouse="people"))
    assert not (hidden.answer and hidden.answer.rows)
    nowhere = await end(service.ask("数量", caller=Caller(role="nobody")))
    assert nowhere.code == "not_permitted"


async def test_measuring_by_name_finds_its_warehouse_or_asks_for_it(service):
    found = await end(service.measure(Named(metrics=("工资总额",))))
    assert (found.answer.warehouse, str(found.answer.rows[0][0])) == ("people", "350.00")
    unclear = await end(service.measure(Named(metrics=("数量",))))
    assert (unclear.code, "shop, people" in unclear.hint) == ("invalid_input", True)
    given = await end(service.measure(Named(metrics=("数量",)), warehouse="shop"))
    assert given.answer.rows == ((2,),)


async def test_one_warehouse_that_is_down_leaves_the_other_answering(tmp_path):
    settings = load_settings(written(tmp_path), {})
    await indexed(settings)
    (tmp_path / "stores" / "people" / "metadata.sqlite").unlink()
    async with opened(settings, embedder=FakeEmbedder()) as service:
        assert (await end(service.ask("数量"))).answer.warehouse == "shop"
        states = {each.name: each.state for each in (await ready(service)).components}
    assert (states["shop/metadata"], states["people/metadata"]) == ("ok", "fail")


async def ready(service):
    from api.health import all_ready

    return await all_ready(service.outsides)


async def test_a_single_warehouse_takes_its_own_name_and_no_other(file):
    one = load_settings(file, {}).each()["people"]
    async with opened(one, embedder=FakeEmbedder()) as service:
        assert (await end(service.ask("数量", warehouse="people"))).answer.warehouse == "people"
        assert (await end(service.ask("数量", warehouse="shop"))).code == "invalid_input"


def test_each_warehouse_has_stores_and_files_of_its_own(tmp_path):
    settings = load_settings(written(tmp_path), {})
    each = settings.each()
    assert [one.stores.path.name for one in each.values()] == ["shop", "people"]
    assert [one.stores.name for one in each.values()] == ["data-agent-shop", "data-agent-people"]
    assert each["people"].policy == tmp_path / "people_policy.yaml"
    assert each["shop"].policy is None
    assert settings.warehouse.name == "shop"
    assert settings.catalog == tmp_path / "shop.yaml"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("stores:", "catalog: shop.yaml\nstores:"), "write either `warehouses` or `catalog`"),
        (("    catalog: shop.yaml\n", ""), "warehouses.shop.catalog: is required"),
        (("url: duckdb:///people", "url: oracle:///people"), "warehouses.people.url: must start with duckdb"),
        (("  shop:", "  Shop One:"), "warehouses.Shop One"),
        (("words: [staff]", "word: [staff]"), "warehouses.people.word: there is no such field"),
    ],
)
def test_a_mistake_is_told_where_it_is_written(tmp_path, change, said):
    path = written(tmp_path)
    path.write_text(SETTINGS.replace(*change, 1), encoding="utf-8")
    with pytest.raises(InvalidSettings) as caught:
        load_settings(path, {})
    assert said in caught.value.message
    assert len(caught.value.message.splitlines()) == 1
