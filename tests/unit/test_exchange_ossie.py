"""Apache Ossie core models in and out: every part is carried or named with its reason, and nothing changes meaning."""

import json

import pytest
import yaml

from data_agent.catalog.dump import dump_catalog
from data_agent.catalog.load import load_catalog
from data_agent.errors import CatalogInvalid
from data_agent.exchange.ossie.read import import_ossie
from data_agent.exchange.ossie.write import export_ossie
from demo.layout import demo_catalog
from scripts.main import run

MODEL = """
version: 0.2.0.dev0
semantic_model:
  - name: shop
    description: a shop
    ai_context: {instructions: be kind, synonyms: [store]}
    datasets:
      - name: sales
        source: db.public.fct_sales
        primary_key: [id]
        unique_keys: [[receipt_no]]
        description: one row per sale
        ai_context: {synonyms: [销售, orders]}
        fields:
          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: sale_id}]}, datatype: Integer}
          - {name: receipt_no, expression: {dialects: [{dialect: ANSI_SQL, expression: receipt_no}]}}
          - {name: customer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}, datatype: integer}
          - name: sold
            expression: {dialects: [{dialect: ANSI_SQL, expression: sold_at}]}
            datatype: timestamp
            ai_context: "sale date, 销售日期"
          - {name: audited, expression: {dialects: [{dialect: ANSI_SQL, expression: audited_at}]}, datatype: Date,
             dimension: {is_time: false}}
          - {name: state, label: filter, expression: {dialects: [{dialect: SNOWFLAKE, expression: state}]}}
          - {name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}, datatype: Decimal}
          - {name: discount, expression: {dialects: [{dialect: ANSI_SQL, expression: discount}]}, datatype: number}
          - {name: net, expression: {dialects: [{dialect: ANSI_SQL, expression: amount - discount}]}}
          - {name: cube, expression: {dialects: [{dialect: MDX, expression: "[x].[y]"}]}}
          - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(amount)}]}}
      - name: buyers
        source: customer
        primary_key: [id]
        fields:
          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
          - {name: city, expression: {dialects: [{dialect: ANSI_SQL, expression: city}]}}
          - {name: is_test, expression: {dialects: [{dialect: ANSI_SQL, expression: is_test}]}}
      - {name: recent, source: "SELECT * FROM fct_sales WHERE sold_at > '2026-01-01'"}
      - {name: sales_again, source: fct_sales}
    relationships:
      - {name: who_bought, from: sales, to: buyers, from_columns: [customer], to_columns: [id],
         ai_context: {synonyms: [买家]}}
      - {name: receipts, from: sales, to: buyers, from_columns: [receipt_no], to_columns: [id]}
      - {name: dangling, from: sales, to: recent, from_columns: [id], to_columns: [id]}
      - {name: uneven, from: sales, to: buyers, from_columns: [id, state], to_columns: [id]}
    metrics:
      - {name: revenue, datatype: Decimal, description: money, ai_context: {synonyms: [收入]},
         expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}}
      - {name: net_revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.net)}]}}
      - {name: customers, datatype: Integer,
         expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT buyers.id)}]}}
      - {name: per_customer,
         expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount) / COUNT(DISTINCT buyers.id)}]}}
      - name: paid
        expression:
          dialects:
            - dialect: ANSI_SQL
              expression: SUM(CASE WHEN sales.state = 'paid' AND buyers.is_test = 0 THEN sales.amount END)
      - {name: growth, expression: {dialects: [{dialect: ANSI_SQL, expression: revenue / net_revenue - 1}]}}
      - {name: bare, expression: SUM(discount)}
      - {name: spread, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount * buyers.is_test)}]}}
      - {name: ranked, expression: {dialects: [{dialect: ANSI_SQL, expression: RANK() OVER (ORDER BY sales.amount)}]}}
      - {name: rows, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(*)}]}}
      - {name: plain, expression: {dialects: [{dialect: ANSI_SQL, expression: sales.amount}]}}
      - {name: broken, expression: {dialects: [{dialect: ANSI_SQL, expression: "SUM((sales.amount"}]}}
      - {name: mdx, expression: {dialects: [{dialect: MDX, expression: "[Measures].[x]"}]}}
      - {name: unknown, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.nothing)}]}}
      - {name: round_a, expression: {dialects: [{dialect: ANSI_SQL, expression: round_b + 1}]}}
      - {name: round_b, expression: {dialects: [{dialect: ANSI_SQL, expression: round_a + 1}]}}
    custom_extensions: [{vendor_name: SNOWFLAKE, data: '{"warehouse": "W"}'}]
"""
METRICS = {
    "revenue": ("SUM(fct_sales.amount)", ()),
    "net_revenue": ("SUM((fct_sales.amount - fct_sales.discount))", ()),
    "customers": ("COUNT(DISTINCT customer.id)", ()),
    "per_customer": ("{revenue} / {customers}", ()),
    "paid": ("SUM(fct_sales.amount)", ("fct_sales.state = 'paid'", "customer.is_test = 0")),
    "growth": ("{revenue} / {net_revenue} - 1", ()),
    "bare": ("SUM(fct_sales.discount)", ()),
}
REASONS = {
    "model shop": "instructions",
    "extension of model shop": "another tool's",
    "dataset recent": "a query; make it a view",
    "dataset sales_again": "a dataset already",
    "field sales.net": "computed",
    "field sales.cube": "no expression in a dialect of SQL",
    "field sales.total": "make it a metric",
    "relationship dangling": "not in the catalog",
    "relationship uneven": "same number",
    "metric spread": "several tables",
    "metric ranked": "window",
    "metric rows": "which dataset it counts",
    "metric plain": "no aggregate",
    "metric broken": "not valid SQL",
    "metric mdx": "no expression in a dialect of SQL",
    "metric unknown": "no field `nothing`",
    "metric round_a": "circle",
    "metric round_b": "circle",
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "model.yaml"
    path.write_text(MODEL, encoding="utf-8")
    return path


@pytest.fixture
def catalog(file):
    return import_ossie(file).catalog


def test_every_metric_is_carried_or_named_with_its_reason(file):
    found = import_ossie(file)
    assert {metric.name: (metric.expression, metric.filters) for metric in found.catalog.metrics} == METRICS
    told = [f"{each.what}: {each.why}" for each in found.left_out]
    for what, why in REASONS.items():
        assert [line for line in told if what in line and why in line], (what, told)
    assert len(told) == len(REASONS)


def test_what_is_left_out_names_its_line(file):
    told = {each.what for each in import_ossie(file).left_out}
    line = MODEL.splitlines().index("      - {name: sales_again, source: fct_sales}") + 1
    assert f"model.yaml:{line}: dataset sales_again" in told


def test_datasets_become_tables_under_the_names_of_the_database(catalog):
    sales = catalog.table("fct_sales")
    assert (sales.role, sales.primary_key, sales.description) == ("fact", ("sale_id",), "one row per sale")
    assert sales.time_column == "sold_at"
    assert sales.aliases == ("sales", "销售", "orders")
    columns = {column.name: (column.type, column.role) for column in sales.columns}
    assert columns == {
        "sale_id": ("integer", "primary_key"),
        "receipt_no": ("text", "foreign_key"),
        "customer_id": ("integer", "foreign_key"),
        "sold_at": ("datetime", "time"),
        "audited_at": ("date", "dimension"),
        "state": ("text", "dimension"),
        "amount": ("decimal", "measure"),
        "discount": ("decimal", "measure"),
    }
    assert catalog.column("fct_sales.sold_at").aliases == ("sold", "sale date", "销售日期")


def test_relationships_run_from_many_to_one_unless_a_key_says_one(catalog):
    links = {link.name: (link.from_columns, link.to_columns, link.cardinality) for link in catalog.relationships}
    assert links == {
        "who_bought": (("customer_id",), ("id",), "many_to_one"),
        "receipts": (("receipt_no",), ("id",), "one_to_one"),
    }
    assert catalog.relationships[0].aliases == ("买家",)


def test_what_is_imported_loads_as_a_catalog(catalog, tmp_path):
    path = tmp_path / "catalog.yaml"
    path.write_text(dump_catalog(catalog), encoding="utf-8")
    again, _ = load_catalog(path)
    assert {metric.name for metric in again.metrics} == set(METRICS)
    assert again.metric("customers").format == "integer"


def test_the_demo_goes_out_and_comes_back_as_it_was(tmp_path):
    catalog = demo_catalog()
    found = import_ossie(exported(catalog, tmp_path), catalog.name)
    assert found.left_out == ()
    path = tmp_path / "back.yaml"
    path.write_text(dump_catalog(found.catalog), encoding="utf-8")
    back, _ = load_catalog(path)
    assert back.model_copy(update={"version": ""}) == catalog.model_copy(update={"version": ""})


def test_another_tool_that_drops_our_extension_keeps_every_number(tmp_path):
    path = exported(demo_catalog(), tmp_path)
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(without_extensions(document), ensure_ascii=False), encoding="utf-8")
    back = import_ossie(path).catalog
    for metric in demo_catalog().metrics:
        found = back.metric(metric.name)
        if not metric.derived:
            assert (found.expression, found.filters, found.table) == (metric.expression, metric.filters, metric.table)
    assert back.metric("average_order_value").expression == "({sales}) / NULLIF(({order_count}), 0)"
    assert {each.what for each in import_ossie(path).left_out} == {"time of table orders"}
    assert back.table("refunds").time_column == "refunded_at"
    assert back.metric("net_sales").expression == "({sales}) - ({refund_amount})"


