"""The golden questions, asked through the whole service without a model: the figures may rise and never fall."""

import asyncio
from pathlib import Path

import pytest

from api.settings import load_settings
from data_agent.evaluation.answers import report
from data_agent.evaluation.questions import load_questions
from demo.warehouse import build
from scripts.eval_answers import measured, settings_of
from tests.golden.cases import FILE

pytestmark = pytest.mark.slow
COVERAGE, PRECISION, ON_PURPOSE = 91.0, 99.5, 97.0


def test_the_figures_do_not_fall(tmp_path: Path) -> None:
    url = f"duckdb:///{tmp_path / 'demo.duckdb'}"
    build(url)
    settings = settings_of(load_settings(environ={}), url, reading_only=True, now="", folder=False)
    outcomes = asyncio.run(measured(load_questions(FILE), settings, tmp_path))
    found = report(outcomes)
    wrong = [each.question.id for each in outcomes if each.verdict in {"wrong", "should not have answered", "no gold"}]
    assert found["precision"] >= PRECISION, wrong
    assert found["on_purpose"] >= ON_PURPOSE, wrong
    assert found["coverage"] >= COVERAGE
    assert found["model_calls"] == 0
