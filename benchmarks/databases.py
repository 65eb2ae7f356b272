"""Other people's databases, from nothing to an answer: load, introspect, check, index, ask; one line for each.

    python -m benchmarks.databases FOLDER mysql+pymysql://root@127.0.0.1:3306/ [--keep CATALOGS] [NAME…]

FOLDER holds `dumps/*.sql.gz` and perhaps `cases.jsonl` with questions. Of each database one question is asked that
counts a table, and up to eight of the folder's; the model is left out. `--keep` writes the catalogs to look at.
"""

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from contextlib import aclosing
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from pydantic import SecretStr
from sqlalchemy import make_url

from api.bootstrap import bootstrap, index_stores, open_clock
from api.inspection import open_inspector, write_catalog
from api.service import Service
from api.settings import Calendar, LlmSettings, Settings, StoreSettings
from api.warehouse_settings import WarehouseSettings
from benchmarks.machine import machine_state
from data_agent.catalog.load import load_catalog, places_of
from data_agent.domain.catalog import Catalog
from data_agent.domain.language import Language
from data_agent.events import Failed, Result
from data_agent.introspection.introspect import introspect
from data_agent.introspection.options import Introspected
from data_agent.introspection.proving import Proof, ProofLimits
from repositories.embedded.embedder import USE3Embedder
from repositories.sql.gold import GoldMySQL

QUESTIONS = 8
FAULT = 500
HEAD = (
    "| database | tables | columns | references (inferred) | metrics (failing) | personal | skipped "
    "| introspect s | check s | index s | a question → rows | asked: answered, asked back, left open, failed |"
)


def settings_of(url: str, name: str, stores: Path, catalog: Path) -> Settings:
    """One database of the server, stores of its own, no model."""
    address = make_url(url).set(database=name).render_as_string(hide_password=False)
    return Settings(
        warehouse=WarehouseSettings(url=SecretStr(address), name=name),
        catalog=catalog,
        stores=StoreSettings(path=stores),
        llm=LlmSettings(),
        calendar=Calendar(time_zone="UTC"),
    )


async def seen(settings: Settings) -> tuple[Introspected, list[str], float, float]:
    """A catalog written, loaded again and proven on the data; what does not hold."""
    inspector = open_inspector(settings.warehouse)
    try:
        start = perf_counter()
        found = await introspect(inspector)
        write_catalog(found.catalog, settings.catalog)
        loaded, _ = load_catalog(settings.catalog)
        middle = perf_counter()
        proof = Proof(loaded, places_of(settings.catalog), inspector, open_clock(settings).now(), ProofLimits())
        wrong = [f"{each.where}: {each.message}" async for each in proof.findings() if each.severity == "error"]
        return found, wrong, middle - start, perf_counter() - middle
    finally:
        await inspector.close()


async def asked(service: Service, question: str) -> Result | Failed:
    """The end of one question."""
    async with aclosing(service.ask(question)) as events:
        async for event in events:
            if isinstance(event, Result | Failed):
                return event
    raise RuntimeError("a question ended without a result")


def counting(catalog: Catalog) -> str:
    """A question that counts the rows of a table, in the words its catalog has."""
    table = next((t for t in catalog.tables if t.role == "fact"), catalog.tables[0])
    chinese: Language = "zh"
    name = table.label(chinese)
    return f"有多少{name}" if not name.isascii() else f"how many {table.name} are there"


class Run(NamedTuple):
    """What is the same for every database."""

    url: str
    folder: Path
    embedder: USE3Embedder
    keep: Path | None


async def one(run: Run, name: str, cases: list[str]) -> str:
    """Everything on one database."""
    with tempfile.TemporaryDirectory() as scratch:
        path = (run.keep or Path(scratch)) / f"{name}.yaml"
        settings = settings_of(run.url, name, Path(scratch) / "stores", path)
        if (dump := run.folder / "dumps" / f"{name}.sql.gz").exists():
            GoldMySQL(run.url).load(name, dump)
        found, wrong, introspecting, checking = await seen(settings)
        catalog, _ = load_catalog(path)
        async with bootstrap(settings, embedder=run.embedder) as service:
            start = perf_counter()
            await index_stores(settings, service.outside, catalog)
            indexing = perf_counter() - start
            question = counting(catalog)
            end = await asked(service, question)
            ends = Counter([kind(await asked(service, each)) for each in cases])
    for each in wrong:
        print(f"  ! {each}")
    for skipped in found.skipped:
        print(f"  - {skipped.what}: {skipped.why}")
    columns = [column for table in catalog.tables for column in table.columns]
    inferred = sum(link.inferred for link in catalog.relationships)
    said = end.message if isinstance(end, Failed) else f"{end.answer.path}, {end.answer.rows[:1]}"
    cells = [
        name,
        len(catalog.tables),
        len(columns),
        f"{len(catalog.relationships)} ({inferred})",
        f"{len(catalog.metrics)} ({len(wrong)})",
        sum(column.personal for column in columns),
        len(found.skipped),
        *(f"{seconds:.1f}" for seconds in (introspecting, checking, indexing)),
        f"{question} → {said}",
        ", ".join(str(ends[part]) for part in ("answered", "clarify", "declined", "failed")),
    ]
    return "| " + " | ".join(map(str, cells)) + " |"


def kind(end: Result | Failed) -> str:
    """How a question ended."""
    if isinstance(end, Failed):
        return "declined" if end.status < FAULT else "failed"
    return end.answer.path if end.answer.path in {"clarify", "declined"} else "answered"


async def main(folder: Path, url: str, names: list[str], keep: Path | None) -> None:
    """Print one line a database."""
    written = folder / "cases.jsonl"
    lines = [json.loads(line) for line in written.read_text("utf-8").splitlines()] if written.exists() else []
    run = Run(url, folder, USE3Embedder(cache_size=50_000), keep)
    print(machine_state(), HEAD, sep="\n")
    for name in names or sorted(dump.name.partition(".")[0] for dump in (folder / "dumps").glob("*.sql.gz")):
        cases = [case["question"] for case in lines if case["mysql_db"] == name][:QUESTIONS]
        try:
            print(await one(run, name, cases), flush=True)
        except Exception as error:  # noqa: BLE001  one database that breaks is a finding; the others go on
            print(f"| {name} | BROKEN: {type(error).__name__}: {error} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("url")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    asyncio.run(main(given.folder, given.url, given.names, given.keep))
