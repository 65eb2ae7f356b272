"""Several warehouses of different kinds: MySQL and DuckDB behind one door."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import duckdb
import pytest

from api.settings import load_settings
from api.several import Several, opened
from tests.fakes.embedder import FakeEmbedder
from tests.servers import own_database, run_sql
from tests.unit.test_several_warehouses import PEOPLE, POLICY, SETTINGS, SHOP, end, indexed, ready

pytestmark = pytest.mark.mysql


@pytest.fixture
def shop_url(mysql_url) -> Iterator[str]:
    with own_database(mysql_url) as url:
        run_sql(
            url,
            """CREATE TABLE orders (order_id INT, city VARCHAR(20), amount DECIMAL(9,2), created_at DATE);
INSERT INTO orders VALUES (1, '上海', 10, '2026-06-01'), (2, '北京', 5, '2026-06-02')
""",
        )
        yield url


@pytest.fixture
async def service(tmp_path: Path, shop_url: str) -> AsyncIterator[Several]:
    with duckdb.connect(tmp_path / "people.duckdb") as people:
        people.execute("CREATE TABLE staff (staff_id INT, office VARCHAR, salary DECIMAL(9,2))")
        people.execute("INSERT INTO staff VALUES (1, '杭州', 100), (2, '杭州', 200), (3, '成都', 50)")
    texts = {"shop.yaml": SHOP, "people.yaml": PEOPLE, "people_policy.yaml": POLICY}
    texts["s.yaml"] = SETTINGS.replace("duckdb:///shop.duckdb", shop_url)
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    settings = load_settings(tmp_path / "s.yaml", {})
    await indexed(settings)
    async with opened(settings, embedder=FakeEmbedder()) as found:
        assert isinstance(found, Several)
        yield found


@pytest.mark.parametrize(
    ("question", "warehouse", "dialect", "rows"),
    [
        ("各城市的销售额", "shop", "mysql", 2),
        ("上海的销售额", "shop", "mysql", 1),
        ("各办公室的人数", "people", "duckdb", 2),
    ],
)
async def test_each_question_runs_in_the_dialect_of_its_warehouse(service, question, warehouse, dialect, rows):
    answer = (await end(service.ask(question))).answer
    assert (answer.warehouse, answer.dialect, answer.row_count) == (warehouse, dialect, rows)


async def test_a_close_call_between_servers_is_asked_back(service):
    answer = (await end(service.ask("数量是多少", thread_id="t-1"))).answer
    assert [choice.label for choice in answer.choices[0].choices] == ["shop", "people"]
    chosen = (await end(service.resume("t-1", {"warehouse": "warehouse:shop"}))).answer
    assert (chosen.warehouse, chosen.rows) == ("shop", ((2,),))


async def test_both_are_ready(service):
    states = {each.name: each.state for each in (await ready(service)).components}
    assert states["shop/warehouse"] == states["people/warehouse"] == "ok"
