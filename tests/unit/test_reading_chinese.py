"""Chinese questions, each read completely and exactly."""

import pytest

from tests.unit.reading_shop import ask, gist

QUESTIONS = [
    ("2025年第一季度各大区的销售额", "sales | by regions.region | 2025-01-01..2025-04-01"),
    ("上个月各渠道的订单数和客单价", "order_count | average_order_value | by channels.name | 2026-02-01..2026-03-01"),
    ("天猫渠道的销售额", "sales | channels.name = 天猫"),
    ("淘宝渠道的订单数", "order_count | channels.name = 天猫"),
    ("天猫或京东渠道的订单数", "order_count | channels.name in 天猫,京东"),
    ("天猫和京东的销售额", "sales | by channels.name | channels.name in 天猫,京东"),
    ("天猫和京东一共的销售额", "sales | channels.name in 天猫,京东"),
    ("不是天猫的订单数", "order_count | channels.name != 天猫"),
    ("除了天猫和京东以外各渠道的销售额", "sales | by channels.name | channels.name not_in 天猫,京东"),
    ("天猫以外的销售额", "sales | channels.name != 天猫"),
    ("天猫渠道以外的销售额", "sales | channels.name != 天猫"),
    ("天猫和京东以外各渠道的销售额", "sales | by channels.name | channels.name not_in 天猫,京东"),
    ("华东以外天猫的订单数", "order_count | regions.region != 华东 | channels.name = 天猫"),
    ("北京的订单数", "order_count | regions.province = 北京市"),
    (
        "华东大区销售额前3的品牌",
        "sales | by products.brand | regions.region = 华东 | products.brand filled | order 0 desc | first 3",
    ),
    (
        "每个渠道销售额最高的品牌",
        "sales | by channels.name | by products.brand | products.brand filled | order 0 desc | first 1 per (0,)",
    ),
    (
        "各大区销售额前三的品牌",
        "sales | by regions.region | by products.brand | products.brand filled | order 0 desc | first 3 per (0,)",
    ),
    ("销售额最高的5个品牌", "sales | by products.brand | products.brand filled | order 0 desc | first 5"),
    (
        "实付金额最高的订单",
        "max(orders.pay_amount) | by orders.order_no | orders.status = 1 | customers.is_test != 1"
        " | order 0 desc | first 1",
    ),
    ("销售额超过20万的品牌", "sales | by products.brand | having 0 > 200000"),
    (
        "累计实付金额超过250的客户",
        "sum(orders.pay_amount) | by customers.id | by customers.name | orders.status = 1"
        " | customers.is_test != 1 | having 0 > 250",
    ),
    ("退款率高于10%的渠道", "refund_rate | by channels.name | having 0 > 0.1"),
    ("标价在100到300元之间的商品有几个", "count(products.*) | products.list_price between 100,300"),
    ("平均标价", "avg(products.list_price)"),
    ("最高标价", "max(products.list_price)"),
    ("总运费", "sum(orders.freight) | orders.status = 1 | customers.is_test != 1"),
    ("各渠道的运费", "sum(orders.freight) | by channels.name | orders.status = 1 | customers.is_test != 1"),
    ("平均每个客户的订单数", "order_count | per customers.id"),
    ("月均销售额", "sales | per month"),
    ("3月每天订单数", "order_count | by @day | 2026-03-01..2026-04-01 | fill"),
    ("2025年每月累计销售额", "sales | by @month | 2025-01-01..2026-01-01 | running | fill"),
    ("2025年销售额走势", "sales | by @month | 2025-01-01..2026-01-01 | fill"),
    ("各渠道销售额占比", "sales | by channels.name | share"),
    ("2026年3月销售额同比", "sales | 2026-03-01..2026-04-01 | yoy"),
    ("2026年3月销售额环比", "sales | 2026-03-01..2026-04-01 | mom"),
    ("已取消的订单数", "count(orders.*) | orders.status = 3"),
    ("从未下单的客户数", "count(customers.*) | orders.* no_rows"),
    ("有退款的订单数", "order_count | refunds.* has_rows"),
    ("订单号N3的实付金额", "by orders.pay_amount | orders.order_no = N3"),
    ("有多少个品牌", "count_distinct(products.brand) | products.brand filled"),
    ("有哪些品牌", "by products.brand"),
    ("列出所有渠道", "by channels.name"),
    ("销售额是多少万元", "sales | in 万元"),
    ("当前库存", "stock"),
    ("按销售额从高到低排列的各品牌", "sales | by products.brand | order 0 desc"),
    ("哪个月销售额最高", "sales | by @month | order 0 desc | first 1"),
    ("A级客户的销售额", "sales | customers.level = A"),
    ("2025年注册的客户有多少", "count(customers.*) | 2025-01-01..2026-01-01 of customers.registered_at"),
    ("2024年和2025年的销售额", "sales | by  | 2024-01-01..2025-01-01 | 2025-01-01..2026-01-01"),
    ("有没有销售额超过1000万的品牌", "sales | by products.brand | having 0 > 1e+07 | yes_no"),
    (
        "每个客户的取消订单数，没有的显示0",
        "count(orders.*) | by customers.id | by customers.name | orders.status = 3 | fill",
    ),
    ("年龄大于30的客户有多少", "count(customers.*) | customers.age > 30"),
    ("Apple的销量", "units_sold | products.brand in Apple,apple"),
]


@pytest.mark.parametrize(("question", "expected"), QUESTIONS, ids=[question for question, _ in QUESTIONS])
def test_reads_a_chinese_question(question: str, expected: str) -> None:
    assert gist(ask(question)) == expected


def test_periods_side_by_side_are_rows_of_their_own_beside_other_groups() -> None:
    for question in ("2024年和2025年各渠道的销售额", "2024年与2025年各渠道销售额"):
        reading = ask(question)
        assert (reading.dimensions[0].column, reading.dimensions[0].grain) == ("", None)
        assert len(reading.dimensions) == 2 and len(reading.times) == 2


def test_the_best_of_two_periods_is_not_guessed() -> None:
    assert not ask("2024年和2025年销售额最高的3个品牌").complete
