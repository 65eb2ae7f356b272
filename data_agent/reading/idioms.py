"""Sales talk: a verb and a question word that ask for a known number. Each names what to look up in the catalog.

A phrase counts only where the catalog knows one of the names; a phrase that could ask for money or for pieces
(卖了多少) is not in the list, because an answer to the wrong one would look right.
"""

_MONEY = ("销售额", "revenue")
_PIECES = ("销量", "units sold")
_ORDERS = ("订单数", "number of orders")
_BUYERS = ("下单客户数", "购买人数", "buyers")
_REFUNDED = ("退款金额", "refund amount")
_REFUNDS = ("退款笔数", "number of refunds")
_MEASURES = "台 件 个 部 双 瓶 袋 份 本 盒 箱 只 套 条".split()  # noqa: SIM905 - a list to read, not to parse

IDIOMS: dict[tuple[str, ...], tuple[str, ...]] = {
    _MONEY: (
        "卖了多少钱",
        "卖多少钱",
        "卖了多少元",
        "卖出多少钱",
        "花了多少钱",
        "消费了多少钱",
        "消费多少钱",
        "买了多少钱",
        "how much did we sell",
        "how much money did we make",
        "how much was sold",
        "how much did we make",
        "spend",
        "spent",
    ),
    _PIECES: (
        *(
            f"{verb}{measure}"
            for verb in ("卖了多少", "卖出多少", "卖出了多少", "卖多少", "卖了几")
            for measure in _MEASURES
        ),
        "how many units did we sell",
        "selling",
        "卖得",
        "units of",
        "pieces sold",
        "items sold",
        *(
            f"how many {measure} of"
            for measure in ("bags", "boxes", "bottles", "pairs", "pieces", "packs", "cans", "sets", "copies", "units")
        ),
    ),
    _ORDERS: (
        "下了多少单",
        "下过多少单",
        "下多少单",
        "多少单",
        "几单",
        "下了几单",
        "有多少单",
        "有几单",
        "下了多少订单",
    ),
    _BUYERS: (
        "多少人下过单",
        "多少人下单",
        "多少人买过",
        "多少人购买",
        "多少人买过东西",
        "有多少人下过单",
        "有多少人下单",
        "有多少人购买",
        "有多少人买过东西",
        "customers bought",
        "customers ordered",
        "people bought",
        "people ordered",
        "customers bought something",
        "customers bought anything",
        "customers purchased",
        "customers placed an order",
        "customers made a purchase",
    ),
    _REFUNDED: (
        "退了多少钱",
        "退款多少钱",
        "退了多少元",
        "退款了多少钱",
        "how much did we refund",
        "how much was refunded",
    ),
    _REFUNDS: ("退了多少笔", "退款多少笔", "退了几笔", "退了多少单"),
    ("优惠金额", "discount amount"): ("优惠了多少钱", "优惠多少钱", "让利多少钱", "优惠了多少"),
    ("新增客户数", "新客数", "new customers"): (
        "新增了多少客户",
        "新增多少客户",
        "新增了多少个客户",
        "新增多少个客户",
        "新增了多少用户",
        "新增多少用户",
        "新注册了多少客户",
        "新注册多少客户",
        "新注册了多少用户",
    ),
    ("待付款", "未付款", "unpaid"): (
        "没付款",
        "还没付款",
        "还未付款",
        "没有付款",
        "还没支付",
        "没支付",
        "未支付",
        "尚未付款",
    ),
}
