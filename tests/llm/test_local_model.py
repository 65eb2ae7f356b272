"""Questions answered by a real small language model on a real MySQL server: `make test-llm`."""

import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from api.bootstrap import bootstrap, index_stores, open_llm
from api.service import Service
from api.settings import Settings, load_settings
from data_agent.domain.answer import Answer, Usage
from data_agent.events import Failed, Result, ToolCallStart
from data_agent.ports.llm import Llm, OnToken, Role
from demo.layout import CATALOG, demo_catalog
from demo.warehouse import build
from tests.servers import own_database

pytestmark = [pytest.mark.llm, pytest.mark.mysql]
ROOT = Path(__file__).parents[2]
QUESTIONS = (
    "2025年的订单一共有多少条？",
    "每个渠道的订单数",
    "2025年各大区的销售额",
    "有多少个客户",
    "会员等级有哪些，每个等级多少客户",
    "标价最高的5个商品",
    "各品类有多少个商品",
    "退款金额最高的退款原因",
    "How many products does each brand have?",
    "List the names of all channels.",
    "What is the total refund amount in 2025?",
    "How many customers are there in each membership level?",
    "Average list price by category",
    "Which five products have the highest list price?",
)


@pytest.fixture(scope="module")
def model_url() -> Iterator[str]:
    """`TEST_LLM_URL`, or the local model, started and stopped here; skipped when neither can be had."""
    if url := os.environ.get("TEST_LLM_URL"):
        yield url
        return
    try:
        done = subprocess.run([ROOT / "services/llm.sh", "up"], capture_output=True, text=True, check=True, timeout=900)
    except (subprocess.SubprocessError, OSError) as error:
        pytest.skip(f"no local language model: {getattr(error, 'stderr', '') or error}")
    yield done.stdout.strip()
    subprocess.run([ROOT / "services/llm.sh", "stop"], check=True)


@pytest.fixture(scope="module")
def warehouse_url(mysql_url: str) -> Iterator[str]:
    with own_database(mysql_url) as url:
        build(url)
        yield url


def settings(folder: Path, warehouse_url: str, model_url: str, options: str) -> Settings:
    """MySQL and the model by settings alone; nothing is composed without the model."""
    file = folder / "settings.yaml"
    file.write_text(
        f"""
warehouse: {{url: "{warehouse_url}", name: demo}}
catalog: {CATALOG}
stores: {{path: {folder / "stores"}}}
calendar: {{now: "2026-07-01T09:00:00+08:00"}}
llm: {{base_url: "{model_url}", api_key: none, models: {{smart: local, fast: local}}, timeout_seconds: 240}}
options: {{compose: false, max_tables: 2, total_seconds: 600, {options}}}
""",
        encoding="utf-8",
    )
    return load_settings(file)


@asynccontextmanager
async def served(settings: Settings, **parts: Any) -> AsyncIterator[Service]:
    async with bootstrap(settings, **parts) as service:
        await index_stores(settings, service.outside, demo_catalog())
        yield service


class FirstStatementBroken:
    """The real model, but its first statement arrives without its end, so that it has to correct one."""

    def __init__(self, model: Llm) -> None:
        self._model, self._broken = model, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    async def complete(self, prompt: str, role: Role = "smart", on_token: OnToken | None = None) -> tuple[str, Usage]:
        text, usage = await self._model.complete(prompt, role, on_token)
        broken, self._broken = not self._broken, True
        return ("SELECT COUNT(order_id AS n FROM orders" if broken else text), usage


async def asked(service: Service, question: str) -> tuple[Answer | None, set[str]]:
    """The answer, if there is one with rows, and the nodes that asked the model."""
    events = [event async for event in service.ask(question)]
    nodes = {event.detail for event in events if isinstance(event, ToolCallStart) and event.tool == "llm"}
    (end,) = [event for event in events if isinstance(event, Result | Failed)]
    told = end.answer.sql if isinstance(end, Result) else f"{end.code}: {end.message}"
    print(f"{question} -> {told}", flush=True)
    return (end.answer if isinstance(end, Result) and end.answer.rows else None), nodes


async def test_a_small_local_model_answers_ten_demo_questions_on_mysql(
    tmp_path: Path, warehouse_url: str, model_url: str
) -> None:
    async with served(settings(tmp_path, warehouse_url, model_url, "token_budget: 4000")) as service:
        found = [(await asked(service, question))[0] for question in QUESTIONS]
    answers = [answer for answer in found if answer]
    print(f"{len(answers)} of {len(QUESTIONS)} answered", flush=True)
    assert len(answers) >= 10
    assert all(answer.path == "model" and answer.model_calls and answer.prompt_tokens for answer in answers)


async def test_the_model_filters_generates_and_corrects(tmp_path: Path, warehouse_url: str, model_url: str) -> None:
    tight = settings(tmp_path, warehouse_url, model_url, "token_budget: 400, filter_budget: 800")
    model = open_llm(tight.llm)
    assert model is not None
    async with served(tight, llm=FirstStatementBroken(model)) as service:
        answer, nodes = await asked(service, "2025年的订单一共有多少条？")
    assert {"filter_table", "filter_metric", "generate_sql", "correct_sql"} <= nodes
    assert answer is not None
