"""The one scale on which stored values are likened to words."""

import pytest

from data_agent.wording.likeness import LEAST, likeness
from data_agent.wording.tokens import fold, spelled_out, tokens


@pytest.mark.parametrize(
    ("word", "value", "score"),
    [
        ("北京", "北京", 1.0),
        ("apple", "Apple", 0.99),
        ("ＡＢＣ", "ABC", 0.99),
        ("iphone15", "iPhone 15", 0.99),
        ("北京", "北京市", 0.95),
        ("北京市", "北京", 0.95),
        ("新疆", "新疆维吾尔自治区", 0.95),
        ("钻石会员", "钻石", 0.95),
        ("天猫渠道", "天猫", 0.95),
        ("华东大区", "华东", 0.95),
        ("New York", "New York City", 0.95),
    ],
)
def test_the_same_thing_scores_from_ninety_up(word: str, value: str, score: float) -> None:
    assert likeness(word, value) == score


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("Nike", "Nike Air Max"),
        ("Air Max", "Nike Air Max"),
        ("Nike Air Mxa", "Nike Air Max"),
        ("手机", "智能手机壳"),
        ("华为手机的销量", "华为"),
        ("orders from Berlin please", "Berlin"),
        ("订单100000000123的金额", "100000000123"),
        ("Guangdnog", "Guangdong"),
        ("王小眀", "王小明"),
    ],
)
def test_parts_and_typos_score_between_half_and_ninety(word: str, value: str) -> None:
    assert LEAST <= likeness(word, value) < 0.9


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("北京", "南京"),
        ("N3", "N30"),
        ("N3", "N4"),
        ("100000000123", "100000000124"),
        ("1000000001", "100000000123"),
        ("2025", "2026"),
        ("13", "N13"),
        ("已支付", "未支付"),
        ("已发货", "未发货"),
        ("art", "Bartholomew"),
        ("a", "apple"),
        ("", "apple"),
        ("apple", ""),
        ("   ", "x"),
        ("天气", "天猫"),
        ("订单N30的金额", "N3"),
        ("cat", "category of goods"),
    ],
)
def test_other_things_score_nothing_or_little(word: str, value: str) -> None:
    assert likeness(word, value) < 0.72
    if value not in {"category of goods", "Bartholomew"}:
        assert likeness(word, value) == 0.0


def test_a_longer_shared_part_scores_higher() -> None:
    assert likeness("Nike Air", "Nike Air Max") > likeness("Nike", "Nike Air Max") > likeness("Air", "Nike Air Max")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PayAmount", ("pay", "amount")),
        ("HTTPServer_ids", ("http", "server", "ids")),
        ("cities", ("city",)),
        ("订单数", ("订单", "单数")),
        ("每", ("每",)),
        ("2025年Q1", ("2025", "年", "q", "1")),
        ("", ()),
    ],
)
def test_tokens_are_words_and_pairs(text: str, expected: tuple[str, ...]) -> None:
    assert tokens(text) == expected


def test_folding_takes_width_case_and_blanks_away() -> None:
    assert fold("  ＡＢＣ　 Def ") == "abc def"


def test_a_name_is_spelled_out() -> None:
    assert spelled_out("sbTickerId_v2.x") == "sb ticker id v2 x"
