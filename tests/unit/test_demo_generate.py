"""The demo's data: the same every time, consistent, and with the traps it is meant to have."""

import hashlib

import numpy as np
import pytest

from demo.calendar import days, holiday_of, is_workday
from demo.generate import CUSTOMERS, MISSING, VERSION, Columns
from demo.goods import products
from demo.layout import demo_catalog
from demo.trade import TEST_ORDERS, TIE_RANKS, VALID
from demo.warehouse import generate

Data = dict[str, Columns]


@pytest.fixture(scope="module")
def data() -> Data:
    return generate()


def fingerprint(data: Data) -> str:
    digest = hashlib.sha256()
    for name, columns in data.items():
        for column, cells in sorted(columns.items()):
            texts = "\x1f".join(map(str, cells.tolist())).encode() if cells.dtype.kind == "O" else cells.tobytes()
            digest.update(f"{name}.{column}:{len(cells)}:".encode() + texts)
    return digest.hexdigest()[:16]


def test_the_seed_gives_these_very_rows(data):
    assert (VERSION, fingerprint(data)) == ("2", "c60fbb8bbe799038"), (
        "the data changed: raise demo.generate.VERSION, then pin it here"
    )


def test_tables_and_columns_are_those_of_the_catalog(data):
    catalog = demo_catalog()
    assert set(data) == {table.name for table in catalog.tables}
    for table in catalog.tables:
        assert set(data[table.name]) == {column.name for column in table.columns}
        assert len({len(cells) for cells in data[table.name].values()}) == 1


def test_keys_are_unique_and_references_hold(data):
    catalog = demo_catalog()
    for table in catalog.tables:
        rows = list(zip(*(data[table.name][key].tolist() for key in table.primary_key), strict=True))
        assert len(set(rows)) == len(rows), table.name
    for link in catalog.relationships:
        cells = data[link.from_table][link.from_columns[0]]
        found = np.isin(cells, data[link.to_table][link.to_columns[0]])
        assert (found | (cells == MISSING) if cells.dtype.kind == "i" else found).all(), link


def test_it_is_as_large_and_as_long_as_promised(data):
    orders = data["orders"]
    assert len(orders["order_id"]) >= 120_000
    assert str(orders["created_at"].min()) == "2024-01-01T00:00:00"
    assert str(orders["created_at"].max()) == "2026-06-30T23:59:59"
    assert len(data["regions"]["region_id"]) == 31
    assert len(set(data["regions"]["region"])) == 7


def test_every_month_has_an_order_in_its_first_and_in_its_last_second(data):
    created = data["orders"]["created_at"]
    for month in np.arange("2024-01", "2026-07", dtype="datetime64[M]"):
        first, end = month.astype("datetime64[s]"), (month + 1).astype("datetime64[s]")
        inside = created[(created >= first) & (created < end)]
        assert (inside.min(), inside.max()) == (first, end - np.timedelta64(1, "s"))


def test_money_adds_up(data):
    orders, items = data["orders"], data["order_items"]
    assert (items["amount"] == items["price"] * items["quantity"]).all()
    goods = np.bincount(items["order_id"], weights=items["amount"])[orders["order_id"]].astype(int)
    plain = (orders["pay_amount"] != MISSING) & (orders["customer_id"] <= CUSTOMERS)
    expected = goods - orders["discount_amount"] + orders["freight"]
    assert (orders["pay_amount"] == expected)[plain].all()
    assert (goods > 0).all()


def test_nothing_is_sold_before_its_launch_and_nobody_orders_before_registering(data):
    orders, items = data["orders"], data["order_items"]
    launched = data["products"]["launched_at"][items["product_id"] - 1]
    assert (orders["created_at"][items["order_id"] - 1] >= launched).all()
    known = orders["customer_id"] != MISSING
    joined = data["customers"]["registered_at"][orders["customer_id"][known] - 1]
    assert (orders["created_at"][known] >= joined).all()


def test_refunds_never_exceed_what_was_paid_and_some_orders_have_two(data):
    orders, refunds = data["orders"], data["refunds"]
    back = np.bincount(refunds["order_id"], weights=refunds["amount"], minlength=len(orders["order_id"]) + 1)[1:]
    returned = back > 0
    assert (back[returned] <= orders["pay_amount"][returned]).all()
    assert np.bincount(refunds["order_id"]).max() == 2
    assert (refunds["refunded_at"] > orders["created_at"][refunds["order_id"] - 1]).all()
    assert (refunds["refunded_at"] < np.datetime64("2026-07-01")).all()


def test_it_holds_nulls_empty_strings_and_a_reserved_word(data):
    orders, customers = data["orders"], data["customers"]
    for column in ("customer_id", "pay_amount"):
        assert (orders[column] == MISSING).any(), column
    assert np.isnat(orders["paid_at"]).any()
    assert (np.isin(orders["status"], VALID) & (orders["pay_amount"] == MISSING)).any(), "paid, amount lost"
    assert None in set(data["refunds"]["reason"])
    assert "" in set(customers["city"]) & set(orders["group"]) & set(data["products"]["brand"])
    assert {"group"} <= set(orders)
    assert {"rank"} <= set(data["products"])


def test_test_accounts_would_spoil_every_number(data):
    orders = data["orders"]
    tests = orders["customer_id"] > CUSTOMERS
    assert tests.sum() == TEST_ORDERS
    assert orders["pay_amount"][tests].min() >= 99_000_000
    assert orders["pay_amount"][tests].sum() > orders["pay_amount"][~tests].sum() // 2


def test_two_brands_sold_exactly_as_many_units_in_may_2026(data):
    orders, items = data["orders"], data["order_items"]
    of_order = items["order_id"] - 1
    counted = np.isin(orders["status"], VALID) & (orders["customer_id"] <= CUSTOMERS)
    counted &= orders["created_at"].astype("datetime64[M]") == np.datetime64("2026-05")
    rows = counted[of_order]
    units: dict[str, int] = {}
    brands = data["products"]["brand"][items["product_id"] - 1]
    for brand, quantity in zip(brands[rows], items["quantity"][rows], strict=True):
        units[brand] = units.get(brand, 0) + int(quantity)
    ranking = sorted(units.values(), reverse=True)
    upper, lower = TIE_RANKS
    assert ranking[upper - 1] == ranking[lower - 1] > ranking[lower]
    assert ranking[upper - 2] > ranking[upper - 1]


def test_apple_is_a_fruit_and_a_brand_and_one_brand_is_spelled_in_two_cases():
    goods = products()
    assert any(good.name == "苹果" and good.subcategory == "水果" for good in goods)
    assert any(good.brand == "Apple 苹果" for good in goods)
    assert {"Nike", "NIKE"} <= {good.brand for good in goods}
    assert sum(good.subcategory == "手机" for good in goods) >= 5


def test_the_calendar_knows_holidays_and_shifted_workdays():
    holidays, known = holiday_of(), {day.isoformat(): day for day in days()}
    assert holidays["2026-02-17"] == "春节"
    assert not is_workday(known["2026-02-17"], holidays)
    assert is_workday(known["2026-02-28"], holidays), "a Saturday worked instead"
    assert not is_workday(known["2026-06-28"], holidays), "a plain Sunday"
