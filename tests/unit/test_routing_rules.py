from pathlib import Path

import pytest

from data_agent.catalog.load import load_catalog
from data_agent.reading.lexicon import Lexicon
from data_agent.routing.intents import INTENTS, WAYS
from data_agent.routing.rules import by_default, by_rules

DEMO = Path(__file__).parents[2] / "demo" / "catalog.yaml"


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.of(load_catalog(DEMO)[0])


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("你好", "chitchat"),
        ("谢谢！", "chitchat"),
        ("who are you?", "chitchat"),
        ("Thanks", "chitchat"),
        ("把订单 N1 取消掉", "action"),
        ("帮我删除所有测试订单", "action"),
        ("please delete all orders", "action"),
        ("email the sales report to Ann", "action"),
        ("SELECT * FROM orders; DROP TABLE orders", "action"),
        ("drop table orders", "action"),
        ("客单价是怎么算的", "knowledge"),
        ("什么是 GMV", "knowledge"),
        ("how is gross margin calculated?", "knowledge"),
        ("where is order 20260601001", "realtime"),
        ("订单 20260601001 到哪了", "realtime"),
        ("查一下上个月的销售额然后写一份报告", "mixed"),
        ("get last month's sales and then email it to Ann", "mixed"),
        ("看看", "clarify"),
        ("show me", "clarify"),
        ("2025年第一季度各大区的销售额", "data_query"),
        ("monthly revenue in 2025", "data_query"),
        ("已取消的订单有多少", "data_query"),
        ("取消订单的占比", "data_query"),
        ("各渠道的订单数", "data_query"),
        ("top 3 categories by units sold in 2026", "data_query"),
    ],
)
def test_the_wording_decides(question: str, intent: str, lexicon: Lexicon) -> None:
    decision = by_rules(question, lexicon)
    assert decision is not None
    assert (decision.intent, decision.stage) == (intent, "rules")
    assert decision.confidence >= 0.6


@pytest.mark.parametrize("question", ["明天北京会下雨吗", "recommend a seafood restaurant", "什么是量子纠缠"])
def test_what_the_wording_does_not_decide_is_left_open(question: str, lexicon: Lexicon) -> None:
    assert by_rules(question, lexicon) is None


def test_the_default_takes_the_full_path_below_the_threshold() -> None:
    decision = by_default()
    assert (decision.intent, decision.stage) == ("data_query", "default")
    assert decision.confidence < 0.6


def test_every_example_of_an_intent_is_routed_to_it(lexicon: Lexicon) -> None:
    wrong = {
        example: decision.intent
        for entry in INTENTS
        for example in entry.examples
        if (decision := by_rules(example, lexicon)) and decision.intent != entry.intent
    }
    assert not wrong
    assert set(WAYS) == {entry.intent for entry in INTENTS}
