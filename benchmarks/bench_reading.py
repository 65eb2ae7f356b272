"""Reading a question and composing its statement: CPU time on the demo's catalog and on one of 20,000 columns.

No store is asked: recall is not part of it. Baseline of the same run: `sqlglot` parsing the very statement that was
composed and writing it again, which is what any tool that touches SQL in Python does at least once.
"""

import time
from collections.abc import Iterator, Sequence
from datetime import datetime

import sqlglot

from api.settings import load_settings
from benchmarks.machine import machine_state, percentile, spread
from data_agent.catalog.load import load_catalog
from data_agent.composing.compose import compose
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Table
from data_agent.domain.time import CalendarSettings
from data_agent.reading.lexicon import Lexicon
from data_agent.reading.read import read

QUESTIONS = (
    "2025年第一季度各大区的销售额",
    "2026年6月销售额最高的5个品牌",
    "上个月各渠道的订单数和客单价",
    "2025年各月销售额同比",
    "每个渠道销售额最高的品牌",
    "退款率超过10%的品类",
    "最贵的三个商品",
    "monthly revenue in 2025",
    "top 3 categories by units sold in 2026",
    "which region had the highest gross margin last quarter",
    "net sales by channel this year compared with last year",
    "how many orders did we get last month",
)
ROUNDS = 60
WARM_UP = 3
WIDE_TABLES, WIDE_COLUMNS = 400, 50
NOW = datetime.fromisoformat("2026-07-01T09:00:00+08:00")


def wide(catalog: Catalog) -> Catalog:
    """The catalog with 20,000 more columns, each with a Chinese and an English name."""
    more = tuple(
        Table(name=f"wide_{t}", columns=tuple(_columns(f"wide_{t}")), aliases=(f"宽表{t}",)) for t in range(WIDE_TABLES)
    )
    return catalog.model_copy(update={"tables": (*catalog.tables, *more), "version": "wide"})


def _columns(table: str) -> Iterator[Column]:
    for number in range(WIDE_COLUMNS):
        yield Column(table=table, name=f"field_{number}", aliases=(f"{table}字段{number}", f"{table} field {number}"))


def timed(catalog: Catalog, lexicon: Lexicon, question: str) -> tuple[float, str]:
    """CPU milliseconds, and the statement; empty when the question is not read."""
    calendar, start = CalendarSettings(), time.process_time()
    reading = read(question, catalog=catalog, lexicon=lexicon, values=(), now=NOW, calendar=calendar, margin=0.08)
    sql = ""
    if reading.complete:
        sql = compose(reading, catalog=catalog, dialect="duckdb", now=NOW, calendar=calendar).sql
    return (time.process_time() - start) * 1000, sql


def baseline(statements: Sequence[str]) -> list[float]:
    """CPU milliseconds of parsing a statement and writing it again."""
    taken = []
    for sql in statements:
        start = time.process_time()
        sqlglot.parse_one(sql, read="duckdb").sql(dialect="duckdb")
        taken.append((time.process_time() - start) * 1000)
    return taken


def measure(name: str, catalog: Catalog) -> None:
    """Print one catalog's figures."""
    columns = sum(len(table.columns) for table in catalog.tables)
    start = time.process_time()
    lexicon = Lexicon.of(catalog)
    built = time.process_time() - start
    for question in QUESTIONS * WARM_UP:
        timed(catalog, lexicon, question)
    found = [timed(catalog, lexicon, question) for _ in range(ROUNDS) for question in QUESTIONS]
    taken, statements = [ms for ms, _ in found], [sql for _, sql in found if sql]
    parsed = baseline(statements)
    print(f"{name}: {columns:,} columns, {len(found)} questions, {len(statements)} composed; lexicon in {built:.2f} s")
    print(f"  read and compose (CPU): {spread(taken)}")
    print(f"  sqlglot round trip:     {spread(parsed)}")
    print(f"  ratio:                  {percentile(taken, 0.5) / percentile(parsed, 0.5):.1f} (p50)")


def main() -> None:
    demo, _ = load_catalog(load_settings().catalog)
    print(machine_state())
    measure("demo", demo)
    measure("wide", wide(demo))


if __name__ == "__main__":
    main()
