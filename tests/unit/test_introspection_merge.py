"""A second run adds what is new and touches nothing that a person wrote."""

import difflib
from pathlib import Path

import pytest

from api.inspection import add_to_catalog
from data_agent.catalog.load import load_catalog
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Relationship, Table
from data_agent.introspection.merge import GoldenQuestion, merge

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
    assert add_to_catalog(written, changes, path) == path
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
    assert add_to_catalog(written, merge(written, found(KEY, column("new_one"))), path).name == "c.new.yaml"
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
