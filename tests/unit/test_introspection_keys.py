"""Keys, references, roles and names that nobody declared."""

import pytest

from data_agent.domain.catalog import Catalog
from data_agent.introspection.introspect import introspect
from data_agent.introspection.labels import read_comment
from data_agent.introspection.names import key_name, nouns
from data_agent.introspection.options import IntrospectOptions
from data_agent.ports.inspector import ForeignKey
from tests.fakes.inspector import FakeInspector, table


async def catalog_of(*tables, rows=None, **options) -> Catalog:
    keys = options.pop("foreign_keys", ())
    found = await introspect(FakeInspector(list(tables), rows or {}, foreign_keys=keys), IntrospectOptions(**options))
    return found.catalog


def links(catalog):
    return {
        f"{x.from_table}.{x.from_columns[0]}>{x.to_table}.{x.to_columns[0]}": x.cardinality
        for x in catalog.relationships
    }


@pytest.mark.parametrize(
    ("name", "stem", "word"),
    [
        ("customer_id", "customer", "id"),
        ("customerid", "customer", "id"),
        ("sbCustId", "sbcustomer", "id"),
        ("CountryCode", "country", "code"),
        ("客户编号", "客户", "编号"),
        ("id", "", "id"),
        ("Continent", "continent", ""),
    ],
)
def test_a_key_name_is_taken_apart(name, stem, word):
    assert (key_name(name).stem, key_name(name).word) == (stem, word)


def test_the_noun_of_a_table_leaves_prefix_and_fillers_out():
    assert nouns("dim_customers").full == "customer"
    assert nouns("walmart_stores", "walmart_").full == "store"
    assert nouns("客户信息表").full == "客户"


ROWS = [(n, f"n{n}") for n in range(1, 40)]


@pytest.mark.parametrize(
    ("column", "parent", "key"),
    [
        ("customer_id", "customers", "customer_id"),
        ("customer_id", "customers", "id"),
        ("customerid", "Customer", "CustomerID"),
        ("CustomerId", "dim_customer", "id"),
        ("buyer_customer_id", "customers", "customer_id"),
        ("customer", "customers", "id"),
        ("客户编号", "客户表", "客户编号"),
        ("客户编号", "客户", "编号"),
    ],
)
async def test_a_reference_is_found_by_name_and_values(column, parent, key):
    orders = table("orders", f"order_id int, {column} int, amount decimal(10,2)", key="order_id")
    rows = {parent: ROWS, "orders": [(n, n % 30 + 1, 1.5) for n in range(100)]}
    found = await catalog_of(orders, table(parent, f"{key} int, label varchar(20)"), rows=rows)
    assert links(found) == {f"orders.{column}>{parent}.{key}": "many_to_one"}
    (link,) = found.relationships
    assert link.inferred
    assert "30 of 30" in link.evidence


async def test_values_that_are_not_there_refute_a_name():
    orders = table("orders", "order_id int, customer_id int", key="order_id")
    rows = {"customers": ROWS, "orders": [(n, n + 5000) for n in range(100)]}
    assert not links(await catalog_of(orders, table("customers", "id int, label text"), rows=rows))


async def test_small_numbers_that_happen_to_fit_are_no_reference():
    games = table("games", "game_id int, score_id int", key="game_id")
    teams = table("teams", "team_id int, label text", key="team_id")
    rows = {"teams": ROWS, "games": [(n, n % 30 + 1) for n in range(100)]}
    assert not links(await catalog_of(games, teams, rows=rows))


async def test_telling_values_are_a_reference_even_without_a_name():
    games = table("games", "game_id int, winner_id int, loser_id int", key="game_id")
    players = table("players", "player_id int, label text", key="player_id")
    rows = {
        "players": [(n * 977 + 200_000, "x") for n in range(60)],
        "games": [(n, (n % 50) * 977 + 200_000, (n * 7 % 50) * 977 + 200_000) for n in range(100)],
    }
    found = await catalog_of(games, players, rows=rows)
    assert set(links(found)) == {"games.winner_id>players.player_id", "games.loser_id>players.player_id"}
    assert {link.name for link in found.relationships} == {"games_winner_id", "games_loser_id"}


