"""The golden questions hold: well spread, and their statements give the same rows on DuckDB and on MySQL."""

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import duckdb
import pymysql
import pytest
from sqlalchemy import make_url

from demo.layout import ORDER, demo_catalog
from demo.warehouse import build
from tests.golden.cases import load_cases, same_rows
from tests.servers import own_database

CASES = load_cases()
ANSWERED = [case for case in CASES if case.expect == "answer"]


@pytest.fixture(scope="module")
def on_duckdb(tmp_path_factory) -> Iterator[duckdb.DuckDBPyConnection]:
    path = tmp_path_factory.mktemp("golden") / "demo.duckdb"
    build(f"duckdb:///{path}")
    with duckdb.connect(str(path), read_only=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def on_mysql(mysql_url: str) -> Iterator[Any]:
    with own_database(mysql_url) as url:
        assert build(url).built
        assert not build(url).built
        address = make_url(url)
        connection = pymysql.connect(
            host=address.host or "127.0.0.1",
            port=address.port or 3306,
            user=address.username or "root",
            password=address.password or "",
            database=address.database,
        )
        with contextlib.closing(connection):
            yield connection.cursor()


def test_there_are_enough_questions_in_both_languages():
    languages = Counter(case.lang for case in CASES)
    assert len(CASES) >= 150
    assert abs(languages["zh"] - languages["en"]) <= len(CASES) // 10
    assert sum(case.expect != "answer" for case in CASES) >= 30


def test_ids_and_questions_are_unique():
    assert len({case.id for case in CASES}) == len({case.question for case in CASES}) == len(CASES)


def test_every_question_has_a_statement_or_a_reason():
    for case in CASES:
        assert bool(case.sql) == (case.expect == "answer"), case.id
        assert bool(case.reason) == (case.expect != "answer"), case.id


def test_every_kind_of_question_is_there():
    tags = Counter(tag for case in CASES for tag in case.tags)
    for tag in (
        "metric", "dimension", "value", "several", "negation", "comparison", "time", "top", "bottom", "ties", "share",
        "yoy", "mom", "running", "average_per", "distinct", "having", "yes_no", "list", "snapshot", "bridge", "code",
        "english_value", "reserved_word", "empty_string", "nulls", "case_variant", "two_paths", "finer", "fan_out",
    ):  # fmt: skip
        assert tags[tag] >= 1, tag


def test_the_demo_questions_are_among_them():
    assert sum("demo" in case.tags for case in CASES) == 5


@pytest.mark.slow
@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case.id)
def test_the_statement_runs_on_duckdb_and_finds_something(case, on_duckdb):
    rows = on_duckdb.execute(case.statement("duckdb")).fetchall()
    if "empty" not in case.tags:
        assert rows, case.question
        assert any(cell is not None for row in rows for cell in row), case.question


@pytest.mark.slow
@pytest.mark.mysql
@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case.id)
def test_the_statement_gives_the_same_rows_on_mysql(case, on_duckdb, on_mysql):
    on_mysql.execute(case.statement("mysql"))
    expected = on_duckdb.execute(case.statement("duckdb")).fetchall()
    assert same_rows(on_mysql.fetchall(), expected, ordered=case.ordered), case.question


@pytest.mark.slow
@pytest.mark.mysql
@pytest.mark.parametrize("name", ORDER)
def test_both_warehouses_hold_the_same_rows(name, on_duckdb, on_mysql):
    table = demo_catalog().table(name)
    columns = [column.name for column in table.columns]
    for mark, run in (("`", on_mysql.execute), ('"', on_duckdb.execute)):
        listed = ", ".join(f"{mark}{column}{mark}" for column in columns)
        keys = ", ".join(f"{mark}{key}{mark}" for key in table.primary_key)
        run(f"SELECT {listed} FROM {mark}{name}{mark} ORDER BY {keys}")
    assert list(on_mysql.fetchall()) == on_duckdb.fetchall()


@pytest.mark.slow
@pytest.mark.mysql
def test_mysql_declares_keys_and_comments(on_mysql):
    on_mysql.execute(
        "SELECT constraint_type, COUNT(*) FROM information_schema.table_constraints "
        "WHERE table_schema = DATABASE() GROUP BY constraint_type"
    )
    declared = dict(on_mysql.fetchall())
    assert declared == {"PRIMARY KEY": len(ORDER), "FOREIGN KEY": len(demo_catalog().relationships)}
    on_mysql.execute(
        "SELECT column_comment FROM information_schema.columns WHERE table_schema = DATABASE() "
        "AND table_name = 'orders' AND column_name = 'created_at'"
    )
    assert on_mysql.fetchone() == ("下单时间",)
