"""Under the policy every query gives what the same query gives on a copy without what the policy hides."""

import random
from itertools import islice

import pytest

from tests.cases.policy_databases import in_duckdb, in_mysql
from tests.cases.policy_differential import Tally, compare
from tests.cases.policy_queries import Maker

SEED = 20260701
COUNT = 400
"""`benchmarks/differential.py` runs 5,000 and more of the same."""


def statements(count: int) -> list[str]:
    maker = Maker(random.Random(SEED))
    return list(islice(iter(maker.statement, None), count))


def holds(tally: Tally) -> None:
    assert not tally.differences, tally.differences[0]
    assert tally.compared > COUNT * 0.8
    assert tally.with_rows > COUNT * 0.4
    assert tally.failed < COUNT * 0.05


def test_on_duckdb_nothing_differs():
    with in_duckdb() as (on_all, on_copy):
        holds(compare(statements(COUNT), on_all, on_copy, "duckdb"))


@pytest.mark.mysql
def test_on_mysql_nothing_differs(mysql_url: str):
    with in_mysql(mysql_url) as (on_all, on_copy):
        holds(compare(statements(COUNT), on_all, on_copy, "mysql"))


def test_the_comparison_sees_a_policy_that_is_not_applied(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("data_agent.policy.rights.rewrite", lambda tree, *_, **__: tree)
    with in_duckdb() as (on_all, on_copy):
        tally = compare(statements(60), on_all, on_copy, "duckdb")
    assert len(tally.differences) > 15


def test_the_queries_use_everything_that_could_leak():
    text = " ".join(statements(COUNT))
    words = ("WITH", "UNION", "EXCEPT", "EXISTS", "IN (SELECT", "OVER (", "LEFT JOIN", "RIGHT JOIN", "USING", "HAVING")
    assert all(word in text for word in (*words, ".*", "SELECT *", "GROUP BY", "DISTINCT", "LIMIT", "secret"))
