"""Whether values may have changed: what each warehouse says, and that it never says «the same» when they are not."""

import time
from collections.abc import AsyncIterator
from pathlib import Path

import duckdb
import pytest
from sqlalchemy import make_url

from data_agent.domain.schema import Column
from data_agent.ports.changes import Changes, ColumnState
from repositories.embedded.warehouse import DuckDBWarehouse
from repositories.sql.states import QUIET_SECONDS
from repositories.sql.warehouse import MySQLWarehouse
from tests.servers import own_database, run_sql

NAME, CITY = Column(table="shops", name="name"), Column(table="shops", name="city")
VIEWED, GONE = Column(table="named", name="name"), Column(table="nowhere", name="x")


def change(file: Path, statements: str) -> None:
    with duckdb.connect(file) as database:
        database.execute(statements)


async def duckdb_states(file: Path) -> dict[str, ColumnState]:
    warehouse = DuckDBWarehouse(file)
    try:
        assert isinstance(warehouse, Changes)
        return await warehouse.states([NAME, CITY, VIEWED, GONE])
    finally:
        await warehouse.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    change(path, "CREATE TABLE shops (name VARCHAR, city VARCHAR); CREATE VIEW named AS SELECT name FROM shops")
    change(path, "INSERT INTO shops VALUES ('A', '北京'), ('B', NULL)")
    return path


@pytest.mark.parametrize(
    ("statement", "moved"),
    [
        ("SELECT 1", set()),
        ("UPDATE shops SET city = '上海' WHERE name = 'A'", {"shops.city"}),
        ("UPDATE shops SET city = '上海' WHERE city IS NULL", {"shops.city"}),
        ("UPDATE shops SET name = 'C' WHERE name = 'B'", {"shops.name", "named.name"}),
        ("INSERT INTO shops VALUES ('A', '北京')", {"shops.name", "shops.city", "named.name"}),
        ("DELETE FROM shops WHERE name = 'B'", {"shops.name", "shops.city", "named.name"}),
    ],
    ids=["nothing", "update", "null filled", "other column", "insert", "delete"],
)
async def test_duckdb_marks_move_with_the_values_of_their_column(file: Path, statement: str, moved: set[str]) -> None:
    before = await duckdb_states(file)
    change(file, statement)
    after = await duckdb_states(file)
    assert set(before) == {"shops.name", "shops.city", "named.name"}
    assert {column for column in before if before[column].mark != after[column].mark} == moved


async def test_duckdb_knows_how_many_rows_there_are(file: Path) -> None:
    assert {state.rows for state in (await duckdb_states(file)).values()} == {2}


TABLES = """CREATE TABLE shops (id INT PRIMARY KEY, name VARCHAR(20), city VARCHAR(20));
CREATE TABLE other (id INT PRIMARY KEY, name VARCHAR(20));
CREATE TABLE branches (id INT PRIMARY KEY, shop INT,
 FOREIGN KEY (shop) REFERENCES shops (id) ON DELETE SET NULL);
CREATE VIEW named AS SELECT name FROM shops;
INSERT INTO shops VALUES (1, 'A', '北京'), (2, 'B', NULL);
INSERT INTO other VALUES (1, 'x');
INSERT INTO branches VALUES (1, 1);
"""
OTHER, SHOP = Column(table="other", name="name"), Column(table="branches", name="shop")


@pytest.fixture(params=["mysql", "mariadb"])
async def server(request: pytest.FixtureRequest) -> AsyncIterator[str]:
    with own_database(request.getfixturevalue(f"{request.param}_url")) as url:
        run_sql(url, TABLES)
        yield url


async def states(url: str) -> dict[str, ColumnState]:
    warehouse = MySQLWarehouse(url)
    try:
        return await warehouse.states([NAME, CITY, VIEWED, OTHER, SHOP, GONE])
    finally:
        await warehouse.close()


@pytest.mark.mysql
async def test_a_server_marks_quiet_tables_and_moves_the_mark_when_one_is_written(server: str) -> None:
    fresh = await states(server)
    assert not any(state.mark for state in fresh.values()), "written to just now: may be again in the same second"
    time.sleep(QUIET_SECONDS + 1)  # noqa: ASYNC251  nothing else runs
    before = await states(server)
    assert {column for column, state in before.items() if state.mark} == {
        "shops.name",
        "shops.city",
        "other.name",
        "branches.shop",
    }
    assert before == await states(server)
    run_sql(server, "UPDATE shops SET city = '上海' WHERE id = 2;\nDELETE FROM shops WHERE id = 1;\n")
    time.sleep(QUIET_SECONDS + 1)  # noqa: ASYNC251
    after = await states(server)
    moved = {column for column in before if before[column].mark != after[column].mark}
    assert moved >= {"shops.name", "shops.city"} and "other.name" not in moved
    assert after["branches.shop"].mark != before["branches.shop"].mark, "changed through its foreign key"


@pytest.mark.mysql
async def test_a_server_that_cannot_be_trusted_with_times_gives_no_marks(server: str) -> None:
    from sqlalchemy import NullPool, create_engine

    from repositories.sql.states import states as of_session

    time.sleep(QUIET_SECONDS + 1)  # noqa: ASYNC251
    with create_engine(make_url(server), poolclass=NullPool).connect() as session:
        told = of_session(session, [NAME], "TiDB")
    assert told["shops.name"].mark == "" and told["shops.name"].rows is not None
