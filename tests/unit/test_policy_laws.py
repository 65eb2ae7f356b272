"""What holds for every statement under a policy, drawn at random."""

import contextlib
import random
from dataclasses import replace

import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.policy import Budget
from data_agent.errors import DataAgentError, UnsafeSql
from data_agent.options import Limits
from data_agent.policy.rights import Rights
from data_agent.sql.admit import admit
from data_agent.verify.verify import verify
from tests.cases.policy_queries import Maker
from tests.cases.policy_star import CALLER, POLICY, star

RIGHTS = Rights.of(star(), POLICY, CALLER)
STATEMENTS = st.integers(0, 10**9).map(lambda seed: Maker(random.Random(seed)).statement())
DIALECTS = st.sampled_from(["mysql", "duckdb"])
NUMBERS = st.none() | st.integers(1, 10**6)


def under(sql: str, dialect: str, most: int = 1000) -> AdmittedSql:
    return admit(
        sql, catalog=RIGHTS.view, dialect=dialect, limits=Limits(max_rows=most), rewrite=RIGHTS.rewriting(dialect)
    )


def prove(sql: str, dialect: str) -> None:
    verify(sql, dialect=dialect, catalog=RIGHTS.whole, policy=POLICY, caller=CALLER)


@settings(max_examples=150, deadline=None)
@given(STATEMENTS, DIALECTS)
def test_what_is_admitted_under_a_policy_is_proven_and_admitted_again_as_itself(sql: str, dialect: str) -> None:
    try:
        once = under(sql, dialect)
    except UnsafeSql:
        return
    prove(once.sql, dialect)
    assert sqlglot.parse_one(once.sql, read=dialect).sql(dialect) == once.sql
    try:
        again = under(once.sql, dialect)
    except UnsafeSql as refusal:
        # A filter reads this column, which the role itself may not name.
        assert refusal.unknown.endswith("secret")
        return
    assert (again.sql, again.limit) == (once.sql, once.limit)
    assert set(again.tables) >= set(once.tables)


@settings(max_examples=80, deadline=None)
@given(STATEMENTS, DIALECTS, st.integers(1, 50), st.integers(1, 50))
def test_a_limit_only_ever_gets_lower_under_a_policy(sql: str, dialect: str, one: int, other: int) -> None:
    try:
        asked, first = under(sql, dialect, 10**6), under(sql, dialect, one)
        second = under(first.sql, dialect, other)
    except UnsafeSql:
        return
    limits = [each.limit or 0 for each in (asked, first, second)]
    assert limits == [limits[0], min(limits[0], one), min(limits[0], one, other)]


BUDGETS = st.builds(Budget, max_rows=NUMBERS, seconds=st.none() | st.floats(0.001, 1e6), max_estimated_rows=NUMBERS)
GENERAL = st.builds(Limits, max_rows=st.integers(1, 10**6), seconds=st.floats(0.001, 1e6), max_estimated_rows=NUMBERS)


@settings(max_examples=100, deadline=None)
@given(BUDGETS, GENERAL)
def test_a_budget_never_raises_a_limit(budget: Budget, general: Limits) -> None:
    role = RIGHTS.role.model_copy(update={"budget": budget})
    lowered = replace(RIGHTS, role=role).lowered(general)
    assert lowered.max_rows <= general.max_rows
    assert lowered.seconds <= general.seconds
    bounds = [most for most in (general.max_estimated_rows, budget.max_estimated_rows) if most is not None]
    assert lowered.max_estimated_rows == min(bounds, default=None)


@settings(max_examples=200, deadline=None)
@given(STATEMENTS | st.text(max_size=60), st.text(max_size=8), st.integers(0, 300), DIALECTS)
def test_nothing_but_a_refusal_is_ever_raised(sql: str, noise: str, at: int, dialect: str) -> None:
    text = sql[:at] + noise + sql[at:]
    with contextlib.suppress(DataAgentError):
        prove(text, dialect)
    with contextlib.suppress(DataAgentError):
        prove(under(text, dialect).sql, dialect)
