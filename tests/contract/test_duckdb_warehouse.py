"""What only the embedded warehouse can show: one file, closed to the outside, many readers."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import duckdb
import psutil
import pytest

from data_agent.domain.admitted import AdmittedSql
from data_agent.errors import StatementFailed, WarehouseUnavailable
from data_agent.options import Limits
from repositories.embedded.warehouse import DuckDBWarehouse


def admitted(sql: str) -> AdmittedSql:
    return AdmittedSql(sql=sql, dialect="duckdb", tables=())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(path) as database:
        database.execute("CREATE TABLE sales AS SELECT range AS id, '北京' AS city FROM range(100)")
    return path


@pytest.fixture
async def warehouse(file: Path) -> AsyncIterator[DuckDBWarehouse]:
    made = DuckDBWarehouse(file, name="shop", time_zone="Asia/Shanghai")
    yield made
    await made.close()


VALUES = [
    ("170141183460469231731687303715884105727::HUGEINT", "170141183460469231731687303715884105727", "big_integer"),
    ("18446744073709551615::UBIGINT", "18446744073709551615", "big_integer"),
    ("SUM(id)", 4950, "integer"),
    ("5::DECIMAL(10,0)", 5, "integer"),
    ("0.1::FLOAT", 0.1, "float"),
    ("'nan'::DOUBLE", None, "float"),
    ("1/0", None, "float"),
    ("true", True, "bool"),
    ("TIMESTAMP '2026-01-02 03:04:05.5'", "2026-01-02 03:04:05.500000", "datetime"),
    ("TIMESTAMPTZ '2026-03-31 18:30:00+00'", "2026-04-01 02:30:00+08:00", "datetime"),
    ("TIME '12:30:00'", "12:30:00", "time"),
    ("INTERVAL '-1 second'", "-00:00:01", "time"),
    ("[1, 2, NULL]", "[1, 2, null]", "json"),
    ("[]", "[]", "json"),
    ("{'a': 1, 'b': DATE '2026-01-01'}", '{"a": 1, "b": "2026-01-01"}', "json"),
    ("MAP {'k': 1.5}", '{"k": "1.5"}', "json"),
    ("'{\"a\": 1}'::JSON", '{"a": 1}', "json"),
    ("'a48e63da-feb9-405d-b3d4-5303ab052949'::UUID", "a48e63da-feb9-405d-b3d4-5303ab052949", "text"),
    ("'\\xFF'::BLOB", "/w==", "bytes"),
    ("'0101'::BIT", "0101", "text"),
    ("'x'::ENUM('x', 'y')", "x", "text"),
    ("NULL", None, "null"),
    ("NULL::DECIMAL(12,2)", None, "decimal"),
]


@pytest.mark.parametrize(("expression", "shown", "kind"), VALUES, ids=[case[0] for case in VALUES])
async def test_every_type_becomes_json(warehouse: DuckDBWarehouse, expression: str, shown: object, kind: str) -> None:
    rows = await warehouse.fetch(admitted(f"SELECT {expression} AS v FROM sales"), Limits(max_rows=1))
    assert rows.rows[0][0] == shown
    assert type(rows.rows[0][0]) is type(shown)
    assert rows.columns[0].kind == kind
    json.dumps(rows.rows, allow_nan=False)


async def test_today_is_the_day_of_the_business_time_zone(warehouse: DuckDBWarehouse) -> None:
    rows = await warehouse.fetch(admitted("SELECT current_setting('TimeZone')"), Limits())
    assert rows.rows == (("Asia/Shanghai",),)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/hostname')",
        "SELECT * FROM read_text('/etc/hostname')",
        "COPY sales TO 'stolen.csv'",
        "ATTACH 'other.duckdb'",
        "INSERT INTO sales VALUES (1, 'x')",
        "SET enable_external_access = true",
        "SET memory_limit = '100GB'",
    ],
)
async def test_files_writes_and_settings_are_out_of_reach(warehouse: DuckDBWarehouse, sql: str) -> None:
    with pytest.raises((StatementFailed, WarehouseUnavailable)):
        await warehouse.fetch(admitted(sql), Limits())


async def test_a_file_that_is_not_there_tells_how_to_make_it(tmp_path: Path) -> None:
    lost = DuckDBWarehouse(tmp_path / "nowhere.duckdb", name="shop")
    with pytest.raises(WarehouseUnavailable, match=r"nowhere\.duckdb") as caught:
        await lost.fetch(admitted("SELECT 1"), Limits())
    assert "data-agent demo" in caught.value.hint
    await lost.close()


async def test_a_file_that_is_something_else_is_an_outage(tmp_path: Path) -> None:
    (tmp_path / "notes.duckdb").write_text("not a database, only a long enough text " * 50)
    lost = DuckDBWarehouse(tmp_path / "notes.duckdb")
    with pytest.raises(WarehouseUnavailable, match="cannot be opened"):
        await lost.explain(admitted("SELECT 1"))
    await lost.close()


async def test_a_time_zone_nobody_knows_is_an_outage(file: Path) -> None:
    lost = DuckDBWarehouse(file, time_zone="Mars/Olympus")
    for _ in range(2):
        with pytest.raises(WarehouseUnavailable):
            await lost.explain(admitted("SELECT 1"))
    await lost.close()


READER = """
import duckdb, sys
with duckdb.connect(sys.argv[1], read_only=True) as database:
    print(database.execute("SELECT COUNT(*) FROM sales").fetchone()[0], flush=True)
    sys.stdin.read()
