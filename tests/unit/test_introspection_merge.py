"""A second run adds what is new and touches nothing that a person wrote."""

import difflib
from pathlib import Path

import pytest

from api.inspection import add_to_catalog
from data_agent.catalog.load import load_catalog
from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Relationship, Table
from data_agent.errors import CatalogInvalid
from data_agent.introspection.merge import GoldenQuestion, Merge, merge

WRITTEN = """\
# our shop
name: shop
tables:
  - name: orders            # one row per order
    role: fact
    aliases: [订单]
    columns:
      - {name: order_id, role: primary_key, type: integer}
      - name: pay_amount
        type: decimal
        description: |
          written by hand,
          on two lines
  # the end of the tables
metrics:
  - name: sales
    aliases: [销售额]
    expression: SUM(orders.pay_amount)
"""


def found(*columns: Column, more: tuple[Table, ...] = (), links: tuple[Relationship, ...] = ()) -> Catalog:
    orders = Table(name="orders", columns=columns, primary_key=("order_id",))
    return Catalog(name="shop", version="", tables=(orders, *more), relationships=links)


def column(name: str, kind: str = "integer", **fields) -> Column:
    return Column(table="orders", name=name, type=kind, **fields)


KEY, PAID = column("order_id", role="primary_key"), column("pay_amount", "decimal", role="measure")


@pytest.fixture
def path(tmp_path) -> Path:
    file = tmp_path / "catalog.yaml"
    file.write_text(WRITTEN, encoding="utf-8")
    return file


def test_nothing_new_adds_nothing(path):
    assert not merge(load_catalog(path)[0], found(KEY, PAID)).adds


def test_new_tables_columns_and_references_are_added_and_every_written_line_stays(path):
    customers = Table(name="customers", columns=(Column(table="customers", name="id", type="integer"),))
    link = Relationship(
        from_table="orders", from_columns=("customer_id",), to_table="customers", to_columns=("id",), inferred=True
    )
    written = load_catalog(path)[0]
    changes = merge(written, found(KEY, PAID, column("customer_id"), more=(customers,), links=(link,)))
    assert add_to_catalog(written, changes, path) == (path,)
    text = path.read_text(encoding="utf-8")
    changed = difflib.ndiff(WRITTEN.splitlines(), text.splitlines())
    assert not [line for line in changed if line.startswith("- ")]
    again, _ = load_catalog(path)
    assert again.column("orders.customer_id") is not None
    assert again.table("customers") is not None
    assert again.relationships == (link,)
    assert not merge(again, found(KEY, PAID, column("customer_id"), more=(customers,), links=(link,))).adds


def test_a_file_in_brackets_gets_a_second_file_beside_it(tmp_path):
    path = tmp_path / "c.yaml"
    path.write_text("name: s\ntables: [{name: orders, columns: [{name: order_id, role: primary_key, type: int}]}]\n")
    written = load_catalog(path)[0]
    before = path.read_text()
    assert add_to_catalog(written, merge(written, found(KEY, column("new_one"))), path) == (tmp_path / "c.new.yaml",)
    assert path.read_text() == before
    assert load_catalog(tmp_path / "c.new.yaml")[0].column("orders.new_one")


def test_a_renamed_column_is_offered_and_neither_added_nor_silently_lost(path):
    changes = merge(load_catalog(path)[0], found(KEY, column("paid_amount", "decimal")))
    assert [(r.before, r.after) for r in changes.renames] == [("orders.pay_amount", "orders.paid_amount")]
    assert not changes.columns
    assert changes.gone[0].metrics == ("sales",)


def test_a_column_that_is_gone_names_the_metrics_and_golden_questions_on_it(path):
    golden = [
        GoldenQuestion(question="总销售额", sql="SELECT SUM(pay_amount) FROM orders"),
        GoldenQuestion(question="订单数", sql="SELECT COUNT(*) FROM orders"),
    ]
    (gone,) = merge(load_catalog(path)[0], found(KEY), golden=golden).gone
    assert (gone.name, gone.metrics, gone.questions) == ("orders.pay_amount", ("sales",), ("总销售额",))


