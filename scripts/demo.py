"""Build the demo, index it and answer five questions, offline and without a key."""

import asyncio
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer
import yaml
from rich.text import Text

from api.bootstrap import bootstrap
from api.settings import Settings, load_settings
from data_agent.events import Failed
from demo.warehouse import build
from scripts.ask import exit_code, listened
from scripts.index import indexed, summary
from scripts.show import answer_view, err, error_view, out


def demo(
    settings: Annotated[Path | None, typer.Option(help="Settings of the demo, e.g. on MySQL.")] = None,
) -> int:
    """Three Chinese and two English questions, each with its reading, SQL, rows and time."""
    loaded = load_settings(settings)
    _build(loaded)
    out.print(summary(asyncio.run(indexed(loaded))), highlight=False)
    worst = asyncio.run(answered(loaded))
    again = f" --settings {settings}" if settings else ""
    out.print(f'\nserve it: data-agent serve{again}   ·   ask: data-agent ask{again} "…"', highlight=False)
    return worst


def questions() -> list[str]:
    """The demo's five questions."""
    written = yaml.safe_load(files("demo").joinpath("questions.yaml").read_text(encoding="utf-8"))
    return [entry["question"] for entry in written]


def _build(settings: Settings) -> None:
    if settings.warehouse.embedded:
        settings.warehouse.file.parent.mkdir(parents=True, exist_ok=True)
    with err.status("building the demo warehouse · 正在生成演示数据"):
        report = build(settings.warehouse.url.get_secret_value())
    rows = sum(report.rows.values())
    made = f"built {rows:,} rows in {report.seconds:.1f} s" if report.built else "already there"
    out.print(f"demo warehouse ({report.dialect}): {made}", highlight=False)


async def answered(settings: Settings) -> int:
    """Ask one after the other; the worst exit code."""
    worst = 0
    async with bootstrap(settings) as service:
        await service.warm()
        for number, question in enumerate(questions(), 1):
            end, reading = await listened(service, question, None, "balanced", lambda _event: None)
            out.print(Text(f"\n{number}. {question}", style="bold"))
            out.print(error_view(end) if isinstance(end, Failed) else answer_view(end.answer, reading))
            worst = max(worst, exit_code(end))
    return worst
