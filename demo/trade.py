"""The facts of the demo: orders, their lines, and refunds, with the traps real data sets."""

from typing import NamedTuple

import numpy as np

from demo.generate import (
    CUSTOMERS,
    DAY,
    END,
    MISSING,
    SECOND,
    START,
    TEST_ACCOUNTS,
    Array,
    Columns,
    Dice,
    People,
    words,
)
from demo.goods import products
from demo.places import CHANNELS, REASONS, provinces

ORDERS = 126_000
TEST_ORDERS = 150
VALID = (2, 3, 4)
HOURS = (4, 2, 1, 1, 1, 2, 4, 7, 12, 18, 24, 22, 20, 18, 18, 19, 20, 20, 20, 24, 30, 32, 24, 12)
TIE_MONTH = np.datetime64("2026-05")
TIE_RANKS = (5, 6)


class Lines(NamedTuple):
    """Order lines before they become columns; money in fen."""

    order: Array
    product: Array
    quantity: Array
    price: Array


def trade_tables(dice: Dice, people: People) -> dict[str, Columns]:
    """Orders, order items and refunds that agree with each other."""
    orders = _order_heads(dice, people)
    lines = _tied(_lines(dice, orders), orders)
    items = _item_columns(lines)
    orders |= _money(dice, orders, items)
    return {"orders": _in_order(orders), "order_items": items, "refunds": _refunds(dice, orders)}


def _times(dice: Dice) -> Array:
    """Order times, sorted; each month has one at its very first and one at its very last second."""
    day = np.arange(START, END, dtype="datetime64[D]")
    month, of_month = (
        day.astype("datetime64[M]").astype(int) % 12 + 1,
        (day - day.astype("datetime64[M]")).astype(int) + 1,
    )
    weight = 1.0 + 0.9 * np.arange(len(day)) / len(day)
    weight *= np.array([0.95, 0.8, 0.95, 0.95, 1.02, 1.2, 0.9, 0.9, 1.02, 1.02, 1.35, 1.12])[month - 1]
    weight *= np.where((day.astype(int) + 3) % 7 >= 5, 1.2, 1.0)
    weight *= np.where((month == 11) & (of_month == 11), 4.0, 1.0) * np.where((month == 6) & (of_month == 18), 2.6, 1.0)
    seconds = dice.pick(ORDERS, HOURS) * 3600 + dice.whole(ORDERS, 0, 3599)
    times = np.sort(day[dice.pick(ORDERS, weight)].astype("datetime64[s]") + seconds * SECOND)
    months = np.arange(START, END, dtype="datetime64[M]")
    times[np.searchsorted(times, months.astype("datetime64[s]"))] = months.astype("datetime64[s]")
    ends = (months + 1).astype("datetime64[s]") - SECOND
    times[np.searchsorted(times, ends, side="right") - 1] = ends
    return times


def _order_heads(dice: Dice, people: People) -> Columns:
    times = _times(dice)
    known = np.searchsorted(people.registered[:CUSTOMERS], times)
    customer = np.floor(known * dice.unit(ORDERS) ** 1.25).astype(np.int64)
    guest, tested = dice.hit(ORDERS, 0.04), np.zeros(ORDERS, dtype=bool)
    tested[np.argsort(dice.unit(ORDERS), kind="stable")[:TEST_ORDERS]] = True
    customer = np.where(tested, CUSTOMERS + dice.whole(ORDERS, 0, TEST_ACCOUNTS - 1), customer)
    elsewhere = dice.pick(ORDERS, [place[4] for place in provinces()]) + 1
    away = (guest | dice.hit(ORDERS, 0.12)) & ~tested
    share = (np.arange(ORDERS) / ORDERS)[:, None]
    starts, ends = (np.array([channel[at] for channel in CHANNELS]) for at in (3, 4))
    odds = np.cumsum(starts + (ends - starts) * share, axis=1)
    channel = (dice.unit(ORDERS)[:, None] * odds[:, -1:] >= odds).sum(axis=1)
    status = np.where(tested, 4, _status(dice, times))
    return {
        "order_id": np.arange(1, ORDERS + 1),
        "customer_id": np.where(guest & ~tested, MISSING, customer + 1),
        "region_id": np.where(away, elsewhere, people.region[customer]),
        "channel_id": channel + 1,
        "status": status,
        "group": words(["A", "B", ""])[dice.pick(ORDERS, (40, 40, 20))],
        "created_at": times,
        "tested": tested,
    }


def _status(dice: Dice, times: Array) -> Array:
    """Young orders are on their way, old ones are done; 3 % were never paid, 6 % cancelled."""
    days_old = (END - times).astype(np.int64) / DAY
    u, fate = dice.unit(ORDERS), dice.unit(ORDERS)
    moving = np.select([days_old < 3, days_old < 10], [np.where(u < 0.6, 2, 3), np.where(u < 0.5, 3, 4)], 4)
    moving = np.where((days_old >= 10) & (u < 0.02), 3, moving)
    return np.select([fate < 0.03, fate < 0.09], [1, 5], moving)


