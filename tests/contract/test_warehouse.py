"""What every warehouse promises, whatever is behind it."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from time import perf_counter

import pytest

from data_agent.domain.admitted import AdmittedSql
from data_agent.errors import (
    Busy,
    ResultTooLarge,
    StatementFailed,
    UnsafeSql,
    WarehouseTimeout,
    WarehouseUnavailable,
)
from data_agent.options import Limits
from tests.contract import warehouses as the
from tests.contract.warehouses import Bench, duckdb_bench, fake_bench, mysql_bench

MYSQL = pytest.param("mysql", marks=pytest.mark.mysql)
MARIADB = pytest.param("mariadb", marks=[pytest.mark.mysql, pytest.mark.slow])


@pytest.fixture(params=["fake", "duckdb", MYSQL, MARIADB])
async def bench(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Bench]:
    if request.param == "fake":
        made = fake_bench()
    elif request.param == "duckdb":
        made = duckdb_bench(tmp_path)
    else:
        made = mysql_bench(request.getfixturevalue(f"{request.param}_database"))
    yield made
    await asyncio.gather(*made.closing())


async def test_gives_its_name_dialect_and_version(bench: Bench) -> None:
    assert bench.warehouse.name
    assert bench.warehouse.dialect in {"mysql", "duckdb"}
    assert (await bench.warehouse.version())[0].isdigit()


@pytest.mark.parametrize("sql", [the.UNKNOWN_COLUMN, the.UNKNOWN_TABLE, the.NOT_SQL])
async def test_a_complaint_about_the_sql_is_data_that_names_the_fault(bench: Bench, sql: str) -> None:
    plan = await bench.warehouse.explain(bench.admitted(sql))
    assert plan.complaint
    assert any(word in plan.complaint for word in ("nope", "nowhere", "SELEC", "near 'n FROM"))
    assert plan.code


async def test_explain_estimates_the_rows_and_runs_nothing(bench: Bench) -> None:
    start = perf_counter()
    plan = await bench.warehouse.explain(bench.admitted(the.SLOW))
    assert plan.complaint is None
    assert plan.estimated_rows is not None
    assert plan.estimated_rows > the.COUNT * 100
    assert perf_counter() - start < 2


async def test_explains_a_cheap_statement_as_cheap(bench: Bench) -> None:
    plan = await bench.warehouse.explain(bench.admitted(the.ALL))
    assert plan.estimated_rows is not None
    assert the.COUNT * 0.5 <= plan.estimated_rows <= the.COUNT * 2


async def test_the_same_values_have_the_same_json_everywhere(bench: Bench) -> None:
    rows = await bench.warehouse.fetch(bench.admitted(bench.values), Limits())
    assert rows.rows == (the.VALUES_SHOWN,)
    assert tuple(column.name for column in rows.columns) == the.VALUES_NAMES
    assert tuple(column.kind for column in rows.columns) == the.VALUES_KINDS
    assert json.loads(json.dumps(rows.rows, allow_nan=False)) == [list(the.VALUES_SHOWN)]


async def test_columns_of_one_name_keep_both_values(bench: Bench) -> None:
    rows = await bench.warehouse.fetch(bench.admitted(the.TWICE), Limits())
    assert [column.name for column in rows.columns] == ["n", "n_2"]
    assert rows.rows == ((3, 3),)


async def test_stops_reading_at_the_row_limit_and_says_so(bench: Bench) -> None:
    rows = await bench.warehouse.fetch(bench.admitted(the.ALL), Limits(max_rows=10))
    assert rows.rows == tuple((n,) for n in range(10))
    assert rows.truncated


async def test_a_whole_result_is_not_called_truncated(bench: Bench) -> None:
    rows = await bench.warehouse.fetch(bench.admitted(the.ALL), Limits(max_rows=the.COUNT))
    assert len(rows.rows) == the.COUNT
    assert not rows.truncated


async def test_stops_reading_at_the_byte_limit_and_says_so(bench: Bench) -> None:
    rows = await bench.warehouse.fetch(bench.admitted(the.WIDE), Limits(max_rows=10_000, max_bytes=5000))
    assert rows.truncated
    assert 10 < len(rows.rows) < 30


async def test_one_row_over_the_byte_limit_is_refused(bench: Bench) -> None:
    with pytest.raises(ResultTooLarge):
        await bench.warehouse.fetch(bench.admitted(the.WIDE), Limits(max_bytes=50))


async def test_goes_on_after_a_limit_cut_a_result(bench: Bench) -> None:
    for _ in range(4):
        await bench.warehouse.fetch(bench.admitted(the.ALL), Limits(max_rows=3))
    assert (await bench.warehouse.fetch(bench.admitted(the.ONE), Limits())).rows == ((1,),)


async def test_a_complaint_while_running_tells_the_reason(bench: Bench) -> None:
    assert (await bench.warehouse.explain(bench.admitted(the.FAILS_WHEN_RUN))).complaint is None
    with pytest.raises(StatementFailed, match="row"):
        await bench.warehouse.fetch(bench.admitted(the.FAILS_WHEN_RUN), Limits())


async def test_a_statement_that_takes_too_long_is_stopped(bench: Bench) -> None:
    start = perf_counter()
    with pytest.raises(WarehouseTimeout):
        await bench.warehouse.fetch(bench.admitted(the.SLOW), Limits(seconds=0.4))
    assert perf_counter() - start < 5
    assert (await bench.warehouse.fetch(bench.admitted(the.ONE), Limits())).rows == ((1,),)


async def test_a_cancelled_statement_gives_its_connection_back(bench: Bench) -> None:
    for _ in range(4):
        task = asyncio.create_task(bench.warehouse.fetch(bench.admitted(the.SLOW), Limits(seconds=60)))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert (await bench.warehouse.fetch(bench.admitted(the.ONE), Limits())).rows == ((1,),)


async def test_a_cancellation_that_comes_at_once_stops_it_too(bench: Bench) -> None:
    task = asyncio.create_task(bench.warehouse.fetch(bench.admitted(the.SLOW), Limits(seconds=60)))
    await asyncio.sleep(0)
    task.cancel()
    start = perf_counter()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert perf_counter() - start < 5


async def test_streams_every_row_in_batches(bench: Bench) -> None:
    batches = [batch async for batch in bench.warehouse.stream(bench.admitted(the.ALL), batch=3000)]
    assert [len(batch) for batch in batches] == [3000] * 6 + [2000]
    assert [row for batch in batches for row in batch] == [(n,) for n in range(the.COUNT)]


async def test_a_stream_may_be_left_early(bench: Bench) -> None:
    for _ in range(3):
        async for batch in (stream := bench.warehouse.stream(bench.admitted(the.ALL), batch=10)):
            assert len(batch) == 10
            break
        await stream.aclose()  # type: ignore[attr-defined]
    assert (await bench.warehouse.fetch(bench.admitted(the.ONE), Limits())).rows == ((1,),)


async def test_answers_several_questions_at_once(bench: Bench) -> None:
    asked = [bench.warehouse.fetch(bench.admitted(the.ONE), Limits()) for _ in range(8)]
    assert {rows.rows for rows in await asyncio.gather(*asked)} == {((1,),)}


async def test_takes_admitted_statements_of_its_own_dialect_only(bench: Bench) -> None:
    foreign = AdmittedSql(sql=the.ONE, dialect="postgres", tables=())
    for sql in (foreign, the.ONE):
        with pytest.raises(UnsafeSql):
            await bench.warehouse.explain(sql)  # type: ignore[arg-type]
        with pytest.raises(UnsafeSql):
            await bench.warehouse.fetch(sql, Limits())  # type: ignore[arg-type]
        with pytest.raises(UnsafeSql):
            _ = [batch async for batch in bench.warehouse.stream(sql)]  # type: ignore[arg-type]


async def test_one_that_cannot_be_reached_is_an_outage_and_no_complaint(bench: Bench) -> None:
    lost = bench.another(bench.unreachable)
    with pytest.raises(WarehouseUnavailable) as caught:
        await lost.explain(bench.admitted(the.ONE))
    assert "s3cret" not in f"{caught.value.message} {caught.value.hint}"
    with pytest.raises(WarehouseUnavailable):
        await lost.fetch(bench.admitted(the.ONE), Limits())


async def test_closing_twice_is_harmless_and_then_nothing_answers(bench: Bench) -> None:
    other = bench.another(bench.make)
    assert (await other.fetch(bench.admitted(the.ONE), Limits())).rows == ((1,),)
    await other.close()
    await other.close()
    with pytest.raises(WarehouseUnavailable):
        await other.fetch(bench.admitted(the.ONE), Limits())


async def test_when_every_connection_is_in_use_it_says_busy(bench: Bench) -> None:
    if bench.hurried is None:
        pytest.skip("the fake has no connections to run out of")
    hurried = bench.another(bench.hurried)
    slow = [asyncio.create_task(hurried.fetch(bench.admitted(the.SLOW), Limits(seconds=60))) for _ in range(2)]
    await asyncio.sleep(0.1)
    with pytest.raises(Busy):
        await hurried.fetch(bench.admitted(the.ONE), Limits())
    for task in slow:
        task.cancel()
    await asyncio.gather(*slow, return_exceptions=True)


async def test_closing_stops_what_still_runs(bench: Bench) -> None:
    if bench.warehouse.name == "fake":
        pytest.skip("the fake runs nothing")
    other = bench.another(bench.make)
    task = asyncio.create_task(other.fetch(bench.admitted(the.SLOW), Limits(seconds=60)))
    await asyncio.sleep(0.3)
    start = perf_counter()
    await other.close()
    assert perf_counter() - start < 5
    with pytest.raises(WarehouseUnavailable):
        await task
