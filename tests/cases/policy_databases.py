"""The star twice, whole and cut, in DuckDB and in MySQL."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from uuid import uuid4

import duckdb
import pymysql
from sqlalchemy import make_url

from tests.cases.policy_differential import Run
from tests.cases.policy_star import Rows, create_statements, cut_rows, full_rows


@contextmanager
def in_duckdb() -> Iterator[tuple[Run, Run]]:
    """Both databases in this process.

    Without one optimizer: with it 2.0.1 finds EXISTS (... LEFT JOIN b ON ... AND b.y IS NULL) false when y has no NULL.
    """
    with _duckdb(full_rows()) as whole, _duckdb(cut_rows(full_rows())) as cut:
        yield lambda sql: whole.execute(sql).fetchall(), lambda sql: cut.execute(sql).fetchall()


def _duckdb(rows: Rows) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:", config={"threads": 1, "disabled_optimizers": "statistics_propagation"})
    for statement in create_statements(rows):
        connection.execute(statement)
    for table, held in rows.items():
        if held:
            marks = ", ".join("?" * len(held[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", [list(row.values()) for row in held])
    return connection


@contextmanager
def in_mysql(url: str) -> Iterator[tuple[Run, Run]]:
    """Both databases on a server, under names of their own, dropped at the end.

    The copy is read without semi-joins: as a reference it has to be right, and 9.7 loses rows of NOT EXISTS with them.
    """
    whole, cut = (f"policy_{kind}_{uuid4().hex[:8]}" for kind in ("all", "cut"))
    with closing(_connected(url)) as one, closing(_connected(url)) as other:
        try:
            _fill(one.cursor(), whole, full_rows())
            _fill(other.cursor(), cut, cut_rows(full_rows()))
            other.cursor().execute("SET optimizer_switch = 'semijoin=off'")
            yield _running(one), _running(other)
        finally:
            for name in (whole, cut):
                one.cursor().execute(f"DROP DATABASE IF EXISTS {name}")


def _running(connection: pymysql.Connection) -> Run:
    def run(sql: str) -> list[tuple[object, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return list(cursor.fetchall())

    return run


def _connected(url: str) -> pymysql.Connection:
    parts = make_url(url)
    return pymysql.connect(
        host=parts.host, port=parts.port or 3306, user=parts.username, password=parts.password or "", autocommit=True
    )


def _fill(cursor: pymysql.cursors.Cursor, name: str, rows: Rows) -> None:
    cursor.execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
    cursor.execute(f"USE {name}")
    for statement in create_statements(rows):
        cursor.execute(statement)
    for table, held in rows.items():
        if held:
            marks = ", ".join(["%s"] * len(held[0]))
            cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", [list(row.values()) for row in held])
