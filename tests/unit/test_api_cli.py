"""The command line: one JSON object, exit codes that mean something, one line for a mistake, never a traceback."""

import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from api.service import Service
from data_agent.domain.answer import Answer, ResultColumn
from scripts import ask
from scripts.ask import every_error, exit_code
from scripts.main import VERBS, run
from scripts.show import cell_text
from tests.fakes.graph import ROWS, fake_service

PROMISED = [
    "question",
    "path",
    "intent",
    "reading",
    "sql",
    "dialect",
    "columns",
    "rows",
    "row_count",
    "truncated",
    "summary",
    "confidence",
    "warnings",
    "model_calls",
    "prompt_tokens",
    "completion_tokens",
    "elapsed_ms",
    "steps",
    "thread_id",
]


@pytest.fixture(autouse=True)
def _fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    @asynccontextmanager
    async def opened(_settings: Any) -> AsyncIterator[Service]:
        yield fake_service()

    monkeypatch.setattr(ask, "opened", opened)


def test_json_is_exactly_one_object_with_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "各大区的销售额", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(PROMISED) <= set(answer)
    assert [tuple(row) for row in answer["rows"]] == list(ROWS)
    assert set(answer["steps"][0]) == {"name", "ms"}


@pytest.mark.parametrize(
    ("question", "code"),
    [("各大区", 0), ("hello", 0), ("请选一个", 2), ("出错", 4), ("断线", 5), ("", 64), ("x" * 9000, 64)],
)
def test_the_exit_code_says_how_it_ended(question: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", question, "--json"]) == code
    printed = json.loads(capsys.readouterr().out)
    assert set(PROMISED) <= set(printed)
    assert ("error" in printed) == (code not in {0, 2})


def test_a_refusal_is_3() -> None:
    refused = next(error for error in every_error() if error.code == "unsafe_sql")
    assert refused.exit_code == 3
    from data_agent.events import Failed

    assert exit_code(Failed(code="unsafe_sql", message="no")) == 3


def test_no_two_errors_share_a_code_and_disagree() -> None:
    codes: dict[str, int] = {}
    for error in every_error():
        assert codes.setdefault(error.code, error.exit_code) == error.exit_code, error


def test_a_person_reads_the_reading_the_sql_the_rows_and_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "各大区的销售额"]) == 0
    shown = capsys.readouterr().out
    for part in (
        "按 大区 看 销售额",
        "`region` AS `大区`",
        "1,234,567.50",
        "9223372036854775807",
        "—",
        "(empty)",
        "3 行",
        "ms",
    ):
        assert part in shown


def test_an_error_goes_to_stderr_with_what_mends_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "断线"]) == 5
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "✗ no connection to fake:3306" in captured.err
    assert "→ start the server" in captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask"],
        ["ask", "a", "b"],
        ["ask", "--nope", "x"],
        ["aks", "x"],
        ["ask", "x", "--quality", "best"],
        ["serve", "--port", "x"],
    ],
)
def test_wrong_usage_is_64_and_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 64
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.strip().splitlines()) == 1


def test_wrong_settings_are_64_and_name_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "s.yaml"
    file.write_text("warehouse: {url: 'duckdb:///x'}\ncatalog: c.yaml\nsever: {}\n", encoding="utf-8")
    assert run(["ask", "x", "--settings", str(file)]) == 64
    assert f"{file}:3: sever: there is no such field" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_path: Any) -> None:
        raise PermissionError(13, "Permission denied", "there/x.yaml")

    monkeypatch.setattr(ask, "load_settings", full)
    assert run(["ask", "x"]) == 64
    said = capsys.readouterr().err
    assert "there/x.yaml: permission denied" in said and "Traceback" not in said


def test_an_unexpected_error_is_one_line_unless_debugging(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_path: Any) -> None:
        raise ZeroDivisionError("hush")

    monkeypatch.setattr(ask, "load_settings", broken)
    assert run(["ask", "x"]) == 70
    said = capsys.readouterr().err
    assert "unexpected ZeroDivisionError" in said
    assert "Traceback" not in said
    with pytest.raises(ZeroDivisionError):
        run(["ask", "x", "--debug"])


def test_help_lists_the_verbs_without_loading_them() -> None:
    code = "import sys; from scripts.main import run; run(['--help']); print('langgraph' in sys.modules)"
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=20)
    assert time.perf_counter() - start < 5
    assert done.stdout.splitlines()[-1] == "False"
    for verb in ("ask", "demo", "serve", "index", "doctor"):
        assert f"  {verb}" in done.stdout


@pytest.mark.parametrize("verb", ["ask", "demo", "serve", "index", "doctor"])
def test_every_verb_explains_itself(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([verb, "--help"]) == 0
    assert "Usage: data-agent" in capsys.readouterr().out
    assert verb in VERBS


@pytest.mark.parametrize(
    ("kind", "style", "cell", "text"),
    [
        ("decimal", "currency", "12345678901234567890.12", "12,345,678,901,234,567,890.12"),
        ("decimal", "", "0.10", "0.10"),
        ("integer", "integer", 1234567, "1,234,567"),
        ("integer", "", 2025, "2025"),
        ("decimal", "percent", "0.12345", "12.35%"),
        ("big_integer", "", "9223372036854775807", "9223372036854775807"),
        ("text", "", None, "—"),
        ("text", "", "", "(empty)"),
        ("text", "", "a\x1b[31mb", "a [31mb"),
    ],
)
def test_a_cell_keeps_its_digits_and_cannot_steer_the_terminal(kind: Any, style: str, cell: Any, text: str) -> None:
    assert cell_text(ResultColumn(name="c", kind=kind, format=style), cell) == text


def test_an_answer_without_rows_is_shown_too() -> None:
    from scripts.show import answer_view, out

    with out.capture() as captured:
        out.print(answer_view(Answer(question="hi", path="chitchat", intent="chitchat", summary="[b]Hello[/b]")))
    assert "[b]Hello[/b]" in captured.get()


def test_a_choice_is_offered_with_its_id_when_nobody_can_be_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "请选一个"]) == 2
    shown = capsys.readouterr().out
    assert "品牌：苹果 · 3" in shown and "(brand)" in shown


def test_a_person_at_a_terminal_chooses_by_number_and_gets_the_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr(ask.IntPrompt, "ask", lambda *_args, **_how: 2)
    assert run(["ask", "请选一个"]) == 0
    captured = capsys.readouterr()
    assert "1,234,567.50" in captured.out
    assert "2. 品类：苹果 · 5" in captured.err


def test_a_person_who_chooses_nothing_is_left_with_the_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr(ask.IntPrompt, "ask", lambda *_args, **_how: 0)
    assert run(["ask", "请选一个"]) == 2


def test_a_meaning_without_an_id_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "x", "--choose", "苹果"]) == 64
    assert "--choose" in capsys.readouterr().err
