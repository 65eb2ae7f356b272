"""What the verifier lets through and what it does not, statement by statement."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from data_agent.domain.caller import Caller
from data_agent.errors import UnsafeSql
from data_agent.verify.unproven import RULES
from data_agent.verify.verify import verify
from tests.cases.verify_shop import CALLER, POLICY, spelled, verify_shop

CASES = Path(__file__).parent.parent / "cases"
SHOP = verify_shop()


def dialects(name: str) -> tuple[str, ...]:
    return ("mysql", "duckdb") if name == "both" else (name,)


def proven() -> Iterator[tuple[str, str]]:
    for name, statements in yaml.safe_load((CASES / "proven.yaml").read_text(encoding="utf-8")).items():
        for sql in statements:
            # The masks in <customers> are written as MySQL has them.
            yield from ((d, sql) for d in dialects(name) if d == "mysql" or "<customers>" not in sql)


def unproven() -> Iterator[tuple[str, str, str, str]]:
    for rule, by_dialect in yaml.safe_load((CASES / "unproven.yaml").read_text(encoding="utf-8")).items():
        for written, statements in by_dialect.items():
            yield from ((rule, d, title, sql) for d in dialects(written) for title, sql in statements)


def check(sql: str, dialect: str = "mysql", caller: Caller = CALLER) -> None:
    verify(spelled(sql), dialect=dialect, catalog=SHOP, policy=POLICY, caller=caller)


def rule_broken(sql: str, dialect: str = "mysql", caller: Caller = CALLER) -> str:
    with pytest.raises(UnsafeSql) as refusal:
        check(sql, dialect, caller)
    assert refusal.value.reason_code == "policy_not_proven"
    return next(rule for rule, (english, _) in RULES.items() if refusal.value.message.endswith(f": {english}."))


@pytest.mark.parametrize(("dialect", "sql"), list(proven()))
def test_a_statement_that_keeps_to_the_policy_is_proven(dialect: str, sql: str) -> None:
    check(sql, dialect)


@pytest.mark.parametrize(
    ("rule", "dialect", "sql"), [pytest.param(r, d, s, id=f"{r}: {title} ({d})") for r, d, title, s in unproven()]
)
def test_a_statement_that_breaks_a_rule_is_refused_by_that_rule(rule: str, dialect: str, sql: str) -> None:
    assert rule_broken(sql, dialect) == rule


def test_no_case_stands_twice() -> None:
    titles = [(rule, dialect, title) for rule, dialect, title, _ in unproven()]
    assert len(titles) == len(set(titles)) >= 300


def test_the_refusal_names_nothing_of_the_statement_or_the_policy() -> None:
    with pytest.raises(UnsafeSql) as refusal:
        check("SELECT id_card FROM customers")
    assert "id_card" not in refusal.value.message + refusal.value.zh + refusal.value.hint
    assert refusal.value.zh != refusal.value.message


def test_a_role_without_rules_reads_every_table_plainly() -> None:
    everything = CALLER.model_copy(update={"role": "everything"})
    check("SELECT c.id_card, o.region FROM customers AS c JOIN orders AS o ON o.customer_id = c.id", caller=everything)


@pytest.mark.parametrize(
    ("sql", "rule"), [("SELECT pay_amount FROM orders", "hidden_column"), ("SELECT id FROM products", "table")]
)
def test_what_a_role_is_not_allowed_is_hidden_from_it(sql: str, rule: str) -> None:
    clerk = CALLER.model_copy(update={"role": "clerk"})
    check("SELECT region FROM orders", caller=clerk)
    assert rule_broken(sql, caller=clerk) == rule


def test_a_role_the_policy_does_not_know_may_read_nothing() -> None:
    assert rule_broken("SELECT 1", caller=Caller(role="stranger")) == "role"


def test_an_unknown_dialect_cannot_be_proven() -> None:
    assert rule_broken("SELECT 1", "sqlite") == "dialect"


@pytest.mark.parametrize("region", [None, "", "  ", "[]", '["华东", "华北"]', "[1"])
def test_an_attribute_that_cannot_fill_the_filter_ends_the_proof(region: str | None) -> None:
    attributes = {"region": region} if region is not None else {}
    caller = CALLER.model_copy(update={"attributes": attributes})
    assert rule_broken("SELECT id FROM orders WHERE region = '华东'", caller=caller) in {"policy", "failed"}


@pytest.mark.parametrize("region", ["o'clock", "a\\", "' OR 1 = 1 -- ", "华东\\' OR 1=1", "/* */", "?", ":caller.x"])
@pytest.mark.parametrize("dialect", ["mysql", "duckdb"])
def test_an_attribute_is_only_ever_a_text(region: str, dialect: str) -> None:
    caller = CALLER.model_copy(update={"attributes": {"region": region}})
    text = region.replace("'", "''")
    if dialect == "mysql":
        text = text.replace("\\", "\\\\")
    check(f"SELECT id FROM orders WHERE region = '{text}'", dialect, caller)
    assert rule_broken("SELECT id FROM orders WHERE region = '' OR 1 = 1", dialect, caller) == "row_filter"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "(" * 5000 + "1" + ")" * 5000,
        "SELECT " + "NOT " * 5000 + "1",
        "SELECT " + "- " * 5000 + "1",
        "SELECT " + "CASE WHEN 1 THEN " * 3000 + "1" + " END" * 3000,
        "SELECT 1" + " UNION SELECT 1" * 9000,
        "SELECT 1" + " + 1" * 60_000,
        "SELECT " + "(SELECT " * 300 + "1" + ")" * 300,
    ],
    ids=["brackets", "not", "minus", "case", "union", "plus", "subqueries"],
)
def test_what_is_too_deep_or_too_long_is_refused_and_breaks_nothing(sql: str) -> None:
    assert rule_broken(sql) in {"depth", "text", "failed"}


def test_one_over_and_over_does_for_a_subquery_and_nothing_else_does() -> None:
    caller = CALLER.model_copy(update={"role": "analyst"})
    check("SELECT id FROM orders WHERE 1 = (region = '华东')", caller=caller)
    for wrong in (
        "0 = (region = '华东')",
        "'1' = (region = '华东')",
        "1 <> (region = '华东')",
        "1 = (region = '华北')",
    ):
        assert rule_broken(f"SELECT id FROM orders WHERE {wrong}", caller=caller) == "row_filter"
