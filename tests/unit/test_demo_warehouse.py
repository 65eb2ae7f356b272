"""Building the demo: once, whole or not at all, and never over something else."""

from pathlib import Path

import duckdb
import pytest

import demo.to_duckdb
from data_agent.errors import InvalidSettings, WarehouseUnavailable
from demo.layout import comments, create_table, demo_catalog, tables
from demo.warehouse import BuildReport, build


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> tuple[str, BuildReport]:
    url = f"duckdb:///{tmp_path_factory.mktemp('demo')}/warehouse/demo.duckdb"
    return url, build(url)


def test_builds_within_seconds_and_says_what_it_made(built):
    _, report = built
    assert (report.dialect, report.built) == ("duckdb", True)
    assert report.rows["orders"] >= 120_000


def test_a_second_build_finds_the_first(built):
    again = build(built[0])
    assert (again.built, again.rows) == (False, {})
    assert again.seconds < 1


def test_leaves_nothing_but_the_file(built):
    folder = Path(built[0].removeprefix("duckdb:///")).parent
    assert [path.name for path in folder.iterdir()] == ["demo.duckdb"]


def test_money_is_exact_and_missing_values_are_null(built):
    with duckdb.connect(built[0].removeprefix("duckdb:///"), read_only=True) as connection:
        row = connection.execute(
            "SELECT COUNT(*) - COUNT(customer_id), COUNT(*) - COUNT(paid_at), typeof(MAX(pay_amount)), MIN(pay_amount) "
            "FROM orders"
        ).fetchone()
        comment = connection.execute("SELECT comment FROM duckdb_columns() WHERE column_name = 'status'").fetchone()
    assert row is not None
    assert comment is not None
    assert row[0] > 1000 < row[1]
    assert row[2] == "DECIMAL(12,2)"
    assert row[3] > 0
    assert "1待付款" in comment[0]


def test_a_build_that_dies_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(demo.to_duckdb, "create_table", lambda *_: "CREATE TABLE broken (")
    with pytest.raises(duckdb.Error):
        build(f"duckdb:///{tmp_path}/demo.duckdb")
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_somebody_else_is_not_overwritten(tmp_path):
    other, text = tmp_path / "other.duckdb", tmp_path / "notes.txt"
    with duckdb.connect(str(other)) as connection:
        connection.execute("CREATE TABLE mine AS SELECT 1 AS a")
    text.write_text("not a database", encoding="utf-8")
    before = other.read_bytes()
    for path in (other, text):
        with pytest.raises(InvalidSettings, match="not a demo warehouse"):
            build(f"duckdb:///{path}")
    assert other.read_bytes() == before
    assert text.read_text(encoding="utf-8") == "not a database"


@pytest.mark.parametrize(
    "url", ["", "nonsense", "sqlite:///x.db", "duckdb://", "duckdb:///:memory:", "mysql+pymysql://h/"]
)
def test_urls_that_cannot_hold_the_demo_are_refused(url):
    with pytest.raises(InvalidSettings):
        build(url)


def test_a_dead_server_is_told_without_the_password():
    with pytest.raises(WarehouseUnavailable) as caught:
        build("mysql+pymysql://root:hunter2@127.0.0.1:1/demo")
    assert "hunter2" not in f"{caught.value} {caught.value.hint} {caught.value.__cause__}"


def test_every_table_has_keys_and_comments_in_mysql():
    catalog = demo_catalog()
    ddl = {table.name: create_table(catalog, table, "mysql") for table in tables(catalog)}
    assert all("PRIMARY KEY" in text for text in ddl.values())
    assert ddl["orders"].count("FOREIGN KEY") == 4
    assert "COMMENT '下单时间'" in ddl["orders"]
    assert "`group` VARCHAR" in ddl["orders"]


def test_texts_in_comments_are_quoted():
    table = demo_catalog().tables[0].model_copy(update={"description": "it's"})
    assert comments(table)[0].endswith("IS 'it''s'")