def test_an_expression_that_was_changed_elsewhere_wins_over_our_extension(tmp_path):
    path = exported(demo_catalog(), tmp_path)
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    metrics = {each["name"]: each for each in document["semantic_model"][0]["metrics"]}
    metrics["gross_margin"]["expression"]["dialects"][0]["expression"] = "SUM(order_items.amount) - 1"
    path.write_text(yaml.safe_dump(document, allow_unicode=True), encoding="utf-8")
    assert import_ossie(path).catalog.metric("gross_margin").expression == "SUM(order_items.amount) - 1"


def test_an_export_says_what_only_our_extension_carries():
    told = {each.what for each in export_ossie(demo_catalog()).left_out}
    assert "last value of metric stock" in told
    assert "time of metric sales" in told


def exported(catalog, folder):
    ((name, text),) = export_ossie(catalog).files.items()
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def without_extensions(node):
    if isinstance(node, dict):
        return {key: without_extensions(value) for key, value in node.items() if key != "custom_extensions"}
    return [without_extensions(each) for each in node] if isinstance(node, list) else node


def test_a_later_draft_with_one_model_at_the_top_is_read(tmp_path):
    path = tmp_path / "flat.yaml"
    path.write_text("version: 0.2.0.dev0\nname: m\ndatasets:\n  - {name: t, source: t, primary_key: [id]}\n")
    found = import_ossie(path)
    assert (found.catalog.name, found.catalog.table("t").primary_key, found.left_out) == ("m", ("id",), ())


