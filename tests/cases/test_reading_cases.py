"""Questions that other systems answered wrongly, asked through the whole service on a real MySQL: right, or honest."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from api.bootstrap import bootstrap, index_stores
from api.service import Service
from api.settings import Calendar, Settings, StoreSettings
from api.warehouse_settings import WarehouseSettings
from data_agent.domain.answer import Answer
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Table
from data_agent.domain.time import CalendarSettings
from data_agent.evaluation.scoring import same_result
from data_agent.events import Failed, Result
from data_agent.reading.lexicon import Lexicon
from data_agent.reading.read import read
from tests.cases.shop import CATALOG, NOW

TOLD: dict[str, dict[str, Any]] = {
    "customers.name": {"sync": True},
    "customers.region": {"sync": True},
    "customers.city": {"aliases": ("城市",), "sync": True},
    "products.category": {"sync": True},
    "products.brand": {"sync": True},
    "orders.order_no": {"aliases": ("订单号",), "sync": True},
    "orders.channel": {"sync": True, "value_aliases": {"天猫": ("淘宝",)}},
    "orders.status": {"aliases": ("状态",), "labels": {"1": "已支付", "2": "已退款", "3": "已取消"}},
}
"""What a person wrote into the catalog besides the bare columns."""


def described(catalog: Catalog) -> Catalog:
    """The shop's catalog with names, labels and the values to be found."""
    names = {"customers": ("客户",), "products": ("商品",)}
    tables = [
        table.model_copy(
            update={
                "columns": tuple(column.model_copy(update=TOLD.get(column.id, {})) for column in table.columns),
                "aliases": names.get(table.name, table.aliases),
                "label_column": "name" if table.name in names else table.label_column,
            }
        )
        for table in catalog.tables
    ]
    copy = Table(name="orders_bak", retired=True, columns=(Column(table="orders_bak", name="id", aliases=("订单",)),))
    return catalog.model_copy(update={"tables": (*tables, copy), "version": "reading-cases"})


@asynccontextmanager
async def shop_service(url: str, folder: Path, now: datetime, fiscal_year_start: int = 1) -> AsyncIterator[Service]:
    settings = Settings(
        warehouse=WarehouseSettings(url=SecretStr(url), name="shop"),
        catalog=folder / "catalog.yaml",
        stores=StoreSettings(path=folder),
        calendar=Calendar(now=now, fiscal_year_start=fiscal_year_start),
    )
    async with bootstrap(settings) as service:
        await index_stores(settings, service.outside, described(CATALOG))
        yield service


async def answer_of(service: Service, question: str, thread_id: str | None = None) -> Answer:
    found: Answer | None = None
    async for event in service.ask(question, thread_id=thread_id):
        if isinstance(event, Result | Failed):
            found = event.answer
    assert found is not None
    return found


RIGHT: list[tuple[str, str, list[tuple[Any, ...]]]] = [
    ("q008", "各品类的已支付金额", [("手机", 10859), ("配件", 70)]),
    ("q009", "今年的订单数", [(7,)]),
    ("q010", "上个月的订单数", [(1,)]),
    ("q010", "last month order count", [(1,)]),
    ("q013", "北京的客户数", [(2,)]),
    ("q035", "3月整体转化率", [("0.827272727273",)]),
    ("q036", "3月30日到31日的访问用户数", [(2,)]),
    ("q037", "3月末库存是多少", [(140,)]),
    ("q040", "3月的实收是多少", [(500,)]),
    ("q076", "各大区订单数", [("华东", 4), ("华北", 3), ("华南", 1), (None, 1)]),
    ("q078", "从未下单的客户数", [(1,)]),
    ("q081", "每个渠道实付金额最高的订单", [("", 8, 20), ("京东", 3, 300), ("天猫", 6, 9999), ("线下", 7, 300)]),
    ("q082", "已支付金额超过250的客户", [("内部测试", 9999), ("丙公司", 300), ("乙公司", 300), ("甲公司", 300)]),
    ("q083", "天猫渠道的实收", [(300,)]),
    ("q086", "已支付金额是多少万元", [("1.0929",)]),
    ("q087", "2026年3月实收同比", [(500, 300, "0.666666666667")]),
    ("q087", "2026年3月实收环比", [(500, 100, 4)]),
    ("q092", "淘宝渠道的订单数", [(3,)]),
    ("q093", "Apple的销量", [(10,)]),
    ("q095", "各品类的下单客户数", [("手机", 4), ("配件", 4)]),
    ("q098", "订单总数", [(9,)]),
    ("q180", "平均实付", [(155,)]),
    ("q181", "净收入", [(250,)]),
    ("q182", "天猫或京东渠道的已退款订单数", [(1,)]),
    ("q226", "2027年1月的已支付金额", [(None,)]),
    ("q075", "有多少笔已支付订单包含手机或配件", [(7,)]),
    (
        "q077",
        "每个客户的取消订单数，没有的显示0",
        [("丙公司", 1), ("丁公司", 0), ("乙公司", 0), ("内部测试", 0), ("戊公司", 0), ("甲公司", 0)],
    ),
    ("q082", "累计实付超过250的客户", [("内部测试", 9999), ("丙公司", 380), ("乙公司", 350), ("甲公司", 300)]),
    ("q086", "已支付总金额是多少万元", [("1.0929",)]),
    ("q182", "天猫或京东渠道的退款订单数", [(1,)]),
    ("q227", "订单N3的金额", [(300,)]),
    ("q227", "订单N3的实付金额", [(300,)]),
]
HONEST = [
    ("q038", "各部门订单数"),
    ("q092", "拼多多渠道的订单数"),
    ("q097", "明天北京会下雨吗"),
]
"""What the reading cannot place: without a model nothing is answered, rather than something else."""