async def test_a_declared_reference_is_taken_as_it_is_and_can_be_hidden():
    tables = [table("a", "id int, x int", key="id"), table("b", "id int, y int", key="id")]
    keys = (ForeignKey(table="a", columns=("x",), to_table="b", to_columns=("id",)),)
    shown, hidden = [await catalog_of(*tables, foreign_keys=keys, declared=declared) for declared in (True, False)]
    assert links(shown) == {"a.x>b.id": "many_to_one"}
    assert not shown.relationships[0].inferred
    assert not links(hidden)


async def test_a_key_larger_than_the_sample_is_counted_and_asked_for():
    orders = table("orders", "order_id int, customer_id int", key="order_id")
    rows = {"customers": [(n, "x") for n in range(500)], "orders": [(n, n + 300) for n in range(200)]}
    found = await catalog_of(orders, table("customers", "customer_id int, label text"), rows=rows, sample_rows=50)
    assert found.table("customers").primary_key == ("customer_id",)
    assert set(links(found)) == {"orders.customer_id>customers.customer_id"}


async def test_roles_times_labels_and_candidate_metrics_come_out_right():
    customers = table("customers", "customer_id int, name varchar(20), email varchar(50)", key="customer_id")
    orders = table(
        "orders",
        "order_id int,\ncustomer_id int,\nstatus int #订单状态 0 待付款 1 已付款,\n"
        "pay_amount decimal(12,2) #实付金额,\n"
        "updated_at datetime,\ncreated_at datetime",
        key="order_id",
        comment="订单表",
    )
    tags = table("customer_tags", "customer_id int, tag_id int")
    rows = {
        "customers": [(n, f"客户{n}", f"a{n}@x.com") for n in range(1, 30)],
        "orders": [(n, n % 20 + 1, n % 2, "9.50", "2026-01-02 00:00:00", "2026-01-01 00:00:00") for n in range(60)],
        "tags": [(n, f"t{n}") for n in range(1, 9)],
        "customer_tags": [(n % 20 + 1, n // 20 + 1) for n in range(60)],
    }
    found = await catalog_of(customers, orders, table("tags", "tag_id int, name text", key="tag_id"), tags, rows=rows)
    roles = {each.name: each.role for each in found.tables}
    assert roles == {"customers": "dim", "orders": "fact", "tags": "dim", "customer_tags": "bridge"}
    table_ = found.table("orders")
    assert (table_.time_column, table_.aliases[0]) == ("created_at", "订单")
    assert table_.column("status").labels == {"0": "待付款", "1": "已付款"}
    assert (table_.column("status").role, table_.column("status").aliases) == ("dimension", ("订单状态",))
    assert found.table("customers").label_column == "name"
    metrics = {metric.name: metric for metric in found.metrics}
    assert metrics["total_pay_amount"].expression == "SUM(orders.pay_amount)"
    assert metrics["orders_count"].time_column == "orders.created_at"
    assert metrics["distinct_customer_count"].additivity == "non_additive"
    assert all(metric.inferred for metric in found.metrics)


async def test_personal_columns_show_no_examples_and_are_not_indexed():
    people = table("people", "id int, phone_no varchar(20), 身份证号 varchar(18), contact text, city text", key="id")
    rows = {"people": [(n, f"{n}", "x", f"1380013{n:04}", "北京") for n in range(1, 9)]}
    columns = {column.name: column for column in (await catalog_of(people, rows=rows)).tables[0].columns}
    for name in ("phone_no", "身份证号", "contact"):
        assert columns[name].personal
        assert not columns[name].sync
        assert not columns[name].examples
    assert columns["city"].sync


@pytest.mark.parametrize(
    ("comment", "name", "labels"),
    [
        ("订单状态 0 待付款 1 已付款", "订单状态", {"0": "待付款", "1": "已付款"}),
        ("状态：0:待付款,1:已付款,-1:已删除", "状态", {"0": "待付款", "1": "已付款", "-1": "已删除"}),
        ("性别(1男 2女)", "性别", {"1": "男", "2": "女"}),
        ("sex, M=male F=female", "sex", {"M": "male", "F": "female"}),
        ("审核 0-未审核；1-通过；2-驳回", "审核", {"0": "未审核", "1": "通过", "2": "驳回"}),
        ("created at 2024 by system", "", {}),
        ("金额（元）", "金额", {}),
        ("", "", {}),
    ],
)
def test_a_comment_is_a_name_and_perhaps_labels(comment, name, labels):
    assert (read_comment(comment).name if name else "", read_comment(comment).labels) == (name, labels)


def test_labels_that_never_occur_are_not_believed():
    assert not read_comment("版本 1 旧 2 新", frozenset({"a", "b"})).labels


@pytest.mark.parametrize(("rows", "said"), [(10, "many_to_one"), (40, "one_to_one")])
async def test_that_few_rows_do_not_repeat_is_no_proof_of_one_to_one(rows, said):
    flights = table("flight_fare", "fare_id int, flight_id int")
    fares = table("fare", "fare_id int, label text", key="fare_id")
    data = {"fare": ROWS, "flight_fare": [(n, n * 7) for n in range(1, rows)]}
    found = await catalog_of(fares, flights, rows=data)
    assert links(found)["flight_fare.fare_id>fare.fare_id"] == said


async def test_short_codes_tell_what_they_refer_to_whatever_the_column_is_called():
    codes = [f"{chr(65 + n // 5)}{chr(65 + n % 5)}" for n in range(25)]
    ships = table("vessel", "vessel_id int, flag varchar(2), built int", key="vessel_id")
    rows = {"country": [(code, "x") for code in codes], "vessel": [(n, codes[n % 20], 2000) for n in range(60)]}
    found = await catalog_of(table("country", "iso2 char(2), label text", key="iso2"), ships, rows=rows)
    assert links(found) == {"vessel.flag>country.iso2": "many_to_one"}


async def test_tables_of_subtypes_leave_their_parent_a_fact():
    amounts = table("policy_amount", "amount_id int, amount decimal(9,2), policy_id int, effective_date date")
    rows = {
        "policy_amount": [(n, "9.5", n % 30 + 1, "2026-01-01") for n in range(1, 60)],
        "premium": [(n,) for n in range(1, 30)],
        "policy": ROWS,
    }
    policy = table("policy", "policy_id int, label text", key="policy_id")
    found = await catalog_of(policy, amounts, table("premium", "amount_id int"), rows=rows)
    assert {each.name: each.role for each in found.tables}["policy_amount"] == "fact"
    assert "total_amount" in {metric.name for metric in found.metrics}


@pytest.mark.parametrize(
    ("column", "summed"),
    [
        ("totalamount decimal(9,2)", True),
        ("invoicenumber int", False),
        ("countrycode int", False),
        ("epoch_ms bigint", False),
        ("loan_amount_term int", False),
        ("monthly_income decimal(9,2)", False),
        ("Share float", False),
        ("tx_shares int", True),
    ],
)
async def test_sums_are_offered_for_amounts_only(column, summed):
    only = table("records", f"id int, {column}, created_at datetime", key="id")
    rows = {"records": [(n, n * 3 + 5, "2026-01-01 00:00:00") for n in range(30)]}
    found = await catalog_of(only, rows=rows)
    assert any(metric.expression.startswith("SUM(") for metric in found.metrics) == summed


async def test_a_table_that_stands_alone_is_a_fact():
    found = await catalog_of(table("loans", "loan_id int, loanamount int", key="loan_id"), rows={"loans": ROWS})
    assert found.tables[0].role == "fact"
