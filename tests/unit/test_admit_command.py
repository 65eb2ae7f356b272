"""`data-agent admit` says what the guard says, as JSON with fixed keys."""

import json

import typer
from typer.testing import CliRunner

from scripts.admit import admit

APP = typer.Typer()
APP.command()(admit)


def run(*arguments: str) -> tuple[int, dict[str, object]]:
    result = CliRunner().invoke(APP, [*arguments, "--json"])
    return result.exit_code, json.loads(result.stdout)


def test_an_admitted_statement_is_shown_as_it_would_run() -> None:
    code, verdict = run("SELECT id FROM orders", "--max-rows", "3", "--tables", "orders,customers")
    assert code == 0
    assert verdict == {
        "allow": True,
        "sql": "SELECT id FROM orders LIMIT 3",
        "tables": ["orders"],
        "limit": 3,
        "reason": None,
        "code": None,
    }


def test_a_table_outside_the_list_is_refused_with_exit_code_3() -> None:
    code, verdict = run("SELECT id FROM employees", "--tables", "orders")
    assert (code, verdict["allow"], verdict["code"]) == (3, False, "table_not_allowed")


def test_without_tables_or_catalog_it_says_that_names_were_not_checked() -> None:
    code, verdict = run("SELECT id FROM orders LIMIT 5")
    assert (code, verdict["limit"]) == (0, 5)
    assert "not checked" in str(verdict["reason"])


def test_files_and_system_tables_stay_refused_without_a_catalog() -> None:
    assert run("SELECT * FROM 'a.csv'", "--dialect", "duckdb")[0] == 3
    assert run("SELECT user FROM mysql.user")[0] == 3
