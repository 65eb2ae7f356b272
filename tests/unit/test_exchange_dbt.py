"""dbt projects in and out: every metric type, old and new manifests, and what is broken."""

import json

import pytest
import yaml

from data_agent.catalog.dump import dump_catalog
from data_agent.catalog.load import load_catalog
from data_agent.errors import CatalogInvalid
from data_agent.exchange.dbt.read import import_dbt
from data_agent.exchange.dbt.write import export_dbt
from demo.layout import demo_catalog

PROJECT = """
models:
  - name: orders
    description: one row per order
    columns:
      - {name: order_id, data_type: bigint, tests: [unique, not_null]}
      - name: customer_id
        data_type: bigint
        tests: [{relationships: {to: ref('customers'), field: customer_id}}]
      - {name: status, data_type: varchar, data_tests: [{accepted_values: {arguments: {values: [paid, open]}}}]}
      - {name: amount, data_type: "numeric(12,2)"}
      - {name: cost, data_type: "numeric(12,2)"}
      - {name: ordered_at, data_type: timestamp}
  - name: customers
    columns:
      - {name: customer_id, data_type: bigint, tests: [unique, not_null]}
      - {name: email, data_type: varchar, tags: [pii]}
semantic_models:
  - name: orders
    model: ref('orders')
    defaults: {agg_time_dimension: ordered_at}
    entities:
      - {name: order, type: primary, expr: order_id}
      - {name: customer, type: foreign, expr: customer_id}
    dimensions:
      - {name: state, type: categorical, expr: status, label: 状态}
      - {name: ordered_at, type: time, type_params: {time_granularity: day}}
    measures:
      - {name: revenue_sum, agg: sum, expr: amount}
      - {name: cost_sum, agg: sum, expr: cost}
      - {name: margin_sum, agg: sum, expr: amount - cost}
      - {name: buyers_n, agg: count_distinct, expr: customer_id}
      - {name: orders_n, agg: count, expr: "1"}
      - {name: middle, agg: median, expr: amount}
metrics:
  - {name: revenue, label: 收入, type: simple, type_params: {measure: revenue_sum}}
  - {name: cost, type: simple, type_params: {measure: {name: cost_sum}}}
  - {name: margin, type: simple, type_params: {measure: margin_sum}}
  - {name: paid, type: simple, type_params: {measure: revenue_sum}, filter: "{{ Dimension('order__state') }} = 'paid'"}
  - {name: buyers, type: simple, type_params: {measure: buyers_n}}
  - {name: orders_count, type: simple, type_params: {measure: orders_n}}
  - {name: cost_rate, type: ratio, type_params: {numerator: cost, denominator: {name: revenue}}}
  - {name: profit, type: derived, type_params: {expr: r - cost, metrics: [{name: revenue, alias: r}, {name: cost}]}}
  - {name: growth, type: derived, type_params: {expr: a - b, metrics: [{name: revenue, alias: a},
     {name: revenue, alias: b, offset_window: 1 month}]}}
  - {name: so_far, type: cumulative, type_params: {measure: revenue_sum}}
  - {name: visits_to_orders, type: conversion, type_params: {}}
  - {name: middle_amount, type: simple, type_params: {measure: middle}}
  - {name: x, type: derived, type_params: {expr: y + 1, metrics: [{name: y}]}}
  - {name: y, type: derived, type_params: {expr: x + 1, metrics: [{name: x}]}}
"""
EXPECTED = {
    "revenue": "SUM(orders.amount)",
    "cost": "SUM(orders.cost)",
    "margin": "SUM(orders.amount - orders.cost)",
    "paid": "SUM(orders.amount)",
    "buyers": "COUNT(DISTINCT orders.customer_id)",
    "orders_count": "COUNT(*)",
    "cost_rate": "{cost} / {revenue}",
    "profit": "{revenue} - {cost}",
}


@pytest.fixture
def project(tmp_path):
    (tmp_path / "dbt_project.yml").write_text("name: shop\nconfig-version: 2\nprofile: p\n")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "all.yml").write_text(PROJECT, encoding="utf-8")
    return tmp_path


