"""Measure answers on question sets: are the rows right, what did it cost, what was left unanswered."""

import asyncio
import json as json_module
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import SecretStr
from rich.table import Table as View
from sqlalchemy import make_url

from api.bootstrap import bootstrap, index_stores
from api.service import Service
from api.settings import Calendar, LlmSettings, Settings, StoreSettings, load_settings
from api.warehouse_settings import WarehouseSettings
from data_agent.catalog.load import load_catalog
from data_agent.domain.answer import Answer
from data_agent.domain.catalog import Catalog
from data_agent.errors import InvalidInput
from data_agent.evaluation.answers import Asked, Bench, Outcome, below, codes_of, line, outcome, report
from data_agent.evaluation.page import page
from data_agent.evaluation.pooling import pooled, views
from data_agent.evaluation.questions import Question, load_questions
from data_agent.events import Failed, Reasoning, Result
from data_agent.introspection.introspect import introspect
from data_agent.options import Limits
from repositories.embedded.embedder import USE3Embedder
from repositories.embedded.gold import GoldDuckDB
from repositories.sql.gold import GoldMySQL
from repositories.sql.inspector import MySQLInspector
from scripts.show import err, out

MISSED = 1
POOL = "data_agent_pool"
LIMITS = Limits(max_rows=50_000, max_bytes=100_000_000, seconds=20.0)
FOLDER_NOW = "2026-11-30T21:00:00+00:00"
"""The day on which the rows of the public folder were made; questions with "this month" mean that one."""
Runner = GoldMySQL | GoldDuckDB


def eval_answers(
    place: Annotated[Path, typer.Argument(help="A YAML file of questions, or a folder with cases.jsonl and dumps/.")],
    warehouse: Annotated[str, typer.Option(help="URL; for a folder of databases a server without a database.")] = "",
    *,
    settings: Annotated[Path | None, typer.Option(help="Catalog, calendar and model; without it, the demo's.")] = None,
    reading_only: Annotated[bool, typer.Option("--reading-only", help="Ask no model.")] = False,
    pool: Annotated[bool, typer.Option("--pool", help="All databases in one catalog instead of each alone.")] = False,
    ids: Annotated[Path | None, typer.Option(help="Only the questions whose ids stand in this file.")] = None,
    now: Annotated[str, typer.Option(help="What time it is, with offset; settings or the folder say it else.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write a page to look at.")] = None,
    lines: Annotated[Path | None, typer.Option("--out", help="Write one JSON line for each question.")] = None,
    min_accuracy: Annotated[float | None, typer.Option(help="Percent; less makes the exit code 1.")] = None,
    min_precision: Annotated[float | None, typer.Option(help="Percent; less makes the exit code 1.")] = None,
) -> int:
    """Execution accuracy of a question set. Exit codes: 0, 1 under a floor, 5 component down, 64 usage."""
    questions = load_questions(place, ids_of(ids) if ids else None)
    base = settings_of(load_settings(settings), warehouse, reading_only, now, folder=place.is_dir())
    ask_all = measured_in_pool if pool else measured
    outcomes = asyncio.run(ask_all(questions, base, place / "dumps"))
    found = report(outcomes)
    if lines:
        text = "".join(json_module.dumps(line(each), ensure_ascii=False) + "\n" for each in outcomes)
        lines.write_text(text, encoding="utf-8")
    if html:
        html.write_text(page(found, outcomes, f"data-agent eval answers {place.name}"), encoding="utf-8")
    if json:
        print(json_module.dumps(found, ensure_ascii=False))  # noqa: T201
    else:
        out.print(view(found))
    missed = below(found, {"accuracy": min_accuracy, "precision": min_precision})
    for complaint in missed:
        err.print(f"! {complaint}", style="yellow", highlight=False)
    return MISSED if missed else 0


def ids_of(file: Path) -> list[str]:
    """Ids in a file: one a line, or a JSON list.

    Raises:
        InvalidInput: it cannot be read.
    """
    try:
        text = file.read_text(encoding="utf-8")
        return [str(each) for each in json_module.loads(text)] if text.lstrip().startswith("[") else text.split()
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{file}: ids cannot be read: {error}") from error


def settings_of(base: Settings, warehouse: str, reading_only: bool, now: str, *, folder: bool) -> Settings:
    """The settings to measure with: generous limits, the clock held for a folder of databases."""
    changed: dict[str, Any] = {"options": base.options.model_copy(update={"limits": LIMITS})}
    if warehouse:
        changed["warehouse"] = WarehouseSettings(url=SecretStr(warehouse))
    if reading_only:
        changed["llm"] = LlmSettings()
    if folder:
        changed["calendar"] = Calendar(time_zone="UTC", now=datetime.fromisoformat(now or FOLDER_NOW))
    elif now:
        changed["calendar"] = base.calendar.model_copy(update={"now": datetime.fromisoformat(now)})
    return base.model_copy(update=changed)


