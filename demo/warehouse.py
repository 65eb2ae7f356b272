"""Build the demo warehouse: the same rows in DuckDB or MySQL by one call, once."""

import time
from dataclasses import dataclass, field

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from data_agent.errors import InvalidSettings
from demo.generate import SEED, VERSION, Columns, Dice, customer_table, lookup_tables, product_tables, stock_table
from demo.layout import ORDER
from demo.trade import trade_tables


@dataclass(frozen=True)
class BuildReport:
    """What a build did; `rows` by table, `seconds` of work. `built` is False when it was there already."""

    dialect: str
    built: bool
    rows: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0


def generate() -> dict[str, Columns]:
    """Every table of the demo, parents first."""
    dice = Dice(SEED)
    found = lookup_tables() | product_tables(dice)
    found["customers"], people = customer_table(dice)
    found["stock_daily"] = stock_table(dice)
    found |= trade_tables(dice, people)
    return {name: found[name] for name in ORDER}


def stamp() -> str:
    """What the marker table says when this very data is in place."""
    return f"{SEED}/{VERSION}"


def build(url: str) -> BuildReport:
    """Make the demo at `duckdb:///path` or `mysql+pymysql://…/name`; a second call finds it and returns at once.

    Raises:
        InvalidSettings: the URL names no such database, or one that holds something else.
        WarehouseUnavailable: the server cannot be reached or refuses the login.
    """
    started = time.perf_counter()
    target = _parse(url)
    if target.get_backend_name() == "duckdb":
        from demo.to_duckdb import build_duckdb

        rows = build_duckdb(target, generate, stamp())
    else:
        from demo.to_mysql import build_mysql

        rows = build_mysql(target, generate, stamp())
    seconds = time.perf_counter() - started
    return BuildReport(target.get_backend_name(), bool(rows), rows, round(seconds, 3))


def _parse(url: str) -> URL:
    try:
        target = make_url(url)
    except ArgumentError as error:
        raise InvalidSettings("the demo needs a URL such as duckdb:///demo.duckdb") from error
    if target.get_backend_name() not in ("duckdb", "mysql", "mariadb"):
        raise InvalidSettings(
            f"the demo cannot be built in {target.get_backend_name()}",
            hint="Use duckdb:///path/to/demo.duckdb or mysql+pymysql://user:password@host/demo.",
        )
    if not target.database or target.database == ":memory:":
        raise InvalidSettings("the demo's URL must name a file or a database", hint="duckdb:///demo.duckdb")
    return target