def manifest(version: int, **parts) -> dict:
    column = {"name": "order_id", "data_type": "bigint", "description": "key"}
    model = {"resource_type": "model", "name": "orders", "alias": "fct_orders", "columns": {"order_id": column}}
    test = {
        "resource_type": "test",
        "column_name": "order_id",
        "depends_on": {"nodes": ["model.shop.orders"]},
        "test_metadata": {"name": "unique", "kwargs": {"column_name": "order_id", "model": "…"}},
    }
    url = f"https://schemas.getdbt.com/dbt/manifest/v{version}.json"
    filled = {**test, "test_metadata": {"name": "not_null", "kwargs": {"column_name": "order_id"}}}
    nodes = {"model.shop.orders": model, "test.a": test, "test.b": filled}
    return {"metadata": {"dbt_schema_version": url, "project_name": "shop"}, "nodes": nodes, **parts}


def write(folder, plain, name="manifest.json"):
    (folder / "target").mkdir(exist_ok=True)
    path = folder / "target" / name
    path.write_text(json.dumps(plain), encoding="utf-8")
    return path


def test_every_metric_type_is_carried_or_named_with_its_reason(project):
    found = import_dbt(project)
    assert {metric.name: metric.expression for metric in found.catalog.metrics} == EXPECTED
    reasons = {each.what: each.why for each in found.left_out}
    assert set(reasons) == {f"metric {n}" for n in ("growth", "so_far", "visits_to_orders", "middle_amount", "x", "y")}
    assert "circle" in reasons["metric x"] + reasons["metric y"]
    assert "median" in reasons["metric middle_amount"]


def test_filters_times_and_labels_come_along(project):
    catalog = import_dbt(project).catalog
    paid = catalog.metric("paid")
    assert (paid.filters, paid.time_column) == (("orders.status = 'paid'",), "orders.ordered_at")
    assert catalog.metric("revenue").aliases == ("收入",)
    assert catalog.column("orders.status").aliases == ("状态",)


def test_tests_become_keys_values_and_references(project):
    catalog = import_dbt(project).catalog
    assert catalog.table("customers").primary_key == ("customer_id",)
    assert catalog.column("orders.status").examples == ("paid", "open")
    assert catalog.column("customers.email").personal
    (link,) = catalog.relationships
    assert (link.from_table, link.from_columns, link.to_table) == ("orders", ("customer_id",), "customers")


def test_what_is_imported_loads_as_a_catalog(project, tmp_path):
    path = tmp_path / "catalog.yaml"
    path.write_text(dump_catalog(import_dbt(project).catalog), encoding="utf-8")
    assert {metric.name for metric in load_catalog(path)[0].metrics} == set(EXPECTED)


def test_an_old_manifest_with_metrics_of_its_time_is_read(tmp_path):
    old = {
        "name": "orders_n",
        "calculation_method": "count",
        "expression": "order_id",
        "model": "ref('orders')",
        "filters": [{"field": "order_id", "operator": ">", "value": "0"}],
    }
    derived = {"name": "twice", "calculation_method": "derived", "expression": "{{metric('orders_n')}} * 2"}
    rolling = {"name": "week", "calculation_method": "count", "expression": "order_id", "window": {"count": 7}}
    plain = manifest(7, metrics={"a": old, "b": derived, "c": rolling})
    found = import_dbt(write(tmp_path, plain))
    metrics = {metric.name: metric for metric in found.catalog.metrics}
    assert metrics["orders_n"].expression == "COUNT(fct_orders.order_id)"
    assert metrics["orders_n"].filters == ("fct_orders.order_id > 0",)
    assert metrics["twice"].expression == "{orders_n} * 2"
    assert "window" in found.left_out[0].why


def test_a_newer_manifest_with_metrics_that_aggregate_themselves_is_read(tmp_path):
    semantic = {"name": "orders", "model": "ref('orders')", "entities": [{"name": "order_id", "type": "primary"}]}
    inline = {"semantic_model": "orders", "agg": "count", "expr": "order_id"}
    metric = {"name": "n", "type": "simple", "type_params": {"metric_aggregation_params": inline}}
    plain = manifest(12, semantic_models={"s": semantic}, metrics={"m": metric})
    write(tmp_path, plain)
    catalog = import_dbt(tmp_path).catalog
    assert catalog.metric("n").expression == "COUNT(fct_orders.order_id)"
    assert catalog.table("fct_orders").primary_key == ("order_id",)


