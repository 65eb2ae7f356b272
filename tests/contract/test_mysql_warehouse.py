"""What only a server can show: its process list, its session settings, broken connections, accounts."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from time import perf_counter
from uuid import uuid4

import pymysql
import pytest
from sqlalchemy import make_url

from data_agent.domain.admitted import AdmittedSql
from data_agent.errors import InvalidSettings, StatementFailed, WarehouseUnavailable
from data_agent.options import Limits
from repositories.sql.warehouse import MySQLWarehouse
from tests.contract import warehouses as the
from tests.contract.warehouses import mysql_bench
from tests.servers import run_sql

pytestmark = pytest.mark.mysql


def admitted(sql: str) -> AdmittedSql:
    return AdmittedSql(sql=sql, dialect="mysql", tables=())


@pytest.fixture(scope="module")
def numbers(mysql_database: str) -> str:
    mysql_bench(mysql_database)
    return mysql_database


@pytest.fixture
async def warehouse(numbers: str) -> AsyncIterator[MySQLWarehouse]:
    made = MySQLWarehouse(numbers, name="shop", time_zone="Asia/Shanghai", connections=2)
    yield made
    await made.close()


@contextlib.contextmanager
def owner(url: str) -> Iterator[pymysql.cursors.Cursor]:
    place = make_url(url)
    login = {"user": place.username or "root", "password": place.password or ""}
    connection = pymysql.connect(host=place.host or "", port=place.port or 3306, autocommit=True, **login)
    with contextlib.closing(connection), connection.cursor() as cursor:
        yield cursor


def running(url: str) -> list[tuple[int, str]]:
    """Session and statement of everything that runs in the database, ourselves left out."""
    with owner(url) as cursor:
        cursor.execute("SHOW FULL PROCESSLIST")
        rows = cursor.fetchall()
    name = make_url(url).database
    return [(row[0], row[7]) for row in rows if row[3] == name and row[4] == "Query"]


async def value(warehouse: MySQLWarehouse, sql: str) -> object:
    return (await warehouse.fetch(admitted(sql), Limits())).rows[0][0]


async def test_a_cancelled_question_leaves_nothing_running_on_the_server(
    warehouse: MySQLWarehouse, numbers: str
) -> None:
    task = asyncio.create_task(warehouse.fetch(admitted(the.SLOW), Limits(seconds=60)))
    for _ in range(50):
        await asyncio.sleep(0.1)
        if running(numbers):
            break
    assert [sql for _, sql in running(numbers)] == [the.SLOW]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert running(numbers) == []


async def test_a_stream_that_is_left_stops_on_the_server(warehouse: MySQLWarehouse, numbers: str) -> None:
    stream = warehouse.stream(admitted("SELECT a.padding FROM numbers a, numbers b"), batch=100)
    assert len(await anext(stream)) == 100
    assert len(running(numbers)) == 1
    start = perf_counter()
    await stream.aclose()  # type: ignore[attr-defined]
    assert running(numbers) == []
    assert perf_counter() - start < 5


async def test_a_connection_killed_in_the_night_is_not_noticed_in_the_morning(
    warehouse: MySQLWarehouse, numbers: str
) -> None:
    session = await value(warehouse, "SELECT CONNECTION_ID()")
    with owner(numbers) as cursor:
        cursor.execute(f"KILL {session}")
    assert await value(warehouse, "SELECT CONNECTION_ID()") != session


async def test_a_connection_killed_under_a_statement_is_tried_once_more(
    warehouse: MySQLWarehouse, numbers: str
) -> None:
    task = asyncio.create_task(warehouse.fetch(admitted("SELECT SLEEP(1.5), CONNECTION_ID()"), Limits()))
    await asyncio.sleep(0.5)
    (killed, _), *_ = running(numbers)
    with owner(numbers) as cursor:
        cursor.execute(f"KILL {killed}")
    assert (await task).rows[0][1] != killed


async def test_a_statement_that_someone_else_stops_is_an_outage(warehouse: MySQLWarehouse, numbers: str) -> None:
    task = asyncio.create_task(warehouse.fetch(admitted(the.SLOW), Limits(seconds=60)))
    await asyncio.sleep(0.5)
    (session, _), *_ = running(numbers)
    with owner(numbers) as cursor:
        cursor.execute(f"KILL QUERY {session}")
    with pytest.raises(WarehouseUnavailable, match="1317"):
        await task


async def test_the_session_is_set_for_reading_exactly(warehouse: MySQLWarehouse) -> None:
    assert await value(warehouse, "SELECT @@session.time_zone") in {"Asia/Shanghai", "+08:00"}
    assert await value(warehouse, "SELECT @@character_set_connection") == "utf8mb4"
    assert await value(warehouse, "SELECT @@session.transaction_read_only") == 1
    assert await value(warehouse, "SELECT @@session.max_execution_time") == 30_000
    mode = str(await value(warehouse, "SELECT @@session.sql_mode"))
    assert "ONLY_FULL_GROUP_BY" in mode
    assert "ANSI_QUOTES" not in mode


async def test_a_write_that_slipped_through_everything_is_refused(warehouse: MySQLWarehouse) -> None:
    with pytest.raises(StatementFailed, match="READ ONLY"):
        await warehouse.fetch(admitted("INSERT INTO numbers VALUES (-1, '')"), Limits())
    assert await value(warehouse, "SELECT COUNT(*) FROM numbers") == the.COUNT


async def test_a_time_zone_nobody_knows_is_told_with_its_mend(numbers: str) -> None:
    lost = MySQLWarehouse(numbers, time_zone="Mars/Olympus")
    with pytest.raises(WarehouseUnavailable, match="time zone") as caught:
        await lost.version()
    assert "mysql_tzinfo_to_sql" in caught.value.hint
    await lost.close()


async def test_a_zone_with_summer_time_is_never_replaced_by_an_offset(numbers: str) -> None:
    with owner(numbers) as cursor:
        cursor.execute("SELECT COUNT(*) FROM mysql.time_zone_name")
        if cursor.fetchone() != (0,):
            pytest.skip("this server has time zone tables")
    summery = MySQLWarehouse(numbers, time_zone="Europe/Berlin")
    with pytest.raises(WarehouseUnavailable, match="time zone"):
        await summery.version()
    await summery.close()


@contextlib.contextmanager
def account(url: str, *grants: str) -> Iterator[str]:
    """The address of an account that may do `grants` only, dropped in the end."""
    name, database = f"t{uuid4().hex[:10]}", make_url(url).database
    statements = "".join(f"GRANT {grant} ON {database}.* TO '{name}'@'%';\n" for grant in grants)
    run_sql(url, f"CREATE USER '{name}'@'%' IDENTIFIED BY 's3cret-word';\n{statements}")
    try:
        yield make_url(url).set(username=name, password="s3cret-word").render_as_string(hide_password=False)
    finally:
        run_sql(url, f"DROP USER '{name}'@'%'")


async def test_a_wrong_password_is_an_outage_that_tells_no_secret(numbers: str) -> None:
    with account(numbers, "SELECT") as url:
        locked_out = MySQLWarehouse(url.replace("s3cret-word", "wr0ng-word"), name="shop")
        with pytest.raises(WarehouseUnavailable, match="shop refused the login") as caught:
            await locked_out.explain(admitted(the.ONE))
        told = f"{caught.value.message} {caught.value.hint} {caught.value!r} {caught.value.__cause__!r}"
        assert "wr0ng" not in told
        assert "mysql+pymysql" not in told
        await locked_out.close()


async def test_a_database_that_is_not_there_is_an_outage_but_in_a_statement_a_complaint(
    warehouse: MySQLWarehouse, numbers: str
) -> None:
    homeless = MySQLWarehouse(make_url(numbers).set(database="nowhere_at_all").render_as_string(hide_password=False))
    with pytest.raises(WarehouseUnavailable, match="1049"):
        await homeless.explain(admitted(the.ONE))
    await homeless.close()
    assert (await warehouse.explain(admitted("SELECT n FROM nowhere_at_all.t"))).code == 1049


async def test_a_view_that_explain_may_not_see_is_proven_another_way(numbers: str) -> None:
    """The case q238."""
    run_sql(numbers, "CREATE OR REPLACE VIEW seen AS SELECT n FROM numbers WHERE n < 3")
    with account(numbers, "SELECT") as url:
        reader = MySQLWarehouse(url)
        assert await reader.explain(admitted("SELECT n FROM seen WHERE 'a:b %d' <> '\\'x'")) == (
            await reader.explain(admitted("SELECT n FROM seen"))
        )
        assert (await reader.explain(admitted("SELECT nope FROM seen"))).code == 1054
        assert len((await reader.fetch(admitted("SELECT n FROM seen"), Limits())).rows) == 3
        assert "SELECT" in " ".join(await reader.privileges())
        await reader.close()


async def test_a_table_the_account_may_not_read_is_an_outage_that_names_the_mend(numbers: str) -> None:
    with account(numbers, "SHOW VIEW") as url:
        blind = MySQLWarehouse(url)
        with pytest.raises(WarehouseUnavailable) as caught:
            await blind.explain(admitted(the.ALL))
        assert "GRANT SELECT" in caught.value.hint
        await blind.close()


def test_an_address_that_cannot_be_read_is_not_repeated() -> None:
    for url in ("mysql+pymysql://reader:s3cret@host:port/x", "oracle://reader:s3cret@host/x", "s3cret"):
        with pytest.raises(InvalidSettings) as caught:
            MySQLWarehouse(url)
        assert "s3cret" not in str(caught.value)


async def test_a_server_that_does_not_answer_is_given_up_within_the_connect_time() -> None:
    # 192.0.2.0/24 is kept for documentation (RFC 5737): nobody answers there
    silent = MySQLWarehouse("mysql+pymysql://reader@192.0.2.1:3306/x", connect_seconds=1)
    start = perf_counter()
    with pytest.raises(WarehouseUnavailable):
        await silent.fetch(admitted(the.ONE), Limits())
    assert perf_counter() - start < 4
    await silent.close()
