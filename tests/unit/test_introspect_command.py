"""`data-agent introspect` from the outside: a first file, a second look, and what the shell is told."""

from pathlib import Path

import duckdb
import pytest

from data_agent.catalog.load import load_catalog
from scripts.main import run

CREATE = """CREATE TABLE customers (customer_id INT PRIMARY KEY, name VARCHAR, email VARCHAR);
CREATE TABLE orders (order_id INT PRIMARY KEY, customer_id INT, pay_amount DECIMAL(9,2), created_at TIMESTAMP);
INSERT INTO customers SELECT range, 'n' || range, 'a' || range || '@x.com' FROM range(30);
INSERT INTO orders SELECT range, range % 30, 1.5, TIMESTAMP '2026-01-01' FROM range(90);
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    file = tmp_path / "shop.duckdb"
    change(file, CREATE)
    return file


def change(file: Path, sql: str) -> None:
    with duckdb.connect(file) as database:
        database.execute(sql)


def look(shop: Path, *more: str) -> tuple[int, Path]:
    path = shop.with_name("catalog.yaml")
    return run(["introspect", "--warehouse", f"duckdb:///{shop}", "--out", str(path), *more]), path


def test_a_first_catalog_says_what_it_holds_and_how_sure_it_is(shop, capsys):
    code, path = look(shop)
    assert code == 0
    assert "2 tables, 7 columns, 1 relationships (1 inferred)" in capsys.readouterr().out
    catalog = load_catalog(path)[0]
    (link,) = catalog.relationships
    assert (link.inferred, "30 of 30 sampled values" in link.evidence) == (True, True)
    assert catalog.column("customers.email").personal
    assert catalog.metric("total_pay_amount").inferred


def test_a_second_look_adds_what_is_new_and_tells_what_changed(shop, capsys):
    _, path = look(shop)
    text = path.read_text(encoding="utf-8").replace("name: shop", "name: shop  # mine")
    path.write_text(text, encoding="utf-8")
    golden = shop.with_name("golden.yaml")
    golden.write_text("- {question: paid in all, sql: SELECT SUM(pay_amount) FROM orders}\n", encoding="utf-8")
    change(
        shop, "ALTER TABLE customers ADD COLUMN city VARCHAR; CREATE TABLE tags (tag_id INT PRIMARY KEY, name VARCHAR)"
    )
    change(shop, "ALTER TABLE orders RENAME pay_amount TO paid_amount")
    capsys.readouterr()
    assert look(shop, "--golden", str(golden))[0] == 0
    told = capsys.readouterr().out
    for line in (
        "+ table tags",
        "+ column customers.city",
        "? renamed: orders.pay_amount → orders.paid_amount",
        "- gone: orders.pay_amount",
        "metric total_pay_amount needs it",
        "golden question needs it: paid in all",
    ):
        assert line in told
    after = path.read_text(encoding="utf-8")
    assert "name: shop  # mine" in after
    assert all(line in after.splitlines() for line in text.splitlines())
    assert look(shop)[0] == 0
    assert "nothing to add" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("url", "code", "said"),
    [
        ("oracle://x", 64, "cannot be read"),
        ("duckdb:///nowhere.duckdb", 5, "there is no file"),
        ("mysql+pymysql://root@127.0.0.1:9/sales", 5, "sales cannot be reached"),
    ],
)
def test_a_warehouse_that_cannot_be_read_writes_nothing(tmp_path, capsys, url, code, said):
    path = tmp_path / "catalog.yaml"
    assert run(["introspect", "--warehouse", url, "--out", str(path)]) == code
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_catalog_is_named_and_left_alone(shop, capsys):
    path = shop.with_name("catalog.yaml")
    path.write_text("tables: [", encoding="utf-8")
    assert look(shop)[0] == 64
    assert "not valid YAML" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "tables: ["


def test_describing_needs_a_model_before_anything_is_read(shop, capsys):
    assert look(shop, "--describe")[0] != 0
    assert "--describe needs a language model" in capsys.readouterr().err
    assert not shop.with_name("catalog.yaml").exists()
