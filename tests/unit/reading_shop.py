"""A small shop of our own for the reader's tests, and one line to read a question in it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.reading import ReadFilter, Reading
from data_agent.domain.schema import Column, Relationship, Table
from data_agent.domain.time import CalendarSettings
from data_agent.domain.value import Value
from data_agent.reading.lexicon import Lexicon
from data_agent.reading.read import read

NOW = datetime(2026, 3, 31, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


def column(
    table: str, name: str, *aliases: str, role: str = "dimension", kind: str = "varchar", **more: object
) -> Column:
    return Column.model_validate({"table": table, "name": name, "aliases": aliases, "role": role, "type": kind, **more})


def table(name: str, *columns: Column, role: str = "dim", aliases: tuple[str, ...] = (), **more: object) -> Table:
    return Table.model_validate(
        {"name": name, "role": role, "aliases": aliases, "columns": columns, "primary_key": ("id",), **more}
    )


def key(name: str) -> Column:
    return column(name, "id", role="primary_key", kind="int", nullable=False)


def link(name: str, column_name: str) -> Column:
    return column(name, column_name, role="foreign_key", kind="int")


CUSTOMERS = table(
    "customers",
    key("customers"),
    column("customers", "name", "客户名称", "customer name", role="text"),
    column("customers", "city", "城市", "city"),
    column("customers", "level", "等级", "客户等级", "level"),
    column("customers", "age", "年龄", "age", role="measure", kind="int"),
    column("customers", "registered_at", "注册时间", "registered at", role="time", kind="datetime"),
    column("customers", "is_test", "测试账号", kind="tinyint", labels={"0": "正式账号", "1": "内部账号"}),
    column("customers", "phone", "手机号", "phone number", role="text", personal=True),
    aliases=("客户", "customer", "customers"),
    label_column="name",
    time_column="registered_at",
)
PRODUCTS = table(
    "products",
    key("products"),
    column("products", "name", "商品名称", "product name"),
    column("products", "category", "品类", "category"),
    column("products", "brand", "品牌", "brand", value_aliases={"Apple": ("苹果牌",)}),
    column("products", "list_price", "标价", "list price", role="measure", kind="decimal(10,2)"),
    aliases=("商品", "product", "products"),
    label_column="name",
)
CHANNELS = table(
    "channels",
    key("channels"),
    column("channels", "name", "渠道", "channel", value_aliases={"天猫": ("淘宝", "Tmall")}),
    label_column="name",
)
REGIONS = table(
    "regions",
    key("regions"),
    column("regions", "province", "省份", "province"),
    column("regions", "region", "大区", "region"),
    label_column="province",
)
ORDERS = table(
    "orders",
    key("orders"),
    column("orders", "order_no", "订单号", "order number", role="text"),
    link("orders", "customer_id"),
    link("orders", "channel_id"),
    link("orders", "region_id"),
    column(
        "orders",
        "status",
        "订单状态",
        "status",
        kind="tinyint",
        labels={"1": "已支付", "2": "已退款", "3": "已取消"},
        value_aliases={"3": ("取消", "cancelled")},
    ),
    column("orders", "pay_amount", "实付金额", "amount paid", role="measure", kind="decimal(12,2)", unit="元"),
    column("orders", "freight", "运费", "freight", role="measure", kind="decimal(8,2)"),
    column("orders", "created_at", "下单时间", "order date", role="time", kind="datetime"),
    column("orders", "paid_at", "支付时间", "paid at", role="time", kind="datetime"),
    role="fact",
    aliases=("订单", "order", "orders"),
    label_column="order_no",
    time_column="created_at",
)
ITEMS = table(
    "order_items",
    key("order_items"),
    link("order_items", "order_id"),
    link("order_items", "product_id"),
    column("order_items", "quantity", "件数", "quantity", role="measure", kind="int"),
    column("order_items", "price", "单价", "unit price", role="measure", kind="decimal(10,2)"),
    role="fact",
    aliases=("订单明细",),
)
REFUNDS = table(
    "refunds",
    key("refunds"),
    link("refunds", "order_id"),
    column("refunds", "amount", role="measure", kind="decimal(12,2)"),
    column("refunds", "refunded_at", "退款时间", role="time", kind="datetime"),
    role="fact",
    aliases=("退款", "refund", "refunds"),
    time_column="refunded_at",
)
STOCK = table(
    "stock_daily",
    key("stock_daily"),
    link("stock_daily", "product_id"),
    column("stock_daily", "stat_date", role="time", kind="date"),
    column("stock_daily", "quantity", role="measure", kind="int"),
    role="snapshot",
    time_column="stat_date",
)
DEPARTMENTS = table("departments", key("departments"), column("departments", "name", "部门名称"), aliases=("部门",))

PAID = ("orders.status = 1", "COALESCE(customers.is_test, 0) = 0")


def metric(name: str, expression: str, *aliases: str, **more: object) -> Metric:
    return Metric.model_validate({"name": name, "expression": expression, "aliases": aliases, **more})


METRICS = (
    metric(
        "sales",
        "SUM(orders.pay_amount)",
        "销售额",
        "GMV",
        "revenue",
        table="orders",
        filters=PAID,
        time_column="orders.created_at",
        finer="item_sales",
    ),
    metric(
        "order_count",
        "COUNT(orders.id)",
        "订单数",
        "number of orders",
        table="orders",
        filters=PAID,
        time_column="orders.created_at",
    ),
    metric("average_order_value", "{sales} / {order_count}", "客单价", "AOV"),
    metric(
        "item_sales",
        "SUM(order_items.quantity * order_items.price)",
        "商品销售额",
        "item sales",
        table="order_items",
        filters=PAID,
        time_column="orders.created_at",
    ),
    metric(
        "units_sold",
        "SUM(order_items.quantity)",
        "销量",
        "units sold",
        table="order_items",
        filters=PAID,
        time_column="orders.created_at",
    ),
    metric(
        "refund_amount",
        "SUM(refunds.amount)",
        "退款金额",
        "refund amount",
        table="refunds",
        time_column="refunds.refunded_at",
    ),
    metric("refund_rate", "{refund_amount} / {sales}", "退款率", "refund rate", format="percent"),
    metric(
        "stock",
        "SUM(stock_daily.quantity)",
        "库存",
        "stock",
        table="stock_daily",
        additivity="semi_additive",
        time_column="stock_daily.stat_date",
    ),
)


def joins(*links: tuple[str, str, str]) -> tuple[Relationship, ...]:
    return tuple(Relationship(from_table=a, from_columns=(by,), to_table=b, to_columns=("id",)) for a, by, b in links)


SHOP = Catalog(
    name="shop",
    version="1",
    tables=(CUSTOMERS, PRODUCTS, CHANNELS, REGIONS, ORDERS, ITEMS, REFUNDS, STOCK, DEPARTMENTS),
    metrics=METRICS,
    relationships=joins(
        ("orders", "customer_id", "customers"),
        ("orders", "channel_id", "channels"),
        ("orders", "region_id", "regions"),
        ("order_items", "order_id", "orders"),
        ("order_items", "product_id", "products"),
        ("refunds", "order_id", "orders"),
        ("stock_daily", "product_id", "products"),
    ),
)
LEXICON = Lexicon.of(SHOP)

STORED = {
    "channels.name": ("天猫", "京东", "线下"),
    "regions.region": ("华北", "华东", "华南"),
    "regions.province": ("北京市", "上海市", "广东省"),
    "products.brand": ("Apple", "apple", "华为", "苹果"),
    "products.category": ("手机", "配件", "苹果"),
    "customers.level": ("A", "B"),
    "orders.order_no": ("N3",),
}


def values(*texts: str) -> tuple[Value, ...]:
    """What the value index would find for these stored texts, in every column that holds them."""
    return tuple(
        Value(table=name.partition(".")[0], column=name.partition(".")[2], text=text, word=text)
        for text in texts
        for name, stored in STORED.items()
        if text in stored
    )


EVERYTHING = values(*dict.fromkeys(text for texts in STORED.values() for text in texts))


def ask(question: str, found: Sequence[Value] = EVERYTHING, choices: Mapping[str, str] | None = None) -> Reading:
    """Read a question in the shop, with every stored value recalled."""
    return read(
        question,
        catalog=SHOP,
        lexicon=LEXICON,
        values=found,
        now=NOW,
        calendar=CalendarSettings(),
        margin=0.08,
        choices=choices or {},
    )


def gist(reading: Reading) -> str:
    """A reading in one line, for tests to compare."""
    numbers = [m.metric or f"{m.aggregate}({m.column})" for m in reading.metrics]
    per = [f"per {m.per.column or m.per.grain}" for m in reading.metrics if m.per]
    groups = [f"by {d.column}{'@' if d.grain else ''}{d.grain or ''}" for d in reading.dimensions]
    where = [_where(condition) for condition in reading.filters if condition.operator != "not_null"]
    having = [f"having {h.metric} {h.operator} {','.join(f'{v:g}' for v in h.values)}" for h in reading.having]
    times = [f"{t.range.start}..{t.range.end}{f' of {t.column}' if t.column else ''}" for t in reading.times]
    order = [f"order {o.metric} {'desc' if o.descending else 'asc'}" for o in reading.order]
    limit = (
        [f"first {reading.limit}{f' per {reading.limit_per}' if reading.limit_per else ''}"] if reading.limit else []
    )
    flags = [flag for flag in ("share", "running", "fill", "yes_no") if getattr(reading, flag)]
    change = [reading.comparison] if reading.comparison != "none" else []
    unit = [f"in {reading.unit}"] if reading.unit else []
    state = [] if reading.complete else ["INCOMPLETE"]
    return " | ".join(
        [*state, *numbers, *per, *groups, *where, *having, *times, *order, *limit, *flags, *change, *unit]
    )


def _where(condition: ReadFilter) -> str:
    if condition.values == ("",):
        return f"{condition.column} filled"
    return f"{condition.column} {condition.operator} {','.join(map(str, condition.values))}".strip()


def left(reading: Reading) -> tuple[str, ...]:
    """The words without a place."""
    return tuple(word.words for word in reading.unplaced)
