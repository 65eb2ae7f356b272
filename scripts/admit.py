"""`data-agent admit`: ask the guard about one statement, without a database."""

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from api.policies import load_policy, no_policy
from api.settings import Settings, load_settings
from data_agent.catalog.load import load_catalog
from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Catalog
from data_agent.errors import DataAgentError, InvalidInput
from data_agent.options import Limits
from data_agent.policy.rights import Rights
from data_agent.sql.admit import admit as let
from data_agent.verify.verify import verify
from scripts.ask import attributes_of

UNKNOWN = Catalog(name="", version="")
UNCHECKED = "Names were not checked: no catalog and no list of tables was given."
_MOST_READ = 1_000_000


@dataclass(frozen=True)
class Ground:
    """What a statement is held to: `tables` the only ones it may read (None: no list), `rights` those of a role."""

    dialect: str
    max_rows: int
    tables: frozenset[str] | None = None
    catalog: Catalog | None = None
    rights: Rights | None = None


def admit(
    sql: Annotated[str, typer.Argument(help="The statement to examine; - reads it from the standard input.")],
    *,
    role: Annotated[str, typer.Option(help="Whose rights to examine it with, from the settings' policy.")] = "",
    caller: Annotated[
        list[str] | None, typer.Option("--caller", "--attr", help="An attribute of the caller, NAME=VALUE; repeatable.")
    ] = None,
    max_rows: Annotated[int, typer.Option(min=1, help="The most rows it may return.")] = 1000,
    dialect: Annotated[str, typer.Option(help="mysql, mariadb or duckdb; without it, what the settings say.")] = "",
    tables: Annotated[str, typer.Option(help="The only tables it may read, with commas between.")] = "",
    catalog: Annotated[Path | None, typer.Option(help="A catalog to look names up in.")] = None,
    policy: Annotated[Path | None, typer.Option(help="A policy file to take the role from.")] = None,
    settings: Annotated[Path | None, typer.Option(help="A settings file for what is not given here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Say whether a statement would be admitted, what would run instead, and why not. Exit code 3: refused."""
    code = 0
    try:
        attributes = attributes_of(caller or [], "--caller region=East")
        asked = Caller(role=role or Caller().role, attributes=attributes) if role or attributes else None
        within = ground(asked, max_rows, dialect, tables, Files(catalog, policy, settings))
        verdict = examine(read(sql), within)
    except DataAgentError as error:
        code, verdict = error.exit_code, refusal(error)
    if as_json:
        text = json.dumps(verdict, ensure_ascii=False)
    else:
        text = str(verdict["sql"] if verdict["allow"] else f"{verdict['code']}: {verdict['reason']}")
    # What was no text of any encoding comes back as \udcXX.
    typer.echo(text.encode("utf-8", "backslashreplace"))
    return code


@dataclass(frozen=True)
class Files:
    """What may be read for an examination; without settings only what is named counts."""

    catalog: Path | None = None
    policy: Path | None = None
    settings: Path | None = None


def ground(caller: Caller | None, max_rows: int, dialect: str, tables: str, files: Files) -> Ground:
    """What the options say to hold a statement to. A caller makes us ask the settings for what no option names.

    Raises:
        DataAgentError: a file has mistakes, or the policy does not know the role.
    """
    asks = files.settings or (caller and not files.policy)
    found = next(iter(load_settings(files.settings).each().values())) if asks else None
    catalog_file = files.catalog or (found.catalog if found else None)
    policy_file = files.policy or (found.policy if found else None)
    catalog = load_catalog(catalog_file)[0] if catalog_file else None
    if policy_file and catalog is None:
        raise InvalidInput("a policy needs its catalog: add --catalog FILE")
    rights = _rights(caller or Caller(), catalog, policy_file)
    names = frozenset(name.strip() for name in tables.replace("，", ",").split(",") if name.strip()) or None
    return Ground(dialect or _dialect_of(found), max_rows, names, catalog, rights)


def _rights(caller: Caller, catalog: Catalog | None, policy_file: Path | None) -> Rights | None:
    if catalog is None or policy_file is None:
        no_policy(catalog or UNKNOWN, caller)
        return None
    policy = load_policy(policy_file, catalog)
    # The statement is printed, and the salt of its hash masks is nobody's business.
    quiet = policy.model_copy(update={"salt": "*" * max(16, len(policy.salt))})
    return Rights.of(catalog, quiet, caller)


def _dialect_of(settings: Settings | None) -> str:
    return "duckdb" if settings and settings.warehouse.embedded else "mysql"


def read(sql: str) -> str:
    """The statement, from the standard input when it is `-`."""
    return sys.stdin.buffer.read(_MOST_READ).decode("utf-8", "surrogateescape") if sql == "-" else sql


def examine(sql: str, within: Ground) -> dict[str, object]:
    """The guard's verdict on a statement: `allow`, `sql`, `tables`, `limit`, `reason`, `code`.

    Raises:
        Refused: it is not admitted, or not proven to keep to the policy.
    """
    rights, unchecked = within.rights, within.catalog is None and within.tables is None
    # A server says of itself that it is MariaDB; to everything else it speaks MySQL.
    dialect, version = ("mysql", "MariaDB") if within.dialect.casefold() == "mariadb" else (within.dialect, "")
    limits = Limits(max_rows=within.max_rows)
    admitted = let(
        sql,
        catalog=rights.view if rights else within.catalog or UNKNOWN,
        dialect=dialect,
        limits=rights.lowered(limits) if rights else limits,
        version=version,
        allowed_tables=_plain_names(sql) if unchecked else within.tables,
        rewrite=rights.rewriting(dialect) if rights else None,
    )
    if rights:
        verify(admitted.sql, dialect=dialect, catalog=rights.whole, policy=rights.policy, caller=rights.caller)
    return {
        "allow": True,
        "sql": admitted.sql,
        "tables": list(admitted.tables),
        "limit": admitted.limit,
        "reason": UNCHECKED if unchecked else None,
        "code": None,
    }


def refusal(error: DataAgentError) -> dict[str, object]:
    """The same keys for a statement that is not admitted, or could not be examined."""
    code = getattr(error, "reason_code", error.code)
    return {"allow": False, "sql": None, "tables": [], "limit": None, "reason": error.message, "code": code}


def _plain_names(sql: str) -> frozenset[str]:
    """Every plain word of the statement: with nothing to look names up in, each may be a table."""
    return frozenset(re.findall(r"[^\W\d]\w*", sql))
