"""No text ends the process or keeps it busy: the compiled parser would neither raise RecursionError nor ever return."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys, time
from data_agent.errors import UnsafeSql
from data_agent.options import Limits
from data_agent.sql.admit import admit
from tests.cases.sql_shop import sql_shop
sql, shop = sys.stdin.read(), sql_shop()
for dialect in ("mysql", "duckdb", "mariadb"):
    start = time.process_time()
    try:
        admit(sql, catalog=shop, dialect=dialect, limits=Limits())
    except UnsafeSql as refusal:
        assert refusal.reason_code != "guard_failed", refusal
    assert time.process_time() - start < 2, "too slow"
print("survived")
"""
N = 3000
TEXTS = {
    "brackets": "SELECT " + "(" * N + "1" + ")" * N,
    "unclosed brackets": "SELECT " + "(" * N,
    "subqueries": "SELECT * FROM " + "(SELECT * FROM " * 200 + "orders" + ") x" * 200,
    "NOT": "SELECT " + "NOT " * N + "1",
    "minus": "SELECT " + "- " * N + "1",
    "tilde": "SELECT " + "~" * N + "1",
    "mixed signs": "SELECT " + "- NOT + ~ " * 600 + "1",
    "CASE": "SELECT " + "CASE WHEN 1 THEN " * 800 + "1" + " END" * 800,
    "unclosed CASE": "SELECT " + "CASE WHEN " * 1000,
    "UNION": "SELECT 1" + " UNION SELECT 1" * 1000,
    "AND": "SELECT 1 WHERE 1" + " AND 1" * N,
    "OR": "SELECT 1 WHERE 1" + " OR 1" * N,
    "plus": "SELECT 1" + "+1" * N,
    "pipes": "SELECT 'a'" + "||'a'" * N,
    "BETWEEN": "SELECT 1" + " BETWEEN 1" * N,
    "IN": "SELECT 1 " + "IN (1 " * 1500,
    "LIKE": "SELECT 'a'" + " LIKE 'a'" * 1500,
    "INTERVAL": "SELECT " + "INTERVAL " * 2000 + "1 DAY",
    "casts": "SELECT " + "CAST(" * 1500 + "1",
    "arrows": "SELECT id" + "->'$.a'" * 2000,
    "colons": "SELECT 1" + "::INT" * 2000,
    "square brackets": "SELECT " + "[" * N,
    "curly brackets": "SELECT " + "{" * N,
    "UNION and square brackets": "UNION[" * 2000,
    "UNION and a few square brackets": "UNION[" * 31,
    "the same behind TOP": "SELECT TOP 5 " + "UNION[" * 31,
    "joins": "SELECT 1 FROM orders" + " JOIN orders o" * 1000,
    "natural joins of nothing": "SELECT 1 FROM orders " + "NATURAL JOIN " * 1000,
    "method calls": "SELECT a" + ".f(0)" * 2000,
    "dots": "SELECT a" + ".a" * 4000,
    "commas": "SELECT 1" + ",1" * 9000,
    "WITH": "WITH " * 2000 + "SELECT 1",
    "EXISTS": "SELECT " + "EXISTS(SELECT " * 1000,
    "LATERAL": "SELECT 1 FROM " + "LATERAL (SELECT 1 FROM " * 600,
    "SELECT": "SELECT " * 2500,
    "IS NOT NULL": "SELECT 1" + " IS NOT NULL" * 1500,
    "COLLATE": "SELECT 'a'" + " COLLATE utf8mb4_bin" * 900,
    "stacked": "SELECT 1;" * 2000,
    "lambda arrows": "SELECT " + "x -> " * 3000 + "1",
    "DISTINCT": "SELECT " + "DISTINCT " * 2000 + "1",
    "strings side by side": "SELECT " + "'a' " * 4000,
}


@pytest.mark.slow
@pytest.mark.parametrize("sql", TEXTS.values(), ids=TEXTS)
def test_the_process_survives_and_answers_in_time(sql: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=sql[:20_000], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.strip() == "survived", f"exit {done.returncode}: {done.stderr[-400:]}"
