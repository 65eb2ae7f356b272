"""Names as people would say them, and words in the other language."""

import pytest

from data_agent.wording.glossary import spoken, translated
from data_agent.wording.names import said, shared_prefix, without


@pytest.mark.parametrize(
    ("names", "prefix"),
    [
        (["sbCustomer", "sbTicker", "sbTransaction"], "sb"),
        (["sbcustomer", "sbticker", "sbdailyprice"], "sb"),
        (["sbTxId", "sbTxCustId", "sbTxStatus"], "sbtx"),
        (["di_shop_customers", "di_shop_orders", "di_shop_products"], "di_shop_"),
        (["db.ods_a", "db.ods_b", "db.ods_c"], "ods_"),
        (["countries", "country_lang", "counts"], ""),
        (["order", "orders", "order_items"], ""),
        (["ods_a", "ods_b"], ""),
        (["id", "name", "city"], ""),
        ([], ""),
    ],
)
def test_a_prefix_that_every_name_shares_says_nothing(names: list[str], prefix: str) -> None:
    assert shared_prefix(names) == prefix


def test_the_prefix_comes_off_whatever_its_case() -> None:
    assert without("sbtx", "sbTxAmount") == "Amount"
    assert without("", "db.orders") == "orders"


def test_abbreviations_are_written_out() -> None:
    assert said("sbCustAddr") == "sb customer address"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("各部门的平均工资", "salary"), ("门店销售额", "store"), ("销售额", "sale"), ("average salary", "工资")],
)
def test_known_words_are_heard_in_the_other_language(text: str, expected: str) -> None:
    assert expected in translated(text)


def test_unknown_words_translate_to_nothing() -> None:
    assert translated("俄罗斯 zyx") == ()


def test_spoken_holds_the_words_themselves_too() -> None:
    assert {"工资", "salary"} <= spoken(["工资"])
