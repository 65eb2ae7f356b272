"""`catalog check` on real databases: every metric is run, every cardinality compared; file, line, field and mend."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from scripts.main import run
from tests.servers import own_database, run_sql

CREATE = """CREATE TABLE customers (customer_id INT PRIMARY KEY, city VARCHAR(20), is_test INT);
CREATE TABLE orders (order_id INT PRIMARY KEY, customer_id INT, amount DECIMAL(9,2), placed_on DATE);
CREATE TABLE items (order_id INT, line_no INT, sku VARCHAR(9));
CREATE TABLE shelf (order_id INT, line_no INT, place VARCHAR(9));
INSERT INTO customers VALUES (1, 'A', 0), (2, 'B', 0), (3, 'B', 1);
INSERT INTO orders VALUES (10, 1, 9.5, '2026-01-01'), (11, 1, 2, '2026-01-02'), (12, 3, 1, '2026-01-03');
INSERT INTO items VALUES (10, 1, 'x'), (10, 2, 'y'), (11, 1, 'x');
INSERT INTO shelf VALUES (10, 1, 'p'), (10, 1, 'q'), (11, 1, 'p')
"""
GOOD = """\
name: shop
tables:
  - name: customers
    columns: [{name: customer_id, type: integer, role: primary_key}, {name: city}, {name: is_test, type: integer}]
  - name: orders
    role: fact
    time_column: placed_on
    columns:
      - {name: order_id, type: integer, role: primary_key}
      - {name: customer_id, type: integer}
      - {name: amount, type: decimal}
      - {name: placed_on, type: date}
  - name: items
    columns: [{name: order_id, type: integer}, {name: line_no, type: integer}, {name: sku}]
  - name: shelf
    columns: [{name: order_id, type: integer}, {name: line_no, type: integer}, {name: place}]
relationships:
  - {from: orders.customer_id, to: customers.customer_id, cardinality: many_to_one}
metrics:
  - name: sales
    expression: SUM(orders.amount)
    filters: ["customers.is_test = 0"]
  - {name: per_order, expression: "{sales} / {order_count}", format: percent}
  - {name: order_count, expression: COUNT(orders.order_id)}
"""
Check = Callable[[str], tuple[int, list[dict[str, str]]]]


@pytest.fixture
def on_mysql(mysql_url) -> Iterator[str]:
    with own_database(mysql_url) as url:
        run_sql(url, CREATE)
        yield url


@pytest.fixture
def on_mariadb(mariadb_url) -> Iterator[str]:
    with own_database(mariadb_url) as url:
        run_sql(url, CREATE)
        yield url


@pytest.fixture
def on_duckdb(tmp_path) -> str:
    with duckdb.connect(tmp_path / "shop.duckdb") as database:
        database.execute(CREATE)
    return f"duckdb:///{tmp_path / 'shop.duckdb'}"


@pytest.fixture(params=["duckdb", *(pytest.param(name, marks=pytest.mark.mysql) for name in ("mysql", "mariadb"))])
def check(request, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    url = request.getfixturevalue(f"on_{request.param}")

    def checked(text: str) -> tuple[int, list[dict[str, str]]]:
        path = tmp_path / "catalog.yaml"
        path.write_text(text, encoding="utf-8")
        code = run(["catalog", "check", str(path), "--warehouse", url, "--json"])
        return code, json.loads(capsys.readouterr().out or "[]")

    return checked


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def test_a_catalog_that_holds_has_no_findings_and_exit_code_0(check):
    assert check(GOOD) == (0, [])


SWAPPED = "from: customers.customer_id, to: orders.customer_id"
WRONG = [
    ("name: items", "name: lime", "name", "no such table", "retired: true"),
    ("{name: sku}", "{name: sku_no}", "name", "no column `sku_no`", "offers renames"),
    ("SUM(orders.amount)", "SUM(NOSUCH(orders.amount))", "expression", "", "mend the expression"),
    ("cardinality: many_to_one", "cardinality: one_to_one", "cardinality", "repeats: 2 different", "many_to_one"),
    (
        "from: orders.customer_id, to: customers.customer_id",
        SWAPPED,
        "cardinality",
        "`orders.customer_id` repeats: 2 different values in 3 rows",
        "write cardinality: many_to_many",
    ),
]


@pytest.mark.parametrize("wrong", WRONG, ids=[after for _, after, *_ in WRONG])
def test_what_does_not_hold_is_told_with_file_line_field_and_mend(check, wrong):
    before, after, field, said, mend = wrong
    text = GOOD.replace(before, after)
    code, findings = check(text.replace('    filters: ["customers.is_test = 0"]\n', "") if after == SWAPPED else text)
    assert code == 4
    found = next(each for each in findings if each["severity"] == "error")
    assert found["where"].startswith(f"catalog.yaml:{line_of(text, after)}: ")
    assert found["where"].endswith(f".{field}")
    assert said in found["message"]
    assert mend in found["mend"]


def test_keys_of_several_columns_are_compared_with_the_data(check):
    link = (
        "  - {from: [items.order_id, items.line_no], to: [shelf.order_id, shelf.line_no], cardinality: many_to_one}\n"
    )
    code, (finding,) = check(GOOD.replace("metrics:\n", f"{link}metrics:\n"))
    assert code == 4
    assert "`shelf.(order_id, line_no)` repeats: 2 different values in 3 rows" in finding["message"]
    turned = link.replace("many_to_one", "one_to_many")
    assert check(GOOD.replace("metrics:\n", f"{turned}metrics:\n")) == (0, [])


def test_a_column_whose_values_are_not_on_the_other_side_is_a_warning_only(check):
    link = "  - {from: items.line_no, to: orders.order_id, cardinality: many_to_one}\n"
    code, (finding,) = check(GOOD.replace("metrics:\n", f"{link}metrics:\n"))
    assert (code, finding["severity"]) == (0, "warning")
    assert "only 0 of 2 sampled values are found" in finding["message"]


def test_a_broken_part_is_named_and_everything_else_is_still_checked(check):
    text = GOOD.replace("COUNT(orders.order_id)", "COUNT(NOSUCH(orders.order_id))").replace(
        "{name: city}", "{name: town}"
    )
    code, findings = check(text)
    assert code == 4
    assert {each["where"].partition(": ")[2] for each in findings if each["severity"] == "error"} == {
        "tables.customers.columns.town.name",
        "metrics.order_count.expression",
        "metrics.per_order.expression",
    }


@pytest.mark.mysql
def test_a_server_that_is_down_is_exit_code_5(tmp_path):
    path = tmp_path / "catalog.yaml"
    path.write_text(GOOD, encoding="utf-8")
    assert run(["catalog", "check", str(path), "--warehouse", "mysql+pymysql://root@127.0.0.1:9/x"]) == 5
