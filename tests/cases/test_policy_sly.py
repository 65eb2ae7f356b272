"""Tricks with names, scopes, shadows and functions: whatever is let through gives what the cut copy gives."""

from pathlib import Path

import pytest
import yaml

from data_agent.errors import UnsafeSql
from data_agent.policy.rights import Rights
from data_agent.sql.admit import admit
from data_agent.verify.verify import verify
from tests.cases.policy_databases import in_duckdb, in_mysql
from tests.cases.policy_differential import LIMITS, Run, compare
from tests.cases.policy_star import CALLER, POLICY, star

STATEMENTS: list[str] = yaml.safe_load((Path(__file__).parent / "sly.yaml").read_text(encoding="utf-8"))
RIGHTS = Rights.of(star(), POLICY, CALLER)


def let_through(dialect: str) -> list[str]:
    """Those that are admitted under the policy and proven."""
    found = []
    for sql in STATEMENTS:
        try:
            rewriting = RIGHTS.rewriting(dialect)
            admitted = admit(sql, catalog=RIGHTS.view, dialect=dialect, limits=LIMITS, rewrite=rewriting)
            verify(admitted.sql, dialect=dialect, catalog=RIGHTS.whole, policy=POLICY, caller=CALLER)
        except UnsafeSql as refusal:
            assert refusal.reason_code != "guard_failed", sql
            continue
        found.append(sql)
    return found


def holds(on_all: Run, on_copy: Run, dialect: str) -> None:
    passed = let_through(dialect)
    tally = compare(passed, on_all, on_copy, dialect)
    assert not tally.differences, tally.differences[0]
    assert len(passed) > 60
    assert tally.compared > 60


def test_on_duckdb_no_trick_shows_more():
    with in_duckdb() as (on_all, on_copy):
        holds(on_all, on_copy, "duckdb")


@pytest.mark.mysql
def test_on_mysql_no_trick_shows_more(mysql_url: str):
    with in_mysql(mysql_url) as (on_all, on_copy):
        holds(on_all, on_copy, "mysql")