def test_semantic_models_in_a_file_of_their_own_are_found(tmp_path):
    write(tmp_path, manifest(9))
    measure = {"name": "n", "agg": "count", "expr": "order_id"}
    semantic = {
        "name": "orders",
        "node_relation": {"alias": "fct_orders"},
        "model": "ref('orders')",
        "measures": [measure],
    }
    metric = {"name": "total", "type": "simple", "type_params": {"measure": {"name": "n"}}, "filter": None}
    write(tmp_path, {"semantic_models": [semantic], "metrics": [metric]}, "semantic_manifest.json")
    assert import_dbt(tmp_path).catalog.metric("total").expression == "COUNT(fct_orders.order_id)"


def test_a_manifest_of_another_version_is_read_and_named(tmp_path):
    found = import_dbt(write(tmp_path, manifest(99)))
    assert found.catalog.tables
    assert found.left_out[0].what == "manifest v99"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not valid JSON"),
        ("[]", "not a dbt manifest"),
        ('{"nodes": {}}', "dbt_schema_version"),
        ('{"nodes": 5, "metadata": []}', "not a dbt manifest"),
    ],
)
def test_a_broken_manifest_is_named_with_what_to_run(tmp_path, text, said):
    path = tmp_path / "manifest.json"
    path.write_text(text)
    with pytest.raises(CatalogInvalid, match=said) as caught:
        import_dbt(path)
    assert "dbt parse" in caught.value.hint


def test_a_broken_yaml_file_is_named_and_the_others_are_read(project):
    (project / "models" / "bad.yml").write_text("models:\n  - name: [x\n")
    found = import_dbt(project)
    assert len(found.catalog.tables) == 2
    assert any(each.what.startswith("models/bad.yml:") for each in found.left_out)


def test_a_folder_that_is_no_project_is_said_so(tmp_path):
    with pytest.raises(CatalogInvalid, match=r"no dbt_project\.yml"):
        import_dbt(tmp_path)


def test_the_demo_goes_out_to_dbt_and_comes_back_with_the_same_numbers(tmp_path):
    catalog = demo_catalog()
    made = export_dbt(catalog)
    for name, text in made.files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert yaml.safe_load(text)
    back = import_dbt(tmp_path).catalog
    said = [{m.name: (m.expression, m.filters) for m in each.metrics} for each in (back, catalog)]
    assert said[0] == said[1]
    elsewhere = {each.what.removeprefix("time of metric ") for each in made.left_out}
    times = [{m.name: m.time_column for m in each.metrics if m.name not in elsewhere} for each in (back, catalog)]
    assert times[0] == times[1]
    assert back.metric("stock").additivity == "semi_additive"
    assert {table.name for table in back.tables} == {table.name for table in catalog.tables}
    assert {c.id for t in back.tables for c in t.columns} == {c.id for t in catalog.tables for c in t.columns}


LATEST = """
models:
  - name: orders
    description: one row per order
    semantic_model: {enabled: true, name: sales}
    agg_time_dimension: ordered_at
    columns:
      - name: order_id
        data_type: bigint
        entity: {type: primary, name: order}
        data_tests: [unique, not_null]
      - {name: customer_id, data_type: bigint, entity: {type: foreign, name: customer}}
      - {name: ordered_at, data_type: timestamp, granularity: day, dimension: {type: time}}
      - {name: status, data_type: varchar, dimension: {type: categorical, label: 状态}}
      - {name: amount, data_type: "numeric(12,2)"}
      - {name: balance, data_type: "numeric(12,2)"}
    derived_semantics:
      dimensions: [{name: is_big, type: categorical, expr: amount > 100}]
    metrics:
      - {name: revenue, label: 收入, type: simple, agg: sum, expr: amount}
      - {name: orders_n, type: simple, agg: count, expr: order_id, filter: "{{ Dimension('order__status') }} = 'paid'"}
      - {name: level, type: simple, agg: sum, expr: balance, non_additive_dimension: {name: ordered_at}}
      - {name: p95, type: simple, agg: percentile, expr: amount, percentile: 0.95}
      - {name: average, type: ratio, numerator: revenue, denominator: {name: orders_n}}
      - {name: running, type: cumulative, input_metric: revenue, window: 7 days}
  - name: customers
    semantic_model: true
    columns:
      - {name: customer_id, data_type: bigint, entity: {type: primary, name: customer}}
  - {name: staging, semantic_model: false, columns: [{name: id, entity: {type: primary, name: s}}]}
metrics:
  - {name: double, type: derived, expr: r * 2, input_metrics: [{name: revenue, alias: r}]}
  - {name: before, type: derived, expr: r - p, input_metrics: [{name: revenue, alias: r},
     {name: revenue, alias: p, offset_window: 1 month}]}
"""


