"""Check every component and say how to mend what is wrong."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from api.bootstrap import open_outside
from api.health import ComponentState, readiness
from api.settings import Settings, load_settings
from data_agent.catalog.load import load_catalog
from data_agent.errors import CatalogInvalid, DataAgentError
from scripts.show import out, plain

STYLE = {"ok": "green", "warn": "yellow", "fail": "red", "off": "dim"}
FAILED = 5


def doctor(
    settings: Annotated[Path | None, typer.Option(help="A settings file; without it, the demo.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Check settings, catalog, warehouse, stores, embedder and model. Exit code: 0 no failure, 5 something failed."""
    states = asyncio.run(all_examined(load_settings(settings)))
    if json:
        print("[" + ",".join(state.model_dump_json() for state in states) + "]")  # noqa: T201
    else:
        out.print(view(states))
    return FAILED if any(state.state == "fail" for state in states) else 0


async def all_examined(settings: Settings) -> list[ComponentState]:
    """Every warehouse's components; where there are several, each name begins with its warehouse's."""
    if not settings.warehouses:
        return await examined(settings)
    return [
        state.model_copy(update={"name": f"{name}/{state.name}"})
        for name, one in settings.each().items()
        for state in await examined(one)
    ]


async def examined(settings: Settings) -> list[ComponentState]:
    """Each component with its state; what cannot even be opened is a finding too."""
    states = [ComponentState(name="settings", state="ok", detail="read"), _catalog(settings)]
    try:
        outside = await open_outside(settings)
    except DataAgentError as error:
        return [*states, ComponentState(name="stores", state="fail", detail=error.message, mend=error.hint)]
    try:
        return [*states, *(await readiness(outside)).components]
    finally:
        await outside.close()


def _catalog(settings: Settings) -> ComponentState:
    try:
        catalog, warnings = load_catalog(settings.catalog)
    except CatalogInvalid as error:
        return ComponentState(name="catalog", state="fail", detail=error.message, mend=error.hint or "mend the file")
    if warnings:
        return ComponentState(name="catalog", state="warn", detail="\n".join(warnings), mend=str(settings.catalog))
    detail = f"{len(catalog.tables)} tables, {len(catalog.metrics)} metrics"
    return ComponentState(name="catalog", state="ok", detail=detail)


def view(states: list[ComponentState]) -> Table:
    """One line per component."""
    table = Table(box=None, pad_edge=False, show_header=False)
    for state in states:
        detail = state.detail + (f"\n→ {state.mend}" if state.mend and state.state != "ok" else "")
        lines = Text("\n".join(plain(line) for line in detail.splitlines()))
        table.add_row(
            Text(state.state, style=STYLE[state.state]), state.name, lines, f"{state.latency_ms:.0f} ms", style=None
        )
    return table
