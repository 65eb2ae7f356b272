"""Questions answered by a real small language model on a real MySQL server: `make test-llm`."""

import os
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from api.bootstrap import bootstrap, index_stores
from api.service import Service
from api.settings import Settings, load_settings
from data_agent.domain.answer import Answer
from data_agent.events import Event, Failed, NodeStart, Result
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


@pytest.fixture
def settings(tmp_path: Path, model_url: str, warehouse_url: str) -> Settings:
    """MySQL and the model by settings alone; candidates are filtered, and nothing is composed without the model."""
    file = tmp_path / "settings.yaml"
    file.write_text(
        f"""
warehouse: {{url: "{warehouse_url}", name: demo}}
catalog: {CATALOG}
stores: {{path: {tmp_path / "stores"}}}
calendar: {{now: "2026-07-01T09:00:00+08:00"}}
llm: {{base_url: "{model_url}", api_key: none, models: {{smart: local, fast: local}}, timeout_seconds: 240}}
options: {{compose: false, token_budget: 400, filter_budget: 800, max_tables: 2, total_seconds: 600}}
""",
        encoding="utf-8",
    )
    return load_settings(file)


@asynccontextmanager
async def served(settings: Settings) -> AsyncIterator[Service]:
    async with bootstrap(settings) as service:
        await index_stores(settings, service.outside, demo_catalog())
        yield service


async def asked(service: Service, question: str) -> tuple[Result | Failed, list[Event]]:
    events = [event async for event in service.ask(question)]
    (end,) = [event for event in events if isinstance(event, Result | Failed)]
    return end, events


async def test_a_small_local_model_answers_demo_questions_on_mysql(settings: Settings) -> None:
    ran: Counter[str] = Counter()
    answers: list[Answer] = []
    async with served(settings) as service:
        for question in QUESTIONS:
            end, events = await asked(service, question)
            asking = {event.detail for event in events if event.type == "tool_call_start" and event.tool == "llm"}
            ran.update(asking | {event.node for event in events if isinstance(event, NodeStart)} & {"correct_sql"})
            told = end.answer.sql if isinstance(end, Result) else f"{end.code}: {end.message}"
            print(f"{question} -> {told}", flush=True)
            if isinstance(end, Result) and end.answer.rows:
                answers.append(end.answer)
    print(f"{len(answers)} of {len(QUESTIONS)} answered; model calls by node: {dict(ran)}")
    assert len(answers) >= 10
    assert all(answer.path == "model" and answer.model_calls and answer.prompt_tokens for answer in answers)
    assert {"filter_table", "filter_metric", "generate_sql", "correct_sql"} <= set(ran)
