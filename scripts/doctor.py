"""Check every component and say how to mend what is wrong."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from api.bootstrap import open_outside
from api.drift import drift, freshness, told
from api.health import CHECK_SECONDS, ComponentState, Found, readiness, timed
from api.inspection import open_inspector
from api.settings import Settings, load_settings
from data_agent.catalog.load import load_catalog
from data_agent.domain.catalog import Catalog
from data_agent.errors import CatalogInvalid, DataAgentError
from scripts.show import out, plain

STYLE = {"ok": "green", "warn": "yellow", "fail": "red", "off": "dim"}
WARNED, FAILED = 1, 5


def doctor(
    settings: Annotated[Path | None, typer.Option(help="A settings file; without it, the demo.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Check settings, catalog, warehouse, stores, embedder and model. The exit code tells the worst.

    0 all is well, 1 something weakens answers, 5 something prevents them.
    """
    states = asyncio.run(all_examined(load_settings(settings)))
    if json:
        print("[" + ",".join(state.model_dump_json() for state in states) + "]")  # noqa: T201
    else:
        out.print(view(states))
    return exit_code(states)


def exit_code(states: Iterable[ComponentState]) -> int:
    """What the worst of them says."""
    found = {state.state for state in states}
    return FAILED if "fail" in found else WARNED if "warn" in found else 0


async def all_examined(settings: Settings) -> list[ComponentState]:
    """Every warehouse's components; where there are several, each name begins with its warehouse's."""
    if not settings.warehouses:
        return await examined(settings)
    return [
        state.model_copy(update={"name": f"{name}/{state.name}"})
        for name, one in settings.each().items()
        for state in await examined(one)
    ]


async def examined(settings: Settings, **parts: Any) -> list[ComponentState]:
    """Each component with its state; what cannot even be opened is a finding too. Ports may be given in `parts`."""
    catalog, read = _catalog(settings)
    states = [ComponentState(name="settings", state="ok", detail="read"), read]
    try:
        outside = await open_outside(settings, **parts)
    except DataAgentError as error:
        return [*states, ComponentState(name="stores", state="fail", detail=error.message, mend=error.hint)]
    try:
        states += (await readiness(outside)).components
        if catalog:
            states.append(await timed("freshness", lambda: freshness(catalog, outside.metadata)))
    finally:
        await outside.close()
    if catalog:
        states.append(await timed("drift", lambda: _drift(settings, catalog)))
    return states


def _catalog(settings: Settings) -> tuple[Catalog | None, ComponentState]:
    file = str(settings.catalog)
    try:
        catalog, warnings = load_catalog(settings.catalog)
    except CatalogInvalid as error:
        mend = error.hint or f"mend {file}"
        return None, ComponentState(name="catalog", state="fail", detail=error.message, mend=mend)
    if warnings:
        detail = "\n".join(warnings)
        return catalog, ComponentState(name="catalog", state="warn", detail=detail, mend=f"mend {file}")
    detail = f"{len(catalog.tables)} tables, {len(catalog.metrics)} metrics"
    return catalog, ComponentState(name="catalog", state="ok", detail=detail)


async def _drift(settings: Settings, catalog: Catalog) -> Found:
    inspector = open_inspector(settings.warehouse)
    try:
        facts = await inspector.schema(CHECK_SECONDS)
    finally:
        await inspector.close()
    return told(drift(catalog, facts), facts, settings)


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