def test_a_table_that_could_not_be_read_is_not_called_gone(path):
    other = Catalog(name="shop", version="", tables=(Table(name="x", columns=(KEY,)),))
    assert [g.name for g in merge(load_catalog(path)[0], other).gone] == ["orders"]
    assert not merge(load_catalog(path)[0], other, unread=["orders"]).gone


def test_a_reference_between_known_columns_is_offered_only(path):
    link = Relationship(from_table="orders", from_columns=("pay_amount",), to_table="orders", to_columns=("order_id",))
    changes = merge(load_catalog(path)[0], found(KEY, PAID, links=(link,)))
    assert (changes.offers, changes.relationships) == ((link,), ())


def test_another_type_is_told_and_not_written(path):
    changes = merge(load_catalog(path)[0], found(KEY, column("pay_amount", "text")))
    assert changes.retyped == ("orders.pay_amount: written as decimal, is text in the database",)
    assert not changes.adds


@pytest.fixture
def folder(tmp_path) -> Path:
    place = tmp_path / "catalog"
    place.mkdir()
    (place / "metrics.yaml").write_text(
        "name: shop\nmetrics:\n  - {name: sales, expression: SUM(orders.pay_amount)}\n", encoding="utf-8"
    )
    tables = WRITTEN[WRITTEN.index("tables:") : WRITTEN.index("metrics:")]
    (place / "tables.yaml").write_text(f"# tables\n{tables}", encoding="utf-8")
    return place


def test_a_catalog_of_several_files_is_added_to_where_things_stand(folder):
    customers = Table(name="customers", columns=(Column(table="customers", name="id", type="integer"),))
    link = Relationship(
        from_table="orders", from_columns=("customer_id",), to_table="customers", to_columns=("id",), inferred=True
    )
    before = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
    written = load_catalog(folder)[0]
    changes = merge(written, found(KEY, PAID, column("customer_id"), more=(customers,), links=(link,)))
    assert add_to_catalog(written, changes, folder) == (folder / "tables.yaml", folder / "introspected.yaml")
    assert (folder / "metrics.yaml").read_text(encoding="utf-8") == before["metrics.yaml"]
    text = (folder / "tables.yaml").read_text(encoding="utf-8")
    changed = list(difflib.ndiff(before["tables.yaml"].splitlines(), text.splitlines()))
    assert not [line for line in changed if line.startswith("- ")]
    assert "customer_id" in text
    again = load_catalog(folder)[0]
    assert again.relationships == (link,)
    more = Table(name="tags", columns=(Column(table="tags", name="id", type="integer"),))
    second = merge(again, found(KEY, PAID, column("customer_id"), more=(customers, more), links=(link,)))
    assert add_to_catalog(again, second, folder) == (folder / "introspected.yaml",)
    assert {table.name for table in load_catalog(folder)[0].tables} == {"orders", "customers", "tags"}
    assert [each.name for each in folder.parent.iterdir()] == ["catalog"]


def test_a_folder_whose_file_has_no_room_is_left_as_it_is(folder):
    (folder / "tables.yaml").write_text("tables: [{name: orders, columns: [{name: pay_amount, type: decimal}]}]\n")
    written = load_catalog(folder)[0]
    before = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
    with pytest.raises(CatalogInvalid, match="in brackets"):
        add_to_catalog(written, merge(written, found(PAID, column("new_one"), more=(table_of("x"),))), folder)
    assert {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()} == before


def table_of(name: str) -> Table:
    return Table(name=name, columns=(Column(table=name, name="id", type="integer"),))


def test_a_file_that_would_not_load_again_is_not_written(path):
    written = load_catalog(path)[0]
    odd = Merge(metrics=(Metric(name="broken", expression="SUM(nowhere.x)"),))
    before = path.read_text(encoding="utf-8")
    with pytest.raises(CatalogInvalid, match="nowhere"):
        add_to_catalog(written, odd, path)
    assert path.read_text(encoding="utf-8") == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]
