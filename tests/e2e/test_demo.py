"""The demo as a newcomer meets it: real warehouse, real stores, real process; no server, no key, no network."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.serving import ROOT, serving

pytestmark = pytest.mark.slow
QUESTION = "2025年第一季度各大区的销售额"


def cli(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("DATA_AGENT_")}
    return subprocess.run(
        [sys.executable, "-m", "scripts.main", *arguments],
        cwd=folder,
        env={**environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("demo")
    return folder, cli(folder, "demo")


@pytest.fixture(scope="module")
def folder(first: tuple[Path, subprocess.CompletedProcess[str]]) -> Path:
    return first[0]


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with serving("scripts.main", "serve", "--port", cwd=folder) as started:
        yield started


def asked(url: str, query: str, **more: Any) -> httpx.Response:
    return httpx.post(f"{url}/api/query", json={"query": query, "stream": False, **more}, timeout=60)


def test_the_demo_answers_five_questions_and_says_how_to_serve(first: Any) -> None:
    run = first[1]
    assert run.returncode == 0, run.stdout + run.stderr
    assert [f"\n{number}. " in run.stdout for number in range(1, 6)] == [True] * 5
    assert run.stdout.count("SELECT") >= 5
    assert "data-agent serve" in run.stdout.splitlines()[-1]
    assert "no answer in time" not in run.stdout


def test_a_second_run_finds_everything_in_place(folder: Path) -> None:
    start = time.perf_counter()
    run = cli(folder, "demo")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "already there" in run.stdout
    assert time.perf_counter() - start < 60


def test_ask_needs_no_flag_after_the_demo_and_no_model(folder: Path) -> None:
    run = cli(folder, "ask", QUESTION, "--json")
    assert run.returncode == 0, run.stdout + run.stderr
    answer = json.loads(run.stdout)
    assert answer["path"] == "reading"
    assert answer["model_calls"] == 0
    assert answer["row_count"] == 7


def test_doctor_finds_nothing_to_mend(folder: Path) -> None:
    run = cli(folder, "doctor", "--json")
    assert run.returncode == 0, run.stdout
    assert {state["state"] for state in json.loads(run.stdout)} <= {"ok", "off", "warn"}


def test_without_the_demo_ask_says_what_to_run(tmp_path: Path) -> None:
    run = cli(tmp_path, "ask", QUESTION)
    assert run.returncode == 5
    assert "data-agent index" in run.stderr
    assert "Traceback" not in run.stderr
    assert cli(tmp_path, "doctor").returncode == 5


def test_the_served_demo_is_ready_and_answers(url: str) -> None:
    ready = httpx.get(f"{url}/api/ready", timeout=30)
    assert ready.status_code == 200, ready.text
    answer = asked(url, QUESTION).json()
    assert (answer["path"], answer["row_count"]) == ("reading", 7)
    assert httpx.get(f"{url}/api/examples", timeout=10).json()[0] == QUESTION


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("你好", 200),
        ("客单价是怎么算的", 200),
        ("看看", 200),
        ("删除测试数据", 403),
        ("SELECT * FROM orders", 403),
        ("今天天气怎么样", 422),
        ("😀😀", 422),
        ("¿Cuántos pedidos hubo ayer?", 422),
    ],
)
def test_every_kind_of_question_gets_an_honest_answer(url: str, query: str, status: int) -> None:
    reply = asked(url, query)
    assert reply.status_code == status, reply.text
    body = reply.json()
    assert body.get("summary") or body.get("detail")


def test_measuring_by_name_equals_asking_in_words(folder: Path, url: str) -> None:
    names = ["--metrics", "销售额,order_count", "--by", "region,month", "--where", "channel=线上", "--time", "2025-Q1"]
    run = cli(folder, "query", *names, "--json")
    assert run.returncode == 0, run.stdout + run.stderr
    answer = json.loads(run.stdout)
    assert (answer["path"], answer["row_count"], answer["model_calls"]) == ("reading", 21, 0)
    assert answer["freshness"] == "2026-06-30"
    assert cli(folder, "query", *names, "--sql").stdout.strip() == answer["sql"]
    body = {
        "metrics": ["销售额", "order_count"],
        "by": ["region", "month"],
        "where": ["channel=线上"],
        "time": "2025-Q1",
    }
    reply = httpx.post(f"{url}/api/metrics/query", json=body, timeout=60)
    assert reply.json()["rows"] == answer["rows"]
    unknown = cli(folder, "query", "--metrics", "消售额")
    assert unknown.returncode == 64 and "销售额" in unknown.stderr


def test_an_ambiguous_word_is_asked_about_counted_and_goes_on(url: str) -> None:
    first = asked(url, "苹果的销量", thread_id="apples").json()
    assert first["path"] == "clarify"
    (apples,) = first["choices"]
    assert all(choice["count"] for choice in apples["choices"])
    chosen = {apples["words"]: apples["choices"][0]["id"]}
    resume = f"{url}/api/query/apples/resume"
    answer = httpx.post(resume, json={"choices": chosen, "stream": False}, timeout=60).json()
    assert (answer["path"], answer["row_count"]) == ("reading", 1)
    assert httpx.post(resume, json={"choices": chosen, "stream": False}, timeout=60).status_code == 404
    assert asked(url, "2025年苹果的销量", thread_id="apples").json()["path"] == "reading"


def test_an_empty_answer_says_what_removed_the_rows(url: str) -> None:
    future = asked(url, "2027年1月的销售额").json()["summary"]
    assert future.endswith("2027年1月 还没有数据：最新的数据到 2026-06-30。")
    assert "2024-01 至 2026-06" in asked(url, "2019年3月天猫的销售额").json()["summary"]
