"""The demo's catalog says what the rest of the product relies on."""

import yaml

from data_agent.catalog.formula import read_formula
from data_agent.catalog.load import load_catalog
from data_agent.domain.language import in_language
from demo.layout import CATALOG, ORDER, QUESTIONS, demo_catalog


def test_it_has_no_problem_and_no_warning():
    assert load_catalog(CATALOG)[1] == ()


def test_every_metric_has_a_name_in_both_languages():
    metrics = demo_catalog().metrics
    assert len(metrics) >= 16
    for metric in metrics:
        assert in_language(metric.aliases, "zh"), metric.name
        assert in_language(metric.aliases, "en"), metric.name


def test_it_has_every_kind_of_metric():
    metrics = demo_catalog().metrics
    assert {metric.additivity for metric in metrics} == {"additive", "semi_additive", "non_additive"}
    assert any(metric.derived for metric in metrics)
    assert any("DISTINCT" in metric.expression for metric in metrics)


def test_no_alias_means_two_columns():
    words: dict[str, str] = {}
    for table in demo_catalog().tables:
        for column in table.columns:
            for alias in column.aliases:
                assert words.setdefault(alias.casefold(), column.id) == column.id, alias


def test_no_column_shares_its_alias_with_a_metric():
    catalog = demo_catalog()
    of_metrics = {alias.casefold() for metric in catalog.metrics for alias in metric.aliases}
    shared = [a for t in catalog.tables for c in t.columns for a in c.aliases if a.casefold() in of_metrics]
    assert shared == []


def test_personal_columns_are_marked_and_not_indexed():
    catalog = demo_catalog()
    personal = {column.id for table in catalog.tables for column in table.columns if column.personal}
    assert personal == {"customers.phone", "customers.email"}
    assert not any(column.sync for table in catalog.tables for column in table.columns if column.personal)


def test_two_paths_lead_to_regions_and_the_shipping_one_is_shorter():
    links = {link.name: link for link in demo_catalog().relationships if link.to_table == "regions"}
    assert {name: link.from_table for name, link in links.items()} == {"shipping": "orders", "home": "customers"}


def test_sales_by_product_has_a_stand_in_with_the_same_filters():
    catalog = demo_catalog()
    sales, item_sales = catalog.metric("sales"), catalog.metric("item_sales")
    assert sales.finer == "item_sales"
    assert (sales.filters, sales.time_column) == (item_sales.filters, item_sales.time_column)


def test_all_tables_of_the_warehouse_are_described():
    assert {table.name for table in demo_catalog().tables} == set(ORDER)
    assert all(table.description or table.role == "bridge" for table in demo_catalog().tables)


def test_the_five_questions_are_asked_in_two_languages():
    questions = yaml.safe_load(QUESTIONS.read_text(encoding="utf-8"))
    assert [question["lang"] for question in questions].count("zh") == 3
    assert len(questions) == 5


def test_a_formula_tells_its_columns():
    assert read_formula("SUM(a.x) - SUM(`b`.`y`)").columns == ("a.x", "b.y")
    assert read_formula("COUNT(*)").complaint == ""
    assert "subquery" in read_formula("a.x IN (SELECT 1)").complaint