@pytest.fixture(scope="module")
def answers(fixture_database: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    async def asked() -> dict[str, Answer]:
        questions = [question for _, question, _ in RIGHT] + [question for _, question in HONEST] + ["3月每天订单数"]
        async with shop_service(fixture_database, tmp_path_factory.mktemp("stores"), NOW) as service:
            return {question: await answer_of(service, question) for question in questions}

    return asyncio.run(asked())


@pytest.mark.mysql
@pytest.mark.parametrize(("case", "question", "rows"), RIGHT, ids=[f"{case} {question}" for case, question, _ in RIGHT])
def test_the_answer_is_the_right_value(answers, case, question, rows):
    answer = answers[question]
    assert answer.path == "reading", (case, answer.reading)
    assert same_result(rows, answer.rows, ordered=False), (case, answer.sql)


@pytest.mark.mysql
@pytest.mark.parametrize(("case", "question"), HONEST, ids=[f"{case} {question}" for case, question in HONEST])
def test_what_cannot_be_placed_is_not_answered(answers, case, question):
    assert answers[question].path in {"none", "clarify", "declined"}, (case, answers[question].sql)


TALKS: list[tuple[str, tuple[str, str], tuple[str, str], tuple[str, ...]]] = [
    ("q099", ("3月北京已支付金额", "那上海呢"), ("2026-03-01", "2026-04-01"), ("上海市",)),
    ("q099", ("3月北京已支付金额", "那上个月呢"), ("2026-02-01", "2026-03-01"), ("北京市",)),
    ("q099", ("3月北京已支付金额", "订单数呢"), ("2026-03-01", "2026-04-01"), ("北京市",)),
    ("q190", ("3月10日订单数", "今天呢"), ("2026-03-31", "2026-04-01"), ()),
]


async def second_answer(url: str, folder: Path, turns: tuple[str, str]) -> Answer:
    async with shop_service(url, folder, NOW) as service:
        for question in turns[:-1]:
            await answer_of(service, question, thread_id="talk")
        return await answer_of(service, turns[-1], thread_id="talk")


@pytest.mark.mysql
@pytest.mark.parametrize("talk", TALKS, ids=[f"{case} {turns[1]}" for case, turns, _, _ in TALKS])
def test_a_question_that_goes_on_carries_what_it_does_not_say_anew(fixture_database, tmp_path, talk):
    case, turns, expected, values = talk
    answer = asyncio.run(second_answer(fixture_database, tmp_path, turns))
    assert answer.path == "reading" and answer.reading is not None, (case, answer.summary)
    assert [(str(each.range.start), str(each.range.end)) for each in answer.reading.times] == [expected], case
    assert tuple(value for held in answer.reading.filters for value in held.values) == values, case
    assert answer.reading.carried == turns[0]


@pytest.mark.mysql
def test_q193_a_new_topic_keeps_nothing_of_the_old_one(fixture_database, tmp_path):
    answer = asyncio.run(second_answer(fixture_database, tmp_path, ("3月北京已支付金额", "各部门员工人数")))
    assert answer.reading is not None and not answer.reading.carried
    assert not answer.reading.filters and not answer.reading.times
    assert "orders" not in (answer.sql or "")


@pytest.mark.mysql
def test_q128_every_day_of_the_month_is_there(answers):
    days = answers["3月每天订单数"].rows
    assert len(days) == 31
    assert sum(count == 0 for _, count in days) == 26


RANGES = [
    ("q010", "上个月的已支付金额", "2026-03-31", ("2026-02-01", "2026-03-01"), 1),
    ("q012", "last quarter order count", "2026-01-15", ("2025-10-01", "2026-01-01"), 1),
    ("q026", "上周订单数", "2026-01-04", ("2025-12-22", "2025-12-29"), 1),
    ("q089", "本月初到昨天的已支付金额", "2026-03-01", ("2026-03-01", "2026-03-01"), 1),
    ("q185", "3月的已支付金额", "2026-01-15", ("2025-03-01", "2025-04-01"), 1),
    ("q186", "上个季度的订单数", "2026-11-05", ("2026-07-01", "2026-10-01"), 1),
    ("q188", "本财年已支付金额", "2026-03-31", ("2025-04-01", "2026-04-01"), 4),
    ("q189", "4月1日的埋点数", "2026-04-02", ("2026-04-01", "2026-04-02"), 1),
    ("q225", "半年前到现在的订单数", "2026-03-31", ("2025-09-30", "2026-04-01"), 1),
    ("q254", "last fiscal quarter order count", "2026-04-10", ("2026-01-01", "2026-04-01"), 4),
]


@pytest.mark.parametrize(("case", "question", "today", "expected", "fiscal"), RANGES)
def test_a_question_with_a_date_is_read_whole(case, question, today, expected, fiscal):
    catalog = described(CATALOG)
    found = read(
        question,
        catalog=catalog,
        lexicon=Lexicon.of(catalog),
        values=[],
        now=datetime.fromisoformat(f"{today}T09:00:00+08:00"),
        calendar=CalendarSettings(fiscal_year_start=fiscal),
        margin=0.08,
    )
    assert found.complete, (case, found.unplaced)
    assert [(str(each.range.start), str(each.range.end)) for each in found.times] == [expected]
