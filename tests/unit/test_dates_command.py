"""The `dates` command: whose clock and calendar it asks by."""

import json
from pathlib import Path

import pytest

from scripts.dates import dates

SETTINGS = """
warehouse: {url: "duckdb:///shop.duckdb"}
catalog: catalog.yaml
calendar: {now: "2026-07-01T09:00:00+08:00", fiscal_year_start: 4}
"""


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    file = tmp_path / "settings.yaml"
    file.write_text(SETTINGS, encoding="utf-8")
    return file


def asked(capsys: pytest.CaptureFixture[str], question: str, **options: object) -> list[tuple[str, str]]:
    dates(question, as_json=True, **options)  # type: ignore[arg-type]
    found = json.loads(capsys.readouterr().out)
    return [(each["start"], each["end"]) for each in found["ranges"]]


def test_the_clock_of_the_settings_is_asked(capsys, settings):
    assert asked(capsys, "上个月销售额", settings=settings) == [("2026-06-01", "2026-07-01")]
    assert asked(capsys, "本财年", settings=settings) == [("2026-04-01", "2027-04-01")]


def test_now_on_the_command_line_wins(capsys, settings):
    found = asked(capsys, "上个月销售额", settings=settings, now="2026-03-31T10:00:00+08:00")
    assert found == [("2026-02-01", "2026-03-01")]


def test_other_options_win_over_the_settings_too(capsys, settings):
    assert asked(capsys, "本财年", settings=settings, fiscal_year_start=1) == [("2026-01-01", "2027-01-01")]


def test_the_settings_of_the_environment_count_as_given(capsys, settings, monkeypatch):
    monkeypatch.setenv("DATA_AGENT_SETTINGS", str(settings))
    assert asked(capsys, "上个月销售额") == [("2026-06-01", "2026-07-01")]


def test_people_are_told_what_time_it_is_taken_to_be(capsys, settings):
    dates("上个月销售额", settings=settings)
    assert "2026-07-01T09:00+08:00" in capsys.readouterr().out
