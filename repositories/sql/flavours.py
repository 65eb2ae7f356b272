"""What differs between the servers that speak MySQL's protocol, as data: one entry each."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PlanRows = Sequence[Mapping[str, Any]]

SQL_MODE = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
"""The server must read a statement as the guard did: no ANSI_QUOTES, PIPES_AS_CONCAT or NO_BACKSLASH_ESCAPES."""

GROUP_CONCAT_BYTES = 4 * 1024 * 1024
"""The default of 1024 bytes cuts lists off silently."""


@dataclass(frozen=True)
class Flavour:
    """One kind of server. `marks` are looked for in version and comment; `session` statements must be accepted,
    `wishes` may be refused; `begin` opens a read-only transaction."""

    name: str
    marks: tuple[str, ...]
    time_limit: Callable[[float], str]
    explain: str
    estimate: Callable[[PlanRows], int | None]
    session: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    begin: str | None = None


def in_milliseconds(variable: str) -> Callable[[float], str]:
    """SET SESSION `variable` to a time limit in ms."""
    return lambda seconds: f"SET SESSION {variable} = {max(1, round(seconds * 1000))}"


def in_seconds(variable: str) -> Callable[[float], str]:
    """SET SESSION `variable` to a time limit in s."""
    return lambda seconds: f"SET SESSION {variable} = {max(0.001, round(seconds, 3))}"


def in_whole_seconds(variable: str) -> Callable[[float], str]:
    """SET SESSION `variable` to a time limit in s, rounded up."""
    return lambda seconds: f"SET SESSION {variable} = {max(1, math.ceil(seconds))}"


def tabular(plan: PlanRows) -> int | None:
    """Rows that the optimizer expects to read, from a traditional EXPLAIN.

    Per SELECT the nested loop: rows of the first table, then times rows and `filtered` of each next one; the largest
    step counts. SELECTs add up; a dependent one runs once per row of the largest other one.
    """
    steps: dict[Any, tuple[float, float]] = {}
    dependent: set[Any] = set()
    for row in plan:
        if row.get("rows") is None:
            continue
        product, largest = steps.get(row["id"], (1.0, 0.0))
        reached = product * float(row["rows"])
        steps[row["id"]] = (reached * float(row.get("filtered") or 100.0) / 100.0, max(largest, reached))
        if str(row.get("select_type", "")).startswith("DEPENDENT"):
            dependent.add(row["id"])
    if not steps:
        return 0 if plan else None
    outer = [largest for key, (_, largest) in steps.items() if key not in dependent]
    inner = [largest for key, (_, largest) in steps.items() if key in dependent]
    return round(sum(outer) + sum(inner) * max(outer, default=1.0))


def largest_estimate(plan: PlanRows) -> int | None:
    """The largest `estRows` of a TiDB plan."""
    found = [float(row["estRows"]) for row in plan if row.get("estRows") not in (None, "", "N/A")]
    return round(max(found)) if found else None


CARDINALITY = re.compile(r"cardinality\s*[:=]\s*([\d,]+)", re.IGNORECASE)


def largest_cardinality(plan: PlanRows) -> int | None:
    """The largest `cardinality` in the text plan of StarRocks or Doris."""
    found = [int(n.replace(",", "")) for row in plan for v in row.values() for n in CARDINALITY.findall(str(v))]
    return max(found, default=None)


MYSQL = Flavour(
    name="MySQL",
    marks=(),
    time_limit=in_milliseconds("max_execution_time"),
    explain="EXPLAIN FORMAT=TRADITIONAL ",  # plain EXPLAIN prints a tree in MySQL 9
    estimate=tabular,
    session=(
        f"SET SESSION sql_mode = '{SQL_MODE}'",
        f"SET SESSION group_concat_max_len = {GROUP_CONCAT_BYTES}",
        "SET SESSION TRANSACTION READ ONLY",
    ),
    begin="START TRANSACTION READ ONLY",
)
MARIADB = Flavour(
    name="MariaDB",
    marks=("mariadb",),
    time_limit=in_seconds("max_statement_time"),
    explain="EXPLAIN EXTENDED ",
    estimate=tabular,
    session=MYSQL.session,
    begin=MYSQL.begin,
)
TIDB = Flavour(
    name="TiDB",
    marks=("tidb",),
    time_limit=in_milliseconds("max_execution_time"),
    explain="EXPLAIN ",
    estimate=largest_estimate,
    session=(f"SET SESSION sql_mode = '{SQL_MODE}'",),
    wishes=("SET SESSION TRANSACTION READ ONLY",),
)
STARROCKS = Flavour(
    name="StarRocks",
    marks=("starrocks",),
    time_limit=in_whole_seconds("query_timeout"),
    explain="EXPLAIN ",
    estimate=largest_cardinality,
    wishes=("SET SESSION TRANSACTION READ ONLY",),
)
DORIS = Flavour(
    name="Doris",
    marks=("doris", "selectdb"),
    time_limit=in_whole_seconds("query_timeout"),
    explain="EXPLAIN ",
    estimate=largest_cardinality,
    wishes=STARROCKS.wishes,
)


def flavour_of(version: str, comment: str) -> Flavour:
    """Which server says `version` and `comment` of itself; MySQL when it says nothing else."""
    said = f"{version} {comment}".casefold()
    return next((f for f in (MARIADB, TIDB, STARROCKS, DORIS) if any(mark in said for mark in f.marks)), MYSQL)
