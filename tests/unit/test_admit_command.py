"""`data-agent admit` says what the guard says, as JSON with fixed keys, whatever it is asked."""

import io
import json
import sys
from pathlib import Path

import pytest

from scripts.main import run

KEYS = ["allow", "sql", "tables", "limit", "reason", "code"]
CATALOG = """
name: shop
tables:
  - name: orders
    role: fact
    columns:
      - {name: id, type: int, role: primary_key}
      - {name: region, type: "varchar(20)"}
      - {name: amount, type: "decimal(12,2)", role: measure}
  - name: customers
    columns:
      - {name: id, type: int, role: primary_key}
      - {name: email, type: "varchar(80)"}
      - {name: city, type: "varchar(20)"}
"""
POLICY = """
salt: a salt that nobody should see
roles:
  - name: analyst
    allow: ["*"]
  - name: east
    allow: ["*"]
    deny: [customers.city]
    filters: [{table: orders, where: "region = :caller.region"}]
    masks: [{column: customers.email, kind: hash}]
    budget: {max_rows: 500}
"""
SETTINGS = """
warehouse: {url: "mysql://reader@127.0.0.1:3306/shop"}
catalog: catalog.yaml
policy: policy.yaml
"""

Answer = tuple[int, dict[str, object]]


@pytest.fixture
def ask(capfd: pytest.CaptureFixture[str]):
    def asked(*arguments: str) -> Answer:
        code = run(["admit", *arguments, "--json"])
        out = capfd.readouterr().out
        verdict = json.loads(out)
        assert list(verdict) == KEYS
        assert out.count("\n") == 1
        return code, verdict

    return asked


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for name, text in (("catalog.yaml", CATALOG), ("policy.yaml", POLICY), ("settings.yaml", SETTINGS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def east(shop: Path, *more: str) -> tuple[str, ...]:
    return ("--settings", str(shop / "settings.yaml"), "--role", "east", *more)


def test_an_admitted_statement_is_shown_as_it_would_run(ask) -> None:
    assert ask("SELECT id FROM orders", "--max-rows", "3", "--tables", "orders,customers") == (
        0,
        {
            "allow": True,
            "sql": "SELECT id FROM orders LIMIT 3",
            "tables": ["orders"],
            "limit": 3,
            "reason": None,
            "code": None,
        },
    )


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("SELECT id FROM employees", "--tables", "orders"), "table_not_allowed"),
        (("SELECT 1; DROP TABLE orders",), "many_statements"),
        (("DELETE FROM orders", "--tables", "orders"), "not_a_query"),
        (("SELECT user FROM mysql.user",), "system_schema"),
        (("SELECT * FROM 'a.csv'", "--dialect", "duckdb"), "table_not_allowed"),
        (("SELECT * FROM read_csv('a.csv')", "--dialect", "duckdb"), "table_function"),
        (("SELECT LOAD_FILE('/etc/passwd')",), "function"),
        (("SELECT 1", "--dialect", "oracle"), "dialect"),
        (("",), "empty"),
        (("SELECT",), "construct"),
        (("这不是 SQL",), "not_a_query"),
        (("SELECT FROM WHERE",), "unparsable"),
        (("SELECT 1 \x01",), "bad_character"),
        (("SELECT '\udcff'",), "bad_character"),
        (("SELECT " + "(" * 3000,), "too_deep"),
        (("SELECT 1" + " " * 30_000,), "too_long"),
        (("SELECT id FROM orders LIMIT 1 + 1", "--tables", "orders"), "limit"),
        (("SELECT REGEXP_LIKE(a, 'x', 'i') FROM orders", "--dialect", "mariadb"), "function"),
    ],
)
def test_a_refusal_has_its_code_and_exit_code_3(ask, arguments: tuple[str, ...], code: str) -> None:
    left, verdict = ask(*arguments)
    assert (left, verdict["allow"], verdict["sql"], verdict["code"]) == (3, False, None, code)
    assert verdict["reason"]


def test_without_tables_or_catalog_it_says_that_names_were_not_checked(ask) -> None:
    code, verdict = ask("SELECT id FROM orders LIMIT 5")
    assert (code, verdict["limit"]) == (0, 5)
    assert "not checked" in str(verdict["reason"])