def _lines(dice: Dice, orders: Columns) -> Lines:
    """One to five lines an order, of articles that were on sale by then."""
    goods = products()
    order = np.repeat(np.arange(ORDERS), dice.pick(ORDERS, (50, 27, 13, 7, 3)) + 1)
    size = len(order)
    product = _on_sale(dice, orders["created_at"][order])
    most = np.array([good.most for good in goods])[product]
    quantity = 1 + np.floor(dice.unit(size) ** 2 * most).astype(np.int64)
    quantity = np.where(orders["tested"][order], 200, quantity)
    listed = np.array([good.list_price for good in goods])[product]
    festive = np.isin(orders["created_at"][order].astype("datetime64[M]").astype(int) % 12, (5, 10))
    percent = np.where(festive, dice.whole(size, 82, 92), dice.whole(size, 92, 100))
    return Lines(order, product, quantity, listed * percent // 100)


def _on_sale(dice: Dice, times: Array) -> Array:
    """Articles by weight, among those launched before each time."""
    goods = products()
    launched = np.array([good.launched for good in goods], dtype="datetime64[s]")
    weights = np.array([good.weight for good in goods], dtype=np.float64)
    u, product = dice.unit(len(times)), np.zeros(len(times), dtype=np.int64)
    epochs = np.unique(np.concatenate([[START], launched[launched > START]]))
    for start, end in zip(epochs, [*epochs[1:], END], strict=True):
        rows = (times >= start) & (times < end)
        steps = np.cumsum(np.where(launched <= start, weights, 0.0))
        product[rows] = np.searchsorted(steps / steps[-1], u[rows], side="right")
    return product


def _tied(lines: Lines, orders: Columns) -> Lines:
    """Give two neighbours in one month's ranking of brands the same number of units, by a few more on some lines."""
    brands, brand_of = np.unique([good.brand for good in products()], return_inverse=True)
    counted = np.isin(orders["status"], VALID) & ~orders["tested"]
    counted &= orders["created_at"].astype("datetime64[M]") == TIE_MONTH
    rows = np.flatnonzero(counted[lines.order])
    units = np.bincount(brand_of[lines.product[rows]], weights=lines.quantity[rows], minlength=len(brands)).astype(int)
    units[brands == ""] = 0
    ranking = np.argsort(-units, kind="stable")
    upper, lower = (ranking[rank - 1] for rank in TIE_RANKS)
    theirs = rows[brand_of[lines.product[rows]] == lower]
    quantity = lines.quantity.copy()
    np.add.at(quantity, np.resize(theirs, units[upper] - units[lower]), 1)
    return lines._replace(quantity=quantity)


def _item_columns(lines: Lines) -> Columns:
    cost = np.array([good.cost for good in products()])[lines.product]
    return {
        "item_id": np.arange(1, len(lines.order) + 1),
        "order_id": lines.order + 1,
        "product_id": lines.product + 1,
        "quantity": lines.quantity,
        "price": lines.price,
        "amount": lines.price * lines.quantity,
        "cost_amount": cost * lines.quantity,
    }


def _money(dice: Dice, orders: Columns, items: Columns) -> Columns:
    """Discount, freight and what was paid: nothing for unpaid orders, most cancelled ones, and a few lost records."""
    goods = np.bincount(items["order_id"] - 1, weights=items["amount"], minlength=ORDERS).astype(np.int64)
    percent = np.where(dice.hit(ORDERS, 0.3), dice.whole(ORDERS, 5, 15), 0)
    discount = goods * percent // 100
    freight = np.where(goods >= 9_900, 0, np.where(dice.hit(ORDERS, 0.5), 800, 1_200))
    paid = np.where(orders["tested"], dice.whole(ORDERS, 99_000_000, 150_000_000), goods - discount + freight)
    status = orders["status"]
    unpaid = (status == 1) | ((status == 5) & ~dice.hit(ORDERS, 0.4))
    lost = np.isin(status, VALID) & dice.hit(ORDERS, 0.003) & ~orders["tested"]
    paid_at = orders["created_at"] + dice.whole(ORDERS, 5, 7_200) * SECOND
    return {
        "pay_amount": np.where(unpaid | lost, MISSING, paid),
        "discount_amount": discount,
        "freight": freight,
        "paid_at": np.where(unpaid, np.datetime64("NaT"), np.minimum(paid_at, END - SECOND)),
    }


def _in_order(orders: Columns) -> Columns:
    created = orders["created_at"]
    stamp = np.char.replace(np.datetime_as_string(created, unit="D"), "-", "")
    numbers = [f"NO{day}{n:06d}" for day, n in zip(stamp, range(1, ORDERS + 1), strict=True)]
    found = {**orders, "order_no": words(numbers), "date_key": created.astype("datetime64[D]")}
    del found["tested"]
    return found


def _refunds(dice: Dice, orders: Columns) -> Columns:
    """Full or partial, never above what was paid; some orders have two; nothing of test accounts."""
    paid = (orders["pay_amount"] > 0) & ~orders["tested"]
    returned = (orders["status"] == 4) & dice.hit(ORDERS, 0.045)
    at = np.flatnonzero(paid & (returned | (orders["status"] == 5)))
    halves = dice.hit(len(at), 0.08) & (orders["status"][at] == 4)
    at = np.sort(np.concatenate([at, at[halves]]))
    twice = np.bincount(at, minlength=ORDERS)[at] == 2
    percent = np.where(
        twice, dice.whole(len(at), 10, 50), np.where(dice.hit(len(at), 0.6), 100, dice.whole(len(at), 10, 90))
    )
    percent = np.where(orders["status"][at] == 5, 100, percent)
    when = orders["created_at"][at] + dice.whole(len(at), DAY, 30 * DAY) * SECOND
    reason = words([name for name, _ in REASONS])[dice.pick(len(at), [weight for _, weight in REASONS])]
    done = when < END
    return {
        "refund_id": np.arange(1, int(done.sum()) + 1),
        "order_id": at[done] + 1,
        "amount": np.maximum(orders["pay_amount"][at] * percent // 100, 1)[done],
        "reason": reason[done],
        "refunded_at": when[done],
    }
