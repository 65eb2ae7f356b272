"""`data-agent admit`: ask the guard about one statement, without a database."""

import json
import re
from pathlib import Path
from typing import Annotated

import typer

from data_agent.catalog.load import load_catalog
from data_agent.domain.catalog import Catalog
from data_agent.errors import Refused
from data_agent.options import Limits
from data_agent.sql.admit import admit as let

UNKNOWN = Catalog(name="", version="")


def admit(
    sql: Annotated[str, typer.Argument(help="The statement to examine.")],
    *,
    role: Annotated[str, typer.Option(help="Whose rights to examine it with.")] = "",
    max_rows: Annotated[int, typer.Option(min=1, help="The most rows it may return.")] = 1000,
    dialect: Annotated[str, typer.Option(help="mysql, mariadb or duckdb.")] = "mysql",
    tables: Annotated[str, typer.Option(help="The only tables it may read, with commas between.")] = "",
    catalog: Annotated[Path | None, typer.Option(help="A catalog to look names up in.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say whether a statement would be admitted, what would run instead, and why not. Exit code 3: refused."""
    verdict = examine(sql, role=role, max_rows=max_rows, dialect=dialect, tables=tables, catalog=catalog)
    if as_json:
        typer.echo(json.dumps(verdict, ensure_ascii=False))
    else:
        typer.echo(verdict["sql"] if verdict["allow"] else f"{verdict['code']}: {verdict['reason']}")
    raise typer.Exit(0 if verdict["allow"] else Refused.exit_code)


def examine(
    sql: str, *, role: str, max_rows: int, dialect: str, tables: str, catalog: Path | None
) -> dict[str, object]:
    """The guard's verdict: `allow`, `sql`, `tables`, `limit`, `reason`, `code`."""
    allowed = frozenset(name.strip() for name in tables.split(",") if name.strip()) or None
    note = None
    try:
        if role:
            raise Refused("Roles need a policy file, and none is set up.", hint="Leave out --role.")
        known = load_catalog(catalog)[0] if catalog else UNKNOWN
        if catalog is None and allowed is None:
            allowed = _plain_names(sql)
            note = "Names were not checked: neither --catalog nor --tables was given."
        admitted = let(sql, catalog=known, dialect=dialect, limits=Limits(max_rows=max_rows), allowed_tables=allowed)
    except Refused as refusal:
        code = getattr(refusal, "reason_code", refusal.code)
        return {"allow": False, "sql": None, "tables": [], "limit": None, "reason": refusal.message, "code": code}
    return {
        "allow": True,
        "sql": admitted.sql,
        "tables": list(admitted.tables),
        "limit": admitted.limit,
        "reason": note,
        "code": None,
    }


def _plain_names(sql: str) -> frozenset[str]:
    """Every plain word of the statement: with nothing to look names up in, each may be a table."""
    return frozenset(re.findall(r"[^\W\d]\w*", sql))
