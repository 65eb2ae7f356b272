"""Read the catalog into the stores: metadata, columns, metrics, values."""

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from api.bootstrap import index_stores, open_outside, plan_stores
from api.index_runs import WAIT_SECONDS, rates_of
from api.settings import Settings, load_settings
from api.stores import written_to
from data_agent.catalog.load import load_catalog
from data_agent.indexing.index import IndexProgress, IndexReport, Part
from data_agent.indexing.index import Progress as Heard
from scripts.plan import as_json, plan_lines
from scripts.show import err, out

LABELS: dict[Part, str] = {
    "embed": "texts to vectors · 向量",
    "metadata": "metadata · 元数据",
    "columns": "columns · 字段",
    "metrics": "metrics · 指标",
    "values": "values · 取值",
}


def index(
    settings: Annotated[Path | None, typer.Option(help="A settings file; without it, the demo.")] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Say what would change, and change nothing.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Read every value again, whatever seems unchanged.")] = False,
    wait: Annotated[float, typer.Option(help="Seconds to wait for another run to end.")] = WAIT_SECONDS,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object for each warehouse.")] = False,
) -> int:
    """Bring every store up to the catalog; safe to kill, and to run again at any time."""
    gc.set_threshold(50_000, 20, 50)  # a large catalog is many objects and no cycles
    loaded = load_settings(settings)
    for name, one in loaded.each().items():
        err.print(f"writes to: {written_to(one.stores)}", markup=False, highlight=False)
        head = f"{name}: " if loaded.warehouses else ""
        if plan:
            asyncio.run(planned(one, full=full, head=head, json=json))
            continue
        report = asyncio.run(indexed(one, full=full, wait=wait))
        if json:
            print(report.model_dump_json())  # noqa: T201
        else:
            out.print(f"{head}{summary(report)}", highlight=False)
    return 0


async def planned(settings: Settings, *, full: bool, head: str, json: bool) -> None:
    """Print what a run would change."""
    catalog, _ = load_catalog(settings.catalog)
    outside = await open_outside(settings)
    try:
        found = await plan_stores(outside, catalog, full=full)
    finally:
        await outside.close()
    seconds = found.seconds(rates_of(settings.stores.path))
    if json:
        print(as_json(found, seconds))  # noqa: T201
        return
    for line in plan_lines(found, seconds):
        out.print(f"{head}{line}", markup=False, highlight=False, soft_wrap=True)


async def indexed(settings: Settings, *, full: bool = False, wait: float = WAIT_SECONDS) -> IndexReport:
    """Index with progress on stderr, then print the catalog's warnings."""
    catalog, warnings = load_catalog(settings.catalog)
    outside = await open_outside(settings)
    try:
        with listening() as heard:
            report = await index_stores(settings, outside, catalog, heard, full=full, wait=wait)
    finally:
        await outside.close()
    for warning in (*warnings, *report.warnings):
        err.print(f"! {warning}", style="yellow", markup=False, highlight=False)
    for hint in report.hints:
        err.print(f"· {hint}", markup=False, highlight=False)
    return report


def summary(report: IndexReport) -> str:
    """One line on what the stores hold now."""
    again = f" ({report.read} read anew)" if report.read < report.values else ""
    return (
        f"indexed {report.tables} tables, {report.columns} columns, {report.metrics} metrics, "
        f"{report.values} values{again} in {report.seconds:.1f} s"
    )


@contextmanager
def listening() -> Iterator[Heard]:
    """Bars on a terminal; in a log, a line for each part and none for its steps."""
    if not err.is_terminal:
        yield Lines()
        return
    with _bars() as bars:
        yield Bars(bars)


class Lines:
    """Says each part once, when it begins."""

    def __init__(self) -> None:
        self._said: set[Part] = set()

    def __call__(self, progress: IndexProgress) -> None:
        """Say a part that was not said yet."""
        if progress.part not in self._said:
            self._said.add(progress.part)
            err.print(LABELS[progress.part], markup=False, highlight=False)


class Bars:
    """Shows each part's progress as a bar of its own."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[Part, TaskID] = {}

    def __call__(self, progress: IndexProgress) -> None:
        """Move a bar; a part without a known total only counts."""
        if progress.part not in self._tasks:
            self._tasks[progress.part] = self._bars.add_task(LABELS[progress.part], total=progress.total, detail="")
        self._bars.update(
            self._tasks[progress.part], completed=progress.done, total=progress.total, detail=progress.detail
        )


def _bars() -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[detail]}"),
        TimeElapsedColumn(),
        console=err,
        transient=True,
    )
