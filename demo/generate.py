"""The demo data, made from one seed: same seed, same bytes, on every machine.

Only `random()` of PCG64 is drawn, because the other methods of numpy's generators may change between versions.
Money is counted in fen (1/100 yuan) as integers. `MISSING` stands for NULL in integer columns, NaT in times.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from demo.calendar import days, holiday_of, is_workday
from demo.goods import TAGS, Product, products
from demo.places import CHANNELS, ENGLISH_NAMES, GIVEN, LEVELS, SURNAMES, provinces

SEED = 20260701
VERSION = "2"
MISSING = -1
CUSTOMERS = 8_000
TEST_ACCOUNTS = 12
START, END = np.datetime64("2024-01-01T00:00:00"), np.datetime64("2026-07-01T00:00:00")
SECOND = np.timedelta64(1, "s")
DAY = 86_400

Array = np.ndarray[Any, Any]
Columns = dict[str, Array]


class Dice:
    """Seeded chance; every draw is vectorised."""

    def __init__(self, seed: int) -> None:
        self.source = np.random.Generator(np.random.PCG64(seed))

    def unit(self, size: int) -> Array:
        """Uniform numbers in [0, 1)."""
        return self.source.random(size)

    def whole(self, size: int, low: int, high: int) -> Array:
        """Whole numbers, `high` included."""
        steps: Array = np.floor(self.unit(size) * (high - low + 1)).astype(np.int64)
        return low + steps

    def pick(self, size: int, weights: Sequence[float] | Array) -> Array:
        """Indexes chosen by weight."""
        steps = np.cumsum(np.asarray(weights, dtype=np.float64))
        return np.searchsorted(steps / steps[-1], self.unit(size), side="right").astype(np.int64)

    def hit(self, size: int, share: float) -> Array:
        """True for about `share` of the rows."""
        return self.unit(size) < share


class People(NamedTuple):
    """What orders need to know of customers: sorted registration times and home regions, test accounts last."""

    registered: Array
    region: Array


def words(values: Sequence[str | None]) -> Array:
    """Text (None is NULL) as an object array."""
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def lookup_tables() -> dict[str, Columns]:
    """Regions, channels, tags and the calendar."""
    places = provinces()
    return {
        "regions": {
            "region_id": np.arange(1, len(places) + 1),
            "province": words([place[0] for place in places]),
            "province_en": words([place[1] for place in places]),
            "region": words([place[2] for place in places]),
            "region_en": words([place[3] for place in places]),
        },
        "channels": {
            "channel_id": np.arange(1, len(CHANNELS) + 1),
            "name": words([channel[0] for channel in CHANNELS]),
            "name_en": words([channel[1] for channel in CHANNELS]),
            "type": words([channel[2] for channel in CHANNELS]),
        },
        "tags": {"tag_id": np.arange(1, len(TAGS) + 1), "name": words(TAGS)},
        "dates": _dates(),
    }


def _dates() -> Columns:
    every, holidays = days(), holiday_of()
    return {
        "date_key": np.array(every, dtype="datetime64[D]"),
        "year": np.array([day.year for day in every]),
        "quarter": np.array([(day.month + 2) // 3 for day in every]),
        "month": np.array([day.month for day in every]),
        "week": np.array([day.isocalendar().week for day in every]),
        "weekday": np.array([day.isoweekday() for day in every]),
        "is_workday": np.array([int(is_workday(day, holidays)) for day in every]),
        "holiday": words([holidays.get(day.isoformat()) for day in every]),
    }


def product_tables(dice: Dice) -> dict[str, Columns]:
    """Products and the tags they bear (none to three each)."""
    goods = products()
    ids = np.arange(1, len(goods) + 1)
    order = np.argsort(dice.unit(len(goods)), kind="stable")
    ranks = np.empty(len(goods), dtype=np.int64)
    ranks[order] = ids
    bears = dice.unit(len(goods) * len(TAGS)).reshape(len(goods), len(TAGS)) < 0.2
    bears[:, 0] = [good.launched >= "2025-03-01" for good in goods]
    at, tag = np.nonzero(bears)
    return {
        "products": {
            "product_id": ids,
            **{field: words([getattr(good, field) for good in goods]) for field in Product._fields[:6]},
            "list_price": np.array([good.list_price for good in goods]),
            "cost": np.array([good.cost for good in goods]),
            "rank": ranks,
            "launched_at": np.array([good.launched for good in goods], dtype="datetime64[D]"),
        },
        "product_tags": {"product_id": ids[at], "tag_id": tag + 1},
    }


def customer_table(dice: Dice) -> tuple[Columns, People]:
    """Customers in the order of their registration (2023-01 to 2026-06), then the test accounts."""
    real, size = CUSTOMERS, CUSTOMERS + TEST_ACCOUNTS
    places = provinces()
    span = int((END - np.datetime64("2023-01-01T00:00:00")) / SECOND)
    joined = np.sort(np.datetime64("2023-01-01T00:00:00") + np.floor(dice.unit(real) ** 0.85 * span) * SECOND)
    joined = np.concatenate([joined, np.full(TEST_ACCOUNTS, START)]).astype("datetime64[s]")
    region = dice.pick(size, [place[4] for place in places])
    cities = [list(place[5]) for place in places]
    spot = dice.unit(size)
    unfilled = dice.hit(size, 0.05)
    city = [
        "" if empty else cities[at][int(u * len(cities[at]))]
        for at, u, empty in zip(region, spot, unfilled, strict=True)
    ]
    gender = words(["男", "女", None])[dice.pick(size, [46, 50, 4])]
    level = words([name for name, _ in LEVELS])[dice.pick(size, [weight for _, weight in LEVELS])]
    mail = [None if hidden else f"user{n}@example.com" for n, hidden in enumerate(dice.hit(size, 0.2), 1)]
    columns = {
        "customer_id": np.arange(1, size + 1),
        "name": words([*_names(dice, real), *(f"测试账号{n:02d}" for n in range(1, TEST_ACCOUNTS + 1))]),
        "gender": gender,
        "level": level,
        "city": words(city),
        "region_id": region + 1,
        "registered_at": joined,
        "is_test": (np.arange(size) >= real).astype(np.int64),
        "phone": words([f"199{n:08d}" for n in range(1, size + 1)]),
        "email": words(mail),
    }
    return columns, People(joined, region + 1)


def _names(dice: Dice, size: int) -> list[str]:
    first, last = dice.whole(size, 0, len(SURNAMES) - 1), dice.whole(size, 0, len(GIVEN) - 1)
    foreign, which = dice.hit(size, 0.02), dice.whole(size, 0, len(ENGLISH_NAMES) - 1)
    return [
        ENGLISH_NAMES[other] if abroad else SURNAMES[a] + GIVEN[b]
        for a, b, abroad, other in zip(first, last, foreign, which, strict=True)
    ]


def stock_table(dice: Dice) -> Columns:
    """Month ends from 2025-01, every day of the last 91; two articles drop out of the snapshot in May 2026."""
    ends = np.arange("2025-02", "2026-05", dtype="datetime64[M]").astype("datetime64[D]") - np.timedelta64(1, "D")
    daily = np.arange("2026-04-01", "2026-07-01", dtype="datetime64[D]")
    dates = np.union1d(ends, daily)
    count = len(products())
    level = dice.whole(count, 40, 900)
    swing = dice.unit(len(dates) * count).reshape(len(dates), count)
    quantity = np.floor(level * (0.6 + 0.8 * swing)).astype(np.int64)
    day, product = np.repeat(dates, count), np.tile(np.arange(1, count + 1), len(dates))
    gone = np.isin(product, (11, 39)) & (day > np.datetime64("2026-05-15"))
    return {"stat_date": day[~gone], "product_id": product[~gone], "quantity": quantity.reshape(-1)[~gone]}