def test_the_latest_yaml_with_semantics_beside_each_model_is_read(tmp_path):
    (tmp_path / "dbt_project.yml").write_text("name: shop\nconfig-version: 2\n")
    (tmp_path / "models.yml").write_text(LATEST, encoding="utf-8")
    found = import_dbt(tmp_path)
    metrics = {metric.name: (metric.expression, metric.filters, metric.additivity) for metric in found.catalog.metrics}
    assert metrics == {
        "revenue": ("SUM(orders.amount)", (), "additive"),
        "orders_n": ("COUNT(orders.order_id)", ("orders.status = 'paid'",), "additive"),
        "level": ("SUM(orders.balance)", (), "semi_additive"),
        "average": ("{revenue} / {orders_n}", (), "non_additive"),
        "double": ("{revenue} * 2", (), "non_additive"),
    }
    assert {each.what for each in found.left_out} == {"metric p95", "metric running", "metric before"}
    orders = found.catalog.table("orders")
    assert (orders.role, orders.primary_key, orders.time_column) == ("fact", ("order_id",), "ordered_at")
    assert found.catalog.metric("revenue").time_column == "orders.ordered_at"
    assert orders.column("status").aliases == ("状态",)
    (link,) = found.catalog.relationships
    assert (link.from_table, link.from_columns, link.to_table) == ("orders", ("customer_id",), "customers")


@pytest.mark.parametrize("version", [*range(4, 13), 20])
def test_every_manifest_version_from_four_on_is_known(tmp_path, version):
    found = import_dbt(write(tmp_path, manifest(version)))
    assert found.left_out == ()
    assert found.catalog.table("fct_orders").primary_key == ("order_id",)


def test_what_fusion_writes_is_read(tmp_path):
    semantic = {
        "name": "orders",
        "node_relation": {"alias": "fct_orders"},
        "entities": [{"name": "order", "type": "primary", "expr": "order_id"}],
        "dimensions": [{"name": "day", "type": "time", "expr": "ordered_at"}],
        "measures": [],
    }
    inline = {"semantic_model": "orders", "agg": "sum", "expr": "1", "agg_time_dimension": "day"}
    where = {"where_filters": [{"where_sql_template": "{{ Dimension('order__day') }} > '2026-01-01'"}]}
    simple = {
        "name": "n",
        "type": "simple",
        "type_params": {"measure": None, "metric_aggregation_params": inline},
        "filter": where,
    }
    turning = [
        {"name": name, "type": "derived", "type_params": {"expr": other, "metrics": [{"name": other}]}}
        for name, other in (("a", "b"), ("b", "a"))
    ]
    plain = manifest(20, semantic_models={"s": semantic}, metrics={m["name"]: m for m in (simple, *turning)})
    found = import_dbt(write(tmp_path, plain))
    (metric,) = found.catalog.metrics
    assert (metric.expression, metric.filters, metric.time_column) == (
        "SUM(1)",
        ("fct_orders.ordered_at > '2026-01-01'",),
        "fct_orders.ordered_at",
    )
    assert {each.what: each.why for each in found.left_out} == dict.fromkeys(
        ("metric a", "metric b"), "it goes round in a circle"
    )