def test_of_several_models_one_is_taken_and_the_others_are_named(tmp_path):
    path = tmp_path / "two.yaml"
    two = "".join(f"  - {{name: {name}, datasets: [{{name: t, source: {name}}}]}}\n" for name in ("one", "two"))
    path.write_text(f"version: 0.1.1\nsemantic_model:\n{two}")
    assert [table.name for table in import_ossie(path, "two").catalog.tables] == ["two"]
    assert [each.what for each in import_ossie(path).left_out] == ["model two"]


def test_another_version_is_read_and_named(tmp_path):
    path = tmp_path / "new.yaml"
    path.write_text("version: 9.0\nname: m\ndatasets: [{name: t, source: t}]\n")
    assert [each.what for each in import_ossie(path).left_out] == ["version 9.0"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "not valid YAML"),
        ("- 1", "an Ossie document is a mapping"),
        ("version: 0.1\nsemantic_model: []", "`semantic_model` is missing"),
        ("name: m\ndatasets: [{name: t, source: SELECT 1}]", "no dataset is a table"),
        ("name: m\ndatasets: [{name: t, source: 'a b; DROP TABLE c'}]", "make it a view"),
        ("a: 1\na: 2", "written twice"),
    ],
)
def test_what_is_no_document_is_named_with_its_line(tmp_path, text, said):
    path = tmp_path / "x.yaml"
    path.write_text(text)
    with pytest.raises(CatalogInvalid, match=said):
        import_ossie(path)


def test_the_commands_write_nothing_over_and_list_what_is_left_out(file, tmp_path, capsys):
    target = tmp_path / "catalog.yaml"
    assert run(["import", "ossie", str(file), "--out", str(target)]) == 0
    captured = capsys.readouterr()
    assert "2 tables, 7 metrics" in captured.out
    assert "metric spread" in captured.err
    assert run(["import", "ossie", str(file), "--out", str(target)]) == 64
    assert run(["export", "ossie", str(target), "--out", str(tmp_path / "out")]) == 0
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["shop.ossie.yaml"]
