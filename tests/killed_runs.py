"""Index runs that are killed with SIGKILL at every step, each in a process of its own; what readers see goes to stdout.

Usage: python -m tests.killed_runs SETTINGS-FILE [how many kills at other moments]

Prints one JSON object a kill: what the stores show after it (`seen`), and after the run that follows (`after`); the
last one is of the run that was not killed any more.
"""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from api.bootstrap import index_stores, open_outside
from api.settings import Settings, load_settings
from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Table
from data_agent.errors import IndexMissing
from data_agent.indexing.index import IndexProgress
from tests.fakes.embedder import FakeEmbedder

PROBES = ("北京", "上海", "华为", "小米")
Seen = dict[str, Any]


def column(table: str, name: str, *, sync: bool = False) -> Column:
    """A column of the shop."""
    return Column(table=table, name=name, sync=sync)


SHOPS = Table(name="shops", columns=(column("shops", "name"), column("shops", "city", sync=True)))
OLD = Catalog(name="shop", version="old", tables=(SHOPS,), metrics=(Metric(name="visits"),))
NEW = Catalog(
    name="shop",
    version="new",
    tables=(
        SHOPS.model_copy(update={"columns": (column("shops", "name"), column("shops", "city"))}),
        Table(name="brands", columns=(column("brands", "name", sync=True), column("brands", "owner", sync=True))),
    ),
    metrics=(Metric(name="visits"), Metric(name="buyers")),
)


async def run(settings: Settings, catalog: Catalog, kill_at: int = 0) -> None:
    """Index, and die at the progress of that number."""
    numbers = count(1)

    def heard(_progress: IndexProgress) -> None:
        if next(numbers) == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    outside = await open_outside(settings, embedder=FakeEmbedder())
    await index_stores(settings, outside, catalog, heard)
    await outside.close()


async def look(settings: Settings) -> Seen:
    """What a reader sees in each store."""
    embedder = FakeEmbedder()
    outside = await open_outside(settings, embedder=embedder)
    vectors = await embedder.embed(["shops"])
    seen: Seen = {"metadata": None, "columns": None, "metrics": None, "values": None}
    with suppress(IndexMissing):
        seen["metadata"] = (await outside.metadata.catalog()).version
    with suppress(IndexMissing):
        columns = await outside.column_index.search(vectors, ["shops"], 50)
        seen["columns"] = sorted(f"{hit.table}.{hit.column}" for hit in columns)
    with suppress(IndexMissing):
        seen["metrics"] = sorted(hit.metric for hit in await outside.metric_index.search(vectors, ["visits"], 50))
    with suppress(IndexMissing):
        seen["values"] = sorted({value.text for value in await outside.value_index.search(PROBES, 5)})
    await outside.close()
    return seen


def in_child(work: Callable[[], Coroutine[Any, Any, Any]], seconds: float = 0.0) -> tuple[int, Any]:
    """Exit status and result of `work` in a process of its own, killed after `seconds` when that is not 0."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            told = asyncio.run(work())
            os.write(writing, json.dumps(told).encode())
            os._exit(0)
        except BaseException as error:  # noqa: BLE001  the parent is told, whatever it was
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            os._exit(70)
    os.close(writing)
    if seconds:
        time.sleep(seconds)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    with os.fdopen(reading, "rb") as told:
        text = told.read()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), json.loads(text) if text else None


def main() -> None:
    """Kill at every step, then at other moments."""
    settings, moments = load_settings(Path(sys.argv[1])), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    in_child(lambda: run(settings, OLD))
    start = time.perf_counter()
    in_child(lambda: run(settings, NEW))
    whole = time.perf_counter() - start
    for number in count(1):
        if not tell(settings, number, partial(run, settings, NEW, number)):
            break
    for moment in range(1, moments + 1):
        tell(settings, moment, lambda: run(settings, NEW), whole * moment / moments)


def tell(settings: Settings, number: int, work: Callable[[], Coroutine[Any, Any, Any]], seconds: float = 0.0) -> bool:
    """From the old index to a kill to a whole run, and what was seen; whether it was killed."""
    _, _ = in_child(lambda: run(settings, OLD))
    status, _ = in_child(work, seconds)
    _, seen = in_child(lambda: look(settings))
    again, _ = in_child(lambda: run(settings, NEW))
    _, after = in_child(lambda: look(settings))
    killed = status == -signal.SIGKILL
    told = {"number": number, "status": status, "again": again, "killed": killed, "seen": seen, "after": after}
    print(json.dumps(told, ensure_ascii=False), flush=True)
    return killed


if __name__ == "__main__":
    main()