"""


async def test_two_processes_read_one_file(warehouse: DuckDBWarehouse, file: Path) -> None:
    pipes = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
    other = await asyncio.create_subprocess_exec(sys.executable, "-c", READER, str(file), **pipes)
    assert other.stdout is not None
    assert (await other.stdout.readline()).strip() == b"100"
    rows = await warehouse.fetch(admitted("SELECT COUNT(*) FROM sales"), Limits())
    assert rows.rows == ((100,),)
    await other.communicate(b"")
    assert other.returncode == 0


async def test_a_file_that_another_process_writes_tells_so(file: Path) -> None:
    code = READER.replace(", read_only=True", "")
    pipes = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
    writer = await asyncio.create_subprocess_exec(sys.executable, "-c", code, str(file), **pipes)
    assert writer.stdout is not None
    await writer.stdout.readline()
    locked_out = DuckDBWarehouse(file)
    with pytest.raises(WarehouseUnavailable, match="writing"):
        await locked_out.explain(admitted("SELECT 1"))
    await writer.communicate(b"")
    assert (await locked_out.explain(admitted("SELECT 1"))).complaint is None
    await locked_out.close()


async def test_a_stream_is_never_held_whole(warehouse: DuckDBWarehouse) -> None:
    before, seen = psutil.Process().memory_info().rss, 0
    async for batch in warehouse.stream(admitted("SELECT repeat('x', 500) || range FROM range(400000)"), batch=1000):
        seen += len(batch)
    assert seen == 400_000
    assert psutil.Process().memory_info().rss - before < 100_000_000  # all rows are over 200 MB


async def test_one_file_may_be_two_warehouses_of_one_program(file):
    first, second = DuckDBWarehouse(file, name="a"), DuckDBWarehouse(file, name="b")
    count = admitted("SELECT COUNT(*) AS n FROM sales")
    assert [(await each.fetch(count, Limits())).rows for each in (first, second)] == [((100,),), ((100,),)]
    elsewhere = DuckDBWarehouse(file, name="c", time_zone="Asia/Shanghai")
    with pytest.raises(WarehouseUnavailable, match="another time zone"):
        await elsewhere.fetch(count, Limits())
    for each in (first, second):
        await each.close()
    assert (await elsewhere.fetch(count, Limits())).rows == ((100,),)
    await elsewhere.close()


async def test_no_optimizer_loses_rows_of_exists_over_an_outer_join(tmp_path: Path) -> None:
    # 2.0.1 concludes from a column without NULL that `b.y IS NULL` never holds, and drops what the join would keep.
    file = tmp_path / "pairs.duckdb"
    with duckdb.connect(file) as database:
        database.execute("CREATE TABLE a AS SELECT * FROM (VALUES (1), (2)) t(x)")
        database.execute("CREATE TABLE b AS SELECT * FROM (VALUES (1, 10)) t(x, y)")
    warehouse = DuckDBWarehouse(file)
    sql = admitted("SELECT EXISTS (SELECT 1 FROM a LEFT JOIN b ON a.x = b.x AND b.y IS NULL)")
    assert (await warehouse.fetch(sql, Limits())).rows == ((True,),)
    await warehouse.close()
