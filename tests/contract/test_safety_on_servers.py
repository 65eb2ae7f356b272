"""Defence at the database, on real servers: statements really stop, budgets hold, accounts are looked at."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlalchemy import make_url

from api.health import _account
from api.service import Service
from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.answer import Rows
from data_agent.errors import StatementFailed, WarehouseTimeout, WarehouseUnavailable
from data_agent.events import Failed
from data_agent.options import Limits, Options
from data_agent.sql.admit import admit
from data_agent.sql.cost import too_expensive
from repositories.embedded.warehouse import DuckDBWarehouse
from repositories.sql.warehouse import MySQLWarehouse
from tests.cases.sql_shop import sql_shop
from tests.contract.test_mysql_warehouse import running
from tests.fakes.graph import fake_outside, fake_service
from tests.servers import run_sql
from tests.unit.test_api_http import door

CROSSED = "SELECT SUM(o0.id * o7.id) FROM orders o0 " + " ".join(
    f"CROSS JOIN orders o{number}" for number in range(1, 12)
)
JOINED = "SELECT COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id"


def admitted(sql: str, dialect: str = "mysql") -> AdmittedSql:
    return admit(sql, catalog=sql_shop(), dialect=dialect, limits=Limits())


class Heavy(MySQLWarehouse):
    """Whatever is asked, the server has years of work with it."""

    async def fetch(self, sql: AdmittedSql, limits: Limits) -> Rows:
        return await super().fetch(admitted(CROSSED), limits)


@pytest.fixture
async def heavy(fixture_database: str) -> AsyncIterator[Heavy]:
    made = Heavy(fixture_database, name="shop")
    yield made
    await made.close()


async def seen(url: str, there: bool) -> bool:
    """Whether the process list gets to show a statement (or none) within ten seconds."""
    for _ in range(100):
        if bool(await asyncio.to_thread(running, url)) is there:
            return True
        await asyncio.sleep(0.1)
    return False


def listening(service: Service) -> "asyncio.Task[list[Any]]":
    async def heard() -> list[Any]:
        return [event async for event in service.ask("慢", thread_id="t")]

    return asyncio.create_task(heard())


@pytest.mark.mysql
async def test_the_stop_button_ends_the_statement_on_the_server(heavy: Heavy, fixture_database: str) -> None:
    service = fake_service(warehouse=heavy)
    async with door(service) as client:
        asking = asyncio.create_task(client.post("/api/query", json={"query": "慢", "thread_id": "t", "stream": False}))
        assert await seen(fixture_database, True)
        assert (await client.post("/api/query/t/cancel")).status_code == 204
        assert running(fixture_database) == []
        reply = await asking
        assert (reply.status_code, reply.json()["code"]) == (409, "cancelled")
        assert (await client.post("/api/query/t/cancel")).json()["code"] == "nothing_runs"


@pytest.mark.mysql
async def test_a_client_who_leaves_ends_the_statement_on_the_server(heavy: Heavy, fixture_database: str) -> None:
    async with aclosing(fake_service(warehouse=heavy).ask("慢")) as events:
        waiting = asyncio.create_task(anext(events))
        await waiting
        drain: asyncio.Task[Any] = asyncio.create_task(_drained(events))
        assert await seen(fixture_database, True)
        drain.cancel()
        await asyncio.gather(drain, return_exceptions=True)
    assert running(fixture_database) == []


async def _drained(events: Any) -> None:
    async for _ in events:
        pass


@pytest.mark.mysql
async def test_the_time_limit_of_the_question_ends_the_statement_on_the_server(
    heavy: Heavy, fixture_database: str
) -> None:
    events = await listening(fake_service(Options(total_seconds=1.5), warehouse=heavy))
    assert next(event.code for event in events if isinstance(event, Failed)) == "question_timeout"
    assert running(fixture_database) == []


@pytest.mark.mysql
async def test_the_server_itself_stops_what_runs_too_long(fixture_database: str) -> None:
    warehouse = MySQLWarehouse(fixture_database, name="shop")
    try:
        with pytest.raises(WarehouseTimeout):
            await warehouse.fetch(admitted(CROSSED), Limits(seconds=0.5))
        assert running(fixture_database) == []
    finally:
        await warehouse.close()


@pytest.mark.mysql
async def test_mysql_estimates_a_cross_join_as_too_expensive_and_a_joined_one_not(fixture_database: str) -> None:
    warehouse = MySQLWarehouse(fixture_database, name="shop")
    try:
        problem = await _judged(warehouse, "mysql", Limits())
        assert problem == ["crossed", None]
        assert await _judged(warehouse, "mysql", Limits(max_estimated_rows=1)) == ["crossed", "too_expensive"]
    finally:
        await warehouse.close()


async def test_duckdb_estimates_a_cross_join_as_too_expensive_and_a_joined_one_not(tmp_path: Path) -> None:
    warehouse = duckdb_shop(tmp_path)
    try:
        assert await _judged(warehouse, "duckdb", Limits()) == ["crossed", None]
        assert await _judged(warehouse, "duckdb", Limits(max_estimated_rows=1)) == ["crossed", "too_expensive"]
    finally:
        await warehouse.close()


async def _judged(warehouse: Any, dialect: str, limits: Limits) -> list[str | None]:
    found = []
    for sql in (CROSSED, JOINED):
        statement = admitted(sql, dialect)
        problem = too_expensive(statement, await warehouse.explain(statement), limits)
        found.append(problem.reason_code if problem else None)
    return found


def duckdb_shop(folder: Path) -> DuckDBWarehouse:
    file = folder / "shop.duckdb"
    with duckdb.connect(str(file)) as database:
        database.execute("CREATE TABLE customers AS SELECT range AS id FROM range(10)")
        database.execute("CREATE TABLE orders AS SELECT range AS id, range % 10 AS customer_id FROM range(100)")
    return DuckDBWarehouse(file)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd', delim = ':')",
        "SELECT * FROM read_text('/etc/passwd')",
        "COPY orders TO 'copied.csv'",
        "ATTACH 'other.duckdb' AS other",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "SET memory_limit = '100GB'",
        "DELETE FROM orders",
        "CREATE TABLE more (id INTEGER)",
    ],
)
async def test_duckdb_refuses_what_would_have_slipped_through_the_guard(tmp_path: Path, sql: str) -> None:
    warehouse = duckdb_shop(tmp_path)
    try:
        with pytest.raises((StatementFailed, WarehouseUnavailable)):
            await warehouse.fetch(AdmittedSql(sql=sql, dialect="duckdb", tables=()), Limits())
    finally:
        await warehouse.close()


@pytest.fixture
def account(fixture_database: str) -> Callable[[str], Awaitable[tuple[str, str]]]:
    """Makes an account with rights on the shop; gives what doctor says about it and how to mend it."""

    async def judged(grants: str) -> tuple[str, str]:
        url = make_url(fixture_database)
        name = f"r_{str(url.database)[-20:]}"
        run_sql(fixture_database, f"CREATE USER {name} IDENTIFIED BY 'Secret-1'")
        try:
            for grant in grants.split(";"):
                run_sql(fixture_database, f"GRANT {grant.format(shop=f'`{url.database}`.*')} TO {name}")
            login = url.set(username=name, password="Secret-1").render_as_string(hide_password=False)
            warehouse = MySQLWarehouse(login, name="shop")
            try:
                state, _, mend = await _account(fake_outside(warehouse=warehouse))
            finally:
                await warehouse.close()
            for statement in mend.splitlines():
                run_sql(fixture_database, statement.rstrip(";"))  # the cure must be a statement the server takes
            return state, mend
        finally:
            run_sql(fixture_database, f"DROP USER {name}")

    return judged


@pytest.mark.mysql
async def test_doctor_is_content_with_a_reading_account(account: Callable[[str], Awaitable[tuple[str, str]]]) -> None:
    assert await account("SELECT, SHOW VIEW ON {shop}") == ("ok", "")


@pytest.mark.mysql
@pytest.mark.parametrize(
    ("grants", "mended"),
    [("SELECT, INSERT ON {shop}", "REVOKE INSERT ON"), ("SELECT ON {shop};FILE ON *.*", "REVOKE FILE ON *.*")],
)
async def test_doctor_warns_of_more_and_names_a_statement_that_the_server_takes(
    account: Callable[[str], Awaitable[tuple[str, str]]], grants: str, mended: str
) -> None:
    state, mend = await account(grants)
    assert state == "warn" and mended in mend
