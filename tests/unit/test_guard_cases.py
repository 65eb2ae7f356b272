"""Every case in which another system's guard failed, by its id; what a server has to show is in tests/cases."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from data_agent.domain.admitted import AdmittedSql
from data_agent.errors import UnsafeSql
from data_agent.options import Limits
from data_agent.sql import grammar, parsing, shape
from data_agent.sql.admit import admit
from data_agent.sql.grants import excess
from tests.cases.policy_shop import admitted_under, rights_with
from tests.cases.sql_shop import sql_shop

CASES: dict[str, Any] = yaml.safe_load((Path(__file__).parent.parent / "cases/guard.yaml").read_text(encoding="utf-8"))


def let(sql: str, case: dict[str, Any] | None = None) -> AdmittedSql:
    case = case or {}
    return admit(
        sql,
        catalog=sql_shop(),
        dialect="mysql",
        limits=Limits(max_rows=case.get("max_rows", 1000)),
        allowed_tables=frozenset(case["tables"]) if "tables" in case else None,
    )


def refused(sql: str, case: dict[str, Any] | None = None) -> UnsafeSql:
    with pytest.raises(UnsafeSql) as refusal:
        let(sql, case)
    return refusal.value


@pytest.mark.parametrize("case", CASES)
def test_the_guard_keeps_to_what_the_case_expects(case: str) -> None:
    expected = CASES[case]
    assert expected.get("refused") or expected.get("admitted")
    for sql, code in expected.get("refused", {}).items():
        assert refused(sql, expected).reason_code == code
    for sql, runs in expected.get("admitted", {}).items():
        found = let(sql, expected)
        assert {"sql": found.sql, "limit": found.limit, "ours": found.capped} == runs


def test_q032_the_reason_says_more_than_one_statement() -> None:
    assert "more than one statement" in refused("SELECT 1; DROP TABLE orders").message


def test_q132_the_reason_says_executable_comment() -> None:
    assert "executable comment" in refused("SELECT 1 /*!50000 INTO OUTFILE '/tmp/x.txt' */").message.casefold()


def test_q135_an_account_that_may_write_files_is_found_out() -> None:
    (found,) = excess(("GRANT FILE ON *.* TO `reader`@`%`",))
    assert found.rights == ("FILE",)
    assert not excess(("GRANT SELECT, SHOW VIEW ON `shop`.* TO `reader`@`%`",))


def test_q140_the_refusal_names_the_forbidden_table() -> None:
    case = CASES["Q140-subquery-table-not-allowed"]
    assert {refused(sql, case).unknown for sql in case["refused"]} == {"employees"}


def test_q142_a_value_with_quotes_stays_a_value() -> None:
    rights = rights_with("customers", "name = :caller.name", name="x' OR '1'='1")
    assert "WHERE (`customers`.name = 'x'' OR ''1''=''1')" in admitted_under(rights, "SELECT * FROM customers").sql


def test_q141_q143_every_reference_is_wrapped_and_no_or_gets_around_the_filter() -> None:
    rights = rights_with("orders", "channel = '天猫'")
    sql = "SELECT id FROM orders UNION ALL SELECT id FROM orders WHERE id IN (SELECT id FROM orders)"
    assert admitted_under(rights, sql).sql.count("WHERE (`orders`.channel = '天猫')") == 3
    rights = rights_with("orders", "customer_id = 1")
    found = admitted_under(rights, "SELECT id FROM orders WHERE channel='京东' OR status=2").sql
    assert "FROM orders WHERE (`orders`.customer_id = 1)) AS orders WHERE channel = '京东' OR status = 2" in found


def test_q144_what_runs_is_the_rendered_tree_and_never_the_text() -> None:
    assert let("select 1 /* +41 */ -- x").sql == "SELECT 1 LIMIT 1000"


def test_q153_a_guard_that_breaks_lets_nothing_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(error: BaseException) -> None:
        def broken(*_: object) -> None:
            raise error

        for where, name in ((grammar, "tokens"), (grammar, "trees"), (shape, "rewrite"), (grammar, "render")):
            with monkeypatch.context() as patch:
                patch.setattr(where, name, broken)
                assert refused("SELECT 1").reason_code in {"too_deep", "guard_failed"}

    for error in (RecursionError(), MemoryError(), AttributeError("x"), TimeoutError(), KeyError("x"), SystemError()):
        breaks(error)
    assert let("SELECT 1").sql == "SELECT 1 LIMIT 1000"


def test_q218_the_refusal_says_how_to_number_rows() -> None:
    assert "ROW_NUMBER() OVER (ORDER BY ...)" in refused("SELECT @r := @r + 1").message


@pytest.mark.parametrize(
    "sql",
    ["SELECT " + "(" * 200 + "1" + ")" * 200, "SELECT * FROM " + "(SELECT * FROM " * 200 + "orders" + ") x" * 200],
    ids=["brackets", "subqueries"],
)
def test_q252_deep_nesting_is_refused_before_it_is_parsed(sql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "trees", lambda *_: pytest.fail("it was parsed"))
    found = refused(sql)
    assert (found.reason_code, found.status) == ("too_deep", 403)


def test_q263_a_huge_list_is_refused_by_its_length_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing.grammar, "tokens", lambda *_: pytest.fail("it was read"))
    sql = "SELECT 1 FROM orders WHERE id IN (" + ",".join(map(str, range(50000))) + ")"
    assert refused(sql).reason_code == "too_long"