def test_a_long_statement_comes_from_the_standard_input(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    huge = "SELECT 1 FROM orders WHERE id IN (" + ",".join(map(str, range(50_000))) + ")"
    for text, expected in (("SELECT 1", None), (huge, "too_long"), ("SELECT 1\0", "bad_character")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert ask("-")[1]["code"] == expected


def test_a_catalog_is_what_names_are_looked_up_in(ask, shop: Path) -> None:
    catalog = ("--catalog", str(shop / "catalog.yaml"))
    assert ask("SELECT id FROM orders", *catalog)[0] == 0
    assert ask("SELECT nothing FROM orders", *catalog)[1]["code"] == "unknown_column"
    assert ask("SELECT id FROM orders", *catalog, "--tables", "customers")[1]["code"] == "table_not_allowed"


def test_a_role_gets_its_rows_and_masks_and_its_own_limit(ask, shop: Path) -> None:
    code, verdict = ask("SELECT SUM(amount) FROM orders", *east(shop, "--caller", "region=华东"))
    assert (code, verdict["limit"], verdict["tables"]) == (0, 500, ["orders"])
    assert "WHERE (`orders`.region = '华东')" in str(verdict["sql"])
    _, verdict = ask("SELECT email FROM customers", *east(shop))
    assert "SHA2(CONCAT('*" in str(verdict["sql"])
    assert "nobody" not in str(verdict)


@pytest.mark.parametrize("dialect", ["mysql", "mariadb", "duckdb"])
def test_a_role_is_held_to_its_rights_in_every_dialect(ask, shop: Path, dialect: str) -> None:
    given = east(shop, "--caller", "region=华东", "--dialect", dialect)
    assert ask("SELECT id FROM orders JOIN customers USING (id)", *given)[0] == 0
    assert ask("SELECT city FROM customers", *given)[1]["code"] == "unknown_column"


def test_a_caller_without_what_its_role_needs_is_refused(ask, shop: Path) -> None:
    for more in ((), ("--caller", "region="), ("--caller", "city=x")):
        assert ask("SELECT id FROM orders", *east(shop, *more))[1]["code"] == "not_permitted"
    assert ask("SELECT id FROM customers", *east(shop))[0] == 0


def test_a_policy_file_can_be_named_without_settings(ask, shop: Path) -> None:
    files = ("--policy", str(shop / "policy.yaml"), "--catalog", str(shop / "catalog.yaml"))
    through = "SELECT id FROM (SELECT `id` FROM orders) AS orders LIMIT 1000"
    assert ask("SELECT id FROM orders", *files)[1]["sql"] == through
    assert ask("SELECT id FROM orders", *files, "--role", "east", "--caller", "region=a")[1]["limit"] == 500
    assert ask("SELECT id FROM orders", *files, "--role", "nobody")[1]["code"] == "not_permitted"


@pytest.mark.parametrize(
    ("arguments", "code", "left"),
    [
        (("--policy", "policy.yaml"), "invalid_input", 64),
        (("--policy", "none.yaml", "--catalog", "catalog.yaml"), "invalid_settings", 64),
        (("--catalog", "none.yaml"), "catalog_invalid", 64),
        (("--settings", "none.yaml"), "invalid_settings", 64),
        (("--caller", "region"), "invalid_input", 64),
        (("--caller", "=x"), "invalid_input", 64),
        (("--policy", "catalog.yaml", "--catalog", "catalog.yaml"), "invalid_settings", 64),
    ],
)
def test_what_cannot_be_examined_is_not_allowed(
    ask, shop: Path, arguments: tuple[str, ...], code: str, left: int
) -> None:
    there = [str(shop / word) if word.endswith(".yaml") else word for word in arguments]
    found, verdict = ask("SELECT 1", *there)
    assert (found, verdict["allow"], verdict["code"]) == (left, False, code)


def test_a_role_where_no_policy_is_set_is_refused(ask, shop: Path) -> None:
    (shop / "settings.yaml").write_text(SETTINGS.replace("policy: policy.yaml", ""), encoding="utf-8")
    assert ask("SELECT 1", *east(shop))[1]["code"] == "not_permitted"


def test_in_words_it_prints_the_statement_or_the_reason(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["admit", "SELECT 1"]) == 0
    assert capfd.readouterr().out == "SELECT 1 LIMIT 1000\n"
    assert run(["admit", "DROP TABLE orders"]) == 3
    assert capfd.readouterr().out == "not_a_query: Only a SELECT query is allowed, not DROP.\n"
