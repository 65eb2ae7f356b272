"""Read the catalog into the stores: metadata, columns, metrics, values."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from api.bootstrap import index_stores, open_outside
from api.settings import Settings, load_settings
from api.stores import written_to
from data_agent.catalog.load import load_catalog
from data_agent.indexing.index import IndexProgress, IndexReport, Part
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
) -> int:
    """Bring every store up to the catalog; safe to run again at any time."""
    loaded = load_settings(settings)
    for name, one in loaded.each().items():
        err.print(f"writes to: {written_to(one.stores)}", markup=False, highlight=False)
        report = asyncio.run(indexed(one))
        out.print(f"{name}: {summary(report)}" if loaded.warehouses else summary(report), highlight=False)
    return 0


async def indexed(settings: Settings) -> IndexReport:
    """Index with progress bars on stderr, then print the catalog's warnings."""
    catalog, warnings = load_catalog(settings.catalog)
    outside = await open_outside(settings)
    try:
        with _bars() as bars:
            report = await index_stores(settings, outside, catalog, Bars(bars))
    finally:
        await outside.close()
    for warning in (*warnings, *report.warnings):
        err.print(f"! {warning}", style="yellow", markup=False, highlight=False)
    return report


def summary(report: IndexReport) -> str:
    """One line on what the stores hold now."""
    return (
        f"indexed {report.tables} tables, {report.columns} columns, {report.metrics} metrics, "
        f"{report.values} values in {report.seconds:.1f} s"
    )


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
