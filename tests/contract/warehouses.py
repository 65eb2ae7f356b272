"""The same small warehouse in every technology, so that one set of promises can be asked of all."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path

import duckdb

from data_agent.domain.admitted import AdmittedSql
from data_agent.errors import StatementFailed
from data_agent.ports.warehouse import Warehouse
from repositories.embedded.warehouse import DuckDBWarehouse
from repositories.sql.warehouse import MySQLWarehouse
from tests.fakes.warehouse import FakeWarehouse, Told
from tests.servers import run_sql

COUNT = 20_000
"""Rows of the table `numbers(n, padding)`."""

SLOW = "SELECT COUNT(*) FROM numbers a, numbers b, numbers c WHERE a.n * 7 + b.n = c.n * 5"
UNKNOWN_COLUMN = "SELECT nope FROM numbers"
UNKNOWN_TABLE = "SELECT n FROM nowhere"
NOT_SQL = "SELEC n FROM numbers"
FAILS_WHEN_RUN = "SELECT (SELECT n FROM numbers) AS n"
ALL = "SELECT n FROM numbers ORDER BY n"
WIDE = "SELECT padding FROM numbers ORDER BY n"
ONE = "SELECT 1 AS one"
TWICE = "SELECT a.n, b.n FROM numbers a JOIN numbers b ON b.n = a.n WHERE a.n = 3"

MYSQL_VALUES = """SELECT CAST(1.5 AS DECIMAL(12,2)) AS amount, SUM(n) AS total, CAST('2026-03-31' AS DATE) AS day,
 CAST('2026-03-31 18:30:00' AS DATETIME) AS moment, CAST('08:05:00' AS TIME) AS clock, 7 AS small,
 9007199254740993 AS big, CAST(0.1 AS DOUBLE) AS ratio, '优秀👍' AS word, NULL AS nothing, x'00FF' AS raw
 FROM numbers WHERE n < 4"""
DUCKDB_VALUES = """SELECT CAST(1.5 AS DECIMAL(12,2)) AS amount, SUM(n) AS total, CAST('2026-03-31' AS DATE) AS day,
 CAST('2026-03-31 18:30:00' AS TIMESTAMP) AS moment, CAST('08:05:00' AS TIME) AS clock, 7 AS small,
 9007199254740993 AS big, CAST(0.1 AS DOUBLE) AS ratio, '优秀👍' AS word, NULL AS nothing, '\\x00\\xFF'::BLOB AS raw
 FROM numbers WHERE n < 4"""
VALUES_NAMES = ("amount", "total", "day", "moment", "clock", "small", "big", "ratio", "word", "nothing", "raw")
VALUES_SHOWN = (
    *("1.50", 6, "2026-03-31", "2026-03-31 18:30:00", "08:05:00", 7),
    *("9007199254740993", 0.1, "优秀👍", None, "AP8="),
)
VALUES_KINDS = (
    *("decimal", "integer", "date", "datetime", "time", "integer"),
    *("big_integer", "float", "text", "null", "bytes"),
)


@dataclass
class Bench:
    """A warehouse under test; `values` is the statement of every type, `make` gives another one on the same data.

    What `hurried` gives waits only 0.2 s for one of its two connections.
    """

    warehouse: Warehouse
    values: str
    make: Callable[[], Warehouse]
    unreachable: Callable[[], Warehouse]
    hurried: Callable[[], Warehouse] | None = None
    made: list[Warehouse] = field(default_factory=list)

    def admitted(self, sql: str) -> AdmittedSql:
        """What the guard would make of it."""
        return AdmittedSql(sql=sql, dialect=self.warehouse.dialect, tables=("numbers",))

    def another(self, make: Callable[[], Warehouse]) -> Warehouse:
        """One more, closed with this bench."""
        self.made.append(make())
        return self.made[-1]

    def closing(self) -> list[Awaitable[None]]:
        """Close all."""
        return [warehouse.close() for warehouse in (self.warehouse, *self.made)]


def fake_bench() -> Bench:
    numbers = [(n,) for n in range(COUNT)]
    values = (
        *(Decimal("1.50"), 6, date(2026, 3, 31), datetime(2026, 3, 31, 18, 30), time(8, 5), 7),
        *(2**53 + 1, 0.1, "优秀👍", None, b"\x00\xff"),
    )
    told = {
        SLOW: Told(["n"], [(1,)], seconds=60, estimated_rows=COUNT**3),
        UNKNOWN_COLUMN: Told(complaint="Unknown column 'nope' in 'field list'", code=1054),
        UNKNOWN_TABLE: Told(complaint="Table 'nowhere' doesn't exist", code=1146),
        NOT_SQL: Told(complaint="You have an error in your SQL syntax near 'SELEC'", code=1064),
        FAILS_WHEN_RUN: Told(["n"], error=StatementFailed("Subquery returns more than 1 row (1242)")),
        ALL: Told(["n"], numbers, estimated_rows=COUNT),
        WIDE: Told(["padding"], [("x" * 200,)] * COUNT),
        ONE: Told(["one"], [(1,)]),
        TWICE: Told(["n", "n"], [(3, 3)]),
        MYSQL_VALUES: Told(VALUES_NAMES, [values]),
    }

    def make() -> FakeWarehouse:
        return FakeWarehouse(told)

    return Bench(make(), MYSQL_VALUES, make, lambda: FakeWarehouse(told, down=True))


def duckdb_bench(folder: Path) -> Bench:
    file = folder / "numbers.duckdb"
    with duckdb.connect(file) as database:
        database.execute(
            f"CREATE TABLE numbers AS SELECT range::INTEGER AS n, repeat('x', 200) AS padding FROM range({COUNT})"
        )

    def make(wait_seconds: float = 10) -> DuckDBWarehouse:
        return DuckDBWarehouse(file, connections=2, wait_seconds=wait_seconds)

    return Bench(
        make(), DUCKDB_VALUES, make, lambda: DuckDBWarehouse(folder / "nowhere.duckdb"), hurried=lambda: make(0.2)
    )


def mysql_bench(url: str) -> Bench:
    run_sql(
        url,
        f"""CREATE TABLE IF NOT EXISTS numbers (n INT PRIMARY KEY, padding VARCHAR(200));
INSERT IGNORE INTO numbers WITH RECURSIVE up AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM up WHERE n < 199)
SELECT a.n * 100 + b.n, REPEAT('x', 200) FROM up a JOIN up b ON b.n < 100 WHERE a.n < {COUNT // 100};
ANALYZE TABLE numbers;
""",
    )

    def make(wait_seconds: float = 10) -> MySQLWarehouse:
        return MySQLWarehouse(url, connections=2, wait_seconds=wait_seconds)

    def unreachable() -> MySQLWarehouse:
        return MySQLWarehouse("mysql+pymysql://reader:s3cret@127.0.0.1:1/x")

    return Bench(make(), MYSQL_VALUES, make, unreachable, hurried=lambda: make(0.2))
