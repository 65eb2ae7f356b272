"""English questions, each read completely and exactly."""

import pytest

from tests.unit.reading_shop import ask, gist

QUESTIONS = [
    ("revenue by region and month in 2025", "sales | by regions.region | by @month | 2025-01-01..2026-01-01"),
    (
        "top 3 brands by units sold in 2025",
        "units_sold | by products.brand | products.brand filled | 2025-01-01..2026-01-01 | order 0 desc | first 3",
    ),
    (
        "which channel has the highest revenue",
        "sales | by channels.name | channels.name filled | order 0 desc | first 1",
    ),
    ("monthly revenue in 2025", "sales | by @month | 2025-01-01..2026-01-01 | fill"),
    ("orders by channel excluding 天猫", "order_count | by channels.name | channels.name != 天猫"),
    ("average monthly revenue in 2025", "sales | per month | 2025-01-01..2026-01-01"),
    ("number of orders per customer", "order_count | by customers.id | by customers.name"),
    ("customers with more than 5 orders", "order_count | by customers.id | by customers.name | having 0 > 5"),
    ("customers without orders", "by customers.name | orders.* no_rows"),
    ("share of revenue by channel", "sales | by channels.name | share"),
    ("how many brands are there", "count_distinct(products.brand) | products.brand filled"),
    ("list the brands", "by products.brand"),
    ("average list price by category", "avg(products.list_price) | by products.category"),
    ("brands with revenue over 200k", "sales | by products.brand | having 0 > 200000"),
    (
        "total freight in 2025",
        "sum(orders.freight) | orders.status = 1 | customers.is_test != 1"
        " | 2025-01-01..2026-01-01 of orders.created_at",
    ),
    ("year over year revenue growth in March 2026", "sales | 2026-03-01..2026-04-01 | yoy"),
    ("cumulative revenue by month in 2025", "sales | by @month | 2025-01-01..2026-01-01 | running | fill"),
    ("how many distinct cities", "count_distinct(customers.city) | customers.city filled"),
    (
        "the 5 brands with the lowest revenue",
        "sales | by products.brand | products.brand filled | order 0 asc | first 5",
    ),
    ("cancelled orders by channel", "count(orders.*) | by channels.name | orders.status = 3"),
    ("revenue between 2025-01-01 and 2025-03-31 for Tmall", "sales | channels.name = 天猫 | 2025-01-01..2025-04-01"),
]


@pytest.mark.parametrize(("question", "expected"), QUESTIONS, ids=[question for question, _ in QUESTIONS])
def test_reads_an_english_question(question: str, expected: str) -> None:
    assert gist(ask(question)) == expected
