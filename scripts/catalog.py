"""Prove a catalog on its warehouse: every metric is run, every relationship compared with the data."""

import asyncio
import json as json_module
from pathlib import Path
from typing import Annotated

import typer

from api.bootstrap import open_clock
from api.inspection import open_inspector
from api.settings import Settings, load_settings
from data_agent.catalog.load import load_catalog, places_of
from data_agent.errors import InvalidInput
from data_agent.introspection.proving import Finding, Proof, ProofLimits
from scripts.introspect import warehouse_of
from scripts.show import err, out

FAILED = 4
STYLE = {"error": "red", "warning": "yellow"}


def catalog(  # noqa: PLR0917  every option of the command
    action: Annotated[str, typer.Argument(help="`check`.")],
    path: Annotated[Path | None, typer.Argument(help="A catalog; without it, the settings'.")] = None,
    warehouse: Annotated[str, typer.Option(help="An address, or a name in the settings.")] = "",
    settings: Annotated[Path | None, typer.Option(help="A settings file; without it, the demo.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="Time limit for each statement.")] = 10.0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Check a catalog. Exit code: 0 nothing is wrong (warnings may be), 4 something is, 5 the warehouse is down."""
    if action != "check":
        raise InvalidInput(f"catalog {action}: there is only `catalog check`")
    told = load_settings(settings)
    findings = asyncio.run(_checked(path or told.each().get(warehouse, told).catalog, warehouse, told, seconds))
    if json:
        print(json_module.dumps([finding.model_dump() for finding in findings], ensure_ascii=False))  # noqa: T201
    else:
        for finding in findings:
            line = f"{finding.where}: {finding.message}\n  → {finding.mend}"
            out.print(line, style=STYLE[finding.severity], markup=False, highlight=False, soft_wrap=True)
    errors = sum(finding.severity == "error" for finding in findings)
    err.print(f"{errors} errors, {len(findings) - errors} warnings", markup=False, highlight=False)
    return FAILED if errors else 0


async def _checked(path: Path, url: str, settings: Settings, seconds: float) -> list[Finding]:
    loaded, warnings = load_catalog(path)
    for warning in warnings:
        err.print(f"! {warning}", style="yellow", markup=False, highlight=False)
    inspector = open_inspector(warehouse_of(url, settings))
    try:
        now = open_clock(settings).now()
        proof = Proof(loaded, places_of(path), inspector, now, ProofLimits(seconds=seconds))
        return [finding async for finding in proof.findings()]
    finally:
        await inspector.close()
