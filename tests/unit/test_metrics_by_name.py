"""A reading spelled by names: what the names mean, what is asked back, and the one way to the warehouse."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from typing import Any

import httpx
import jsonschema
import pytest

from api.app import create_app
from api.service import Service
from api.settings import ServerSettings
from data_agent.domain.reading import Ambiguity, Reading
from data_agent.domain.time import CalendarSettings
from data_agent.errors import UnknownName
from data_agent.reading.lexicon import Lexicon
from data_agent.reading.named import Named, reading_of
from tests.cases.shop import CATALOG, NOW
from tests.fakes.warehouse import FakeWarehouse, Told
from tests.unit.test_clarify import ROWS, shop

LEXICON = Lexicon.of(CATALOG)


def read(**named: Any) -> Reading:
    return reading_of(Named(**named), lexicon=LEXICON, now=NOW, calendar=CalendarSettings())


def test_metrics_dimensions_and_times_are_found_by_label_alias_and_full_name() -> None:
    reading = read(metrics=("已支付金额", "orders"), by=("渠道", "customers.region", "月"), time="2026-Q1")
    assert [metric.metric for metric in reading.metrics] == ["paid", "orders"]
    assert [(place.column, place.grain) for place in reading.dimensions] == [
        ("orders.channel", None),
        ("customers.region", None),
        ("", "month"),
    ]
    assert reading.times[0].range.start == date(2026, 1, 1)
    assert reading.complete


@pytest.mark.parametrize(
    ("where", "column", "operator", "values"),
    [
        ("渠道=天猫", "orders.channel", "=", ("天猫",)),
        ("渠道 = 天猫|京东", "orders.channel", "in", ("天猫", "京东")),
        ("渠道!=天猫｜京东", "orders.channel", "not_in", ("天猫", "京东")),
        ("orders.pay_amount>=100.5", "orders.pay_amount", ">=", (100.5,)),
        ("orders.status=1", "orders.status", "=", (1,)),
        ("customers.name~%公司%", "customers.name", "like", ("%公司%",)),
        ("渠道=a=b", "orders.channel", "=", ("a=b",)),
        ("渠道=", "orders.channel", "=", ("",)),
    ],
)
def test_a_condition_is_a_name_a_sign_and_values(where: str, column: str, operator: str, values: Any) -> None:
    (condition,) = read(metrics=("orders",), where=(where,)).filters
    assert (condition.column, condition.operator, condition.values) == (column, operator, values)


def test_a_condition_on_an_asked_metric_comes_after_aggregation() -> None:
    (having,) = read(metrics=("订单数",), by=("渠道",), where=("订单数>=2",)).having
    assert (having.metric, having.operator, having.values) == (0, ">=", (2,))


def test_order_and_limit_keep_the_first() -> None:
    reading = read(metrics=("订单数",), by=("渠道",), order=("订单数 asc", "渠道"), limit=3)
    assert [(one.metric, one.dimension, one.descending) for one in reading.order] == [(0, None, False), (None, 0, True)]
    assert reading.limit == 3


@pytest.mark.parametrize(
    "named",
    [
        {"metrics": ("已支付金",)},
        {"metrics": ("渠道",)},
        {"metrics": ("orders",), "by": ("渠到",)},
        {"metrics": ("orders",), "where": ("渠道",)},
        {"metrics": ("orders",), "where": ("orders.pay_amount>=x",)},
        {"metrics": ("orders",), "where": ("渠道>a|b",)},
        {"metrics": ("orders",), "time": "hello"},
        {"metrics": ("orders",), "order": ("渠道",)},
    ],
)
def test_what_means_nothing_is_named(named: dict[str, Any]) -> None:
    with pytest.raises(UnknownName):
        read(**named)


def test_an_unknown_name_comes_with_the_nearest() -> None:
    with pytest.raises(UnknownName) as caught:
        read(metrics=("已支付金",))
    assert "已支付金额" in caught.value.hint


def test_a_name_of_two_meanings_is_asked_about_until_it_is_chosen() -> None:
    reading = read(metrics=("orders",), by=("name",))
    (ambiguity,) = reading.ambiguities
    assert {choice.id for choice in ambiguity.choices} >= {"column:customers.name", "column:products.name"}
    chosen = read(metrics=("orders",), by=("name",), choices={"name": "column:products.name"})
    assert chosen.dimensions[0].column == "products.name" and chosen.complete


@asynccontextmanager
async def door(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    @asynccontextmanager
    async def opening() -> AsyncIterator[Service]:
        yield service

    app = create_app(opening, ServerSettings())
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://door") as client:
            yield client


async def posted(body: dict[str, Any], warehouse: FakeWarehouse | None = None) -> httpx.Response:
    async with door(await shop(warehouse=warehouse or FakeWarehouse(otherwise=ROWS))) as client:
        return await client.post("/api/metrics/query", json=body)


async def test_names_become_one_proven_statement_and_rows_without_a_model() -> None:
    warehouse = FakeWarehouse(otherwise=ROWS)
    answer = (await posted({"metrics": ["订单数"], "where": ["渠道=天猫"], "time": "2026-03"}, warehouse)).json()
    assert (answer["path"], answer["rows"], answer["model_calls"]) == ("reading", [[7]], 0)
    assert "channel = '天猫'" in answer["sql"]
    assert len(warehouse.explained) == 1
    assert [step["name"] for step in answer["steps"]][:3] == ["generate_sql", "validate_sql", "execute_sql"]


async def test_the_reading_of_an_answer_can_be_sent_back() -> None:
    first = (await posted({"metrics": ["订单数"], "by": ["渠道"]})).json()
    again = (await posted({"reading": first["reading"]})).json()
    assert again["sql"] == first["sql"]


async def test_a_name_of_two_meanings_comes_back_as_choices() -> None:
    answer = (await posted({"metrics": ["orders"], "by": ["name"]})).json()
    assert answer["path"] == "clarify"
    assert [Ambiguity.model_validate(one).words for one in answer["choices"]] == ["name"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"metrics": ["nope"]}, "unknown_name"),
        ({"metrics": []}, "not_understood"),
        ({"metrics": ["订单数"], "limit": 0}, "invalid_request"),
        ({"metrics": ["订单数"], "sql": "DROP TABLE orders"}, "invalid_request"),
        (
            {"reading": {"question": "x", "language": "zh", "metrics": [{"words": "", "metric": "nope"}]}},
            "cannot_answer",
        ),
        (
            {
                "reading": {
                    "question": "x",
                    "language": "zh",
                    "metrics": [{"words": "", "metric": "orders"}],
                    "order": [{"metric": 5}],
                }
            },
            "unknown_name",
        ),
    ],
)
async def test_what_cannot_be_measured_is_a_problem_with_a_code(body: dict[str, Any], code: str) -> None:
    reply = await posted(body)
    assert (reply.status_code, reply.json()["code"]) == (422, code)


async def test_personal_columns_are_not_listed() -> None:
    customers = CATALOG.table("customers")
    assert customers is not None
    hidden = tuple(c.model_copy(update={"personal": c.name == "name"}) for c in customers.columns)
    tables = tuple(t.model_copy(update={"columns": hidden}) if t.name == "customers" else t for t in CATALOG.tables)
    service = await shop(catalog=CATALOG.model_copy(update={"tables": tables, "version": "p"}))
    async with door(service) as client:
        reply = await client.post("/api/metrics/query", json={"metrics": ["订单数"], "by": ["customers.name"]})
    assert (reply.status_code, reply.json()["code"]) == (422, "unknown_name")


async def test_a_statement_the_database_complains_about_is_not_run() -> None:
    warehouse = FakeWarehouse(otherwise=Told(complaint="1054: unknown", code=1054))
    reply = await posted({"metrics": ["订单数"]}, warehouse)
    assert reply.json()["code"] == "cannot_answer" and "1054" in reply.json()["detail"]
    assert not warehouse.fetched


async def test_the_schema_is_published_and_names_what_may_be_sent() -> None:
    async with door(await shop()) as client:
        schema = (await client.get("/api/metrics/schema")).json()
    jsonschema.validate({"metrics": ["订单数"], "by": ["month"], "where": ["渠道=天猫"]}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"metrics": "订单数"}, schema)