async def measured(questions: Sequence[Question], base: Settings, dumps: Path) -> list[Outcome]:
    """Ask everything, database by database, on stores that are made for it and thrown away."""
    by_database: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        by_database[question.database].append(question)
    embedder, outcomes = USE3Embedder(cache_size=50_000), {}
    with tempfile.TemporaryDirectory() as scratch, err.status("…") as status:
        for at, (name, asked) in enumerate(by_database.items()):
            status.update(f"{name or 'warehouse'} ({at + 1}/{len(by_database)})")
            async with opened(name, base, Path(scratch) / str(at), dumps, embedder) as bench:
                for question in asked:
                    outcomes[question.id] = await outcome(question, bench)
    return [outcomes[question.id] for question in questions]


async def measured_in_pool(questions: Sequence[Question], base: Settings, dumps: Path) -> list[Outcome]:
    """Ask everything in one catalog of all databases; each gold statement runs in its own database.

    Raises:
        InvalidInput: the questions name no databases, or the warehouse is no MySQL server.
    """
    runner, catalogs = runner_of(base), {}
    names = list(dict.fromkeys(question.database for question in questions if question.database))
    if not names or not isinstance(runner, GoldMySQL):
        raise InvalidInput("--pool needs questions that name databases, and a MySQL server for them")
    with tempfile.TemporaryDirectory() as scratch, err.status("…") as status:
        for at, name in enumerate(names):
            status.update(f"{name} ({at + 1}/{len(names)})")
            if (dump := dumps / f"{name}.sql.gz").exists():
                runner.load(name, dump)
            catalogs[name] = await introspected(base.model_copy(update={"warehouse": named(base, name)}))
        status.update(POOL)
        with runner.pooling(POOL, views(catalogs)):
            whole = pooled(catalogs)
            async with opened(POOL, base, Path(scratch), dumps, USE3Embedder(cache_size=50_000), whole=whole) as bench:
                return [await outcome(question, bench) for question in questions]


@asynccontextmanager
async def opened(
    name: str, base: Settings, stores: Path, dumps: Path, embedder: USE3Embedder, *, whole: Catalog | None = None
) -> AsyncIterator[Bench]:
    """One database, loaded and indexed; a database that the question set names is described by introspection alone."""
    runner = runner_of(base)
    if name and isinstance(runner, GoldMySQL) and (dump := dumps / f"{name}.sql.gz").exists():
        runner.load(name, dump)
    settings = base.model_copy(update={"stores": StoreSettings(path=stores), "warehouse": named(base, name)})
    catalog = whole or await introspected(settings) if name else load_catalog(settings.catalog)[0]
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(bootstrap(settings, embedder=embedder))
        await index_stores(settings, service.outside, catalog)

        yield Bench(
            ask=partial(heard, service),
            run=partial(_run, runner, name),
            run_gold=runner.run,
            dialect=runner.dialect,
            labels=codes_of(catalog),
        )


async def heard(service: Service, question: str) -> Asked:
    """Ask as any door does and keep the end."""
    asked = Asked(answer=Answer(question=question, path="none", intent="data_query"))
    async with aclosing(service.ask(question)) as events:
        async for event in events:
            if isinstance(event, Reasoning):
                asked = asked.model_copy(update={"words": event.text})
            if isinstance(event, Result):
                asked = asked.model_copy(update={"answer": event.answer})
            if isinstance(event, Failed):
                asked = asked.model_copy(update={"error": event.message, "answer": event.answer or asked.answer})
    return asked


def _run(runner: Runner, name: str, sql: str) -> list[tuple[Any, ...]]:
    return runner.run(sql, name)


def runner_of(settings: Settings) -> Runner:
    """What runs trusted statements on that warehouse."""
    if settings.warehouse.embedded:
        return GoldDuckDB(settings.warehouse.file)
    return GoldMySQL(settings.warehouse.url.get_secret_value(), settings.calendar.now)


def named(settings: Settings, database: str) -> WarehouseSettings:
    """The same server, that database."""
    if not database:
        return settings.warehouse
    address = make_url(settings.warehouse.url.get_secret_value()).set(database=database)
    url = SecretStr(address.render_as_string(hide_password=False))
    return settings.warehouse.model_copy(update={"url": url, "name": database})


async def introspected(settings: Settings) -> Catalog:
    """What the database says of itself.

    Raises:
        InvalidInput: question sets with databases need a MySQL server.
    """
    if settings.warehouse.embedded:
        raise InvalidInput("these questions name databases: give --warehouse a MySQL server without a database")
    async with aclosing(_Inspected(settings.warehouse)) as inspected:
        return (await introspect(inspected.inspector)).catalog


class _Inspected:
    """An inspector that `aclosing` can close."""

    def __init__(self, warehouse: WarehouseSettings) -> None:
        self.inspector = MySQLInspector(warehouse.url.get_secret_value(), name=warehouse.name)

    async def aclose(self) -> None:
        await self.inspector.close()


def view(found: dict[str, Any]) -> View:
    """The figures for eyes."""
    shown = ("questions", "answered", "right", "coverage", "precision", "accuracy", "on_purpose", "model_calls")
    table = View("source", "lang", *shown)
    for row in ({"source": "all", "lang": "", **found}, *found["results"]):
        cells = ["-" if row[key] is None else str(row[key]) for key in shown]
        table.add_row(row["source"], row["lang"], *cells)
    return table
