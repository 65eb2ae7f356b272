"""How well references are inferred: hide the declared foreign keys of real databases and count what is found again.

    python -m benchmarks.introspection mysql+pymysql://root@127.0.0.1:3306/ DATABASE…
    python -m benchmarks.introspection mysql+pymysql://root@127.0.0.1:3306/ --heldout

Without names every database of the server that is not its own is measured; `--heldout` makes the three schemas of
heldout.py on the server and measures them. Results: introspection.md.
"""

import asyncio
import sys

import pymysql
from sqlalchemy import make_url

from benchmarks.heldout import SCHEMAS, statements
from data_agent.introspection.introspect import introspect
from data_agent.introspection.options import IntrospectOptions
from repositories.sql.inspector import MySQLInspector

Ends = tuple[str, ...]
OWN = {"mysql", "sys", "information_schema", "performance_schema"}


async def measured(url: str, name: str) -> tuple[set[Ends], set[Ends], int, float]:
    """Declared and inferred references (lower case), tables, and seconds of one database."""
    inspector = MySQLInspector(make_url(url).set(database=name).render_as_string(hide_password=False))
    try:
        schema = await inspector.schema()
        found = await introspect(inspector, IntrospectOptions(declared=False))
    finally:
        await inspector.close()
    declared = {ends(k.table, k.columns, k.to_table, k.to_columns) for k in schema.foreign_keys}
    links = found.catalog.relationships
    inferred = {ends(x.from_table, x.from_columns, x.to_table, x.to_columns) for x in links}
    return declared, inferred, len(found.catalog.tables), found.seconds


def ends(table: str, columns: tuple[str, ...], to_table: str, to_columns: tuple[str, ...]) -> Ends:
    """A reference as one comparable value."""
    return tuple(part.casefold() for part in (table, *columns, to_table, *to_columns))


async def main(url: str, names: list[str]) -> None:
    """Print one line a database and the totals."""
    right = wrong = missed = 0
    for name in names:
        declared, inferred, tables, seconds = await measured(url, name)
        line = f"| {name} | {tables} | {len(declared)} | {len(inferred)} |"
        if declared:
            right += len(declared & inferred)
            wrong += len(inferred - declared)
            missed += len(declared - inferred)
            line += f" {len(declared & inferred)} | {sorted(inferred - declared)} | {sorted(declared - inferred)} |"
        print(line, f"{seconds:.2f} s |")
    if right:
        print(
            f"precision {right / (right + wrong):.3f} recall {right / (right + missed):.3f} ({right}/{wrong}/{missed})"
        )


def databases(url: str) -> list[str]:
    """Every database of the server that is not its own."""
    address = make_url(url)
    with pymysql.connect(host=address.host, port=address.port or 3306, user=address.username) as connection:
        cursor = connection.cursor()
        cursor.execute("SHOW DATABASES")
        return [row[0] for row in cursor if row[0] not in OWN]


def made(url: str) -> list[str]:
    """The held-out schemas, made anew on the server."""
    address = make_url(url)
    with pymysql.connect(host=address.host, port=address.port or 3306, user=address.username) as connection:
        cursor = connection.cursor()
        cursor.execute("SET foreign_key_checks = 0")
        for name, tables in SCHEMAS.items():
            cursor.execute(f"DROP DATABASE IF EXISTS {name}")
            cursor.execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
            cursor.execute(f"USE {name}")
            for statement in statements(tables):
                cursor.execute(statement)
        connection.commit()
    return list(SCHEMAS)


if __name__ == "__main__":
    where, *given = sys.argv[1:]
    asyncio.run(main(where, made(where) if given == ["--heldout"] else given or databases(where)))
