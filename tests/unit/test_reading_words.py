"""Keywords, numbers, names and the nearest of them."""

import pytest

from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Table
from data_agent.reading.cover import cover
from data_agent.reading.keywords import keywords
from data_agent.reading.lexicon import Lexicon
from data_agent.reading.nearest import nearest
from data_agent.reading.numbers import numbers
from data_agent.reading.text import fold, key_of, stem
from tests.unit.reading_shop import LEXICON, SHOP


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("超过20万", [200_000]),
        ("1.5亿", [150_000_000]),
        ("10k", [10_000]),
        ("2 million", [2_000_000]),
        ("over 1,250.5 yuan", [1250.5]),
        ("30%", [0.3]),
        ("百分之三十", [0.3]),
        ("top10", [10]),
        ("前五个", [5]),
        ("前二十名", [20]),
        ("five brands", [5]),
        ("订单N3", []),
        ("销售额3千", [3000]),
    ],
)
def test_reads_numbers_as_people_write_them(text: str, expected: list[float]) -> None:
    assert [number.value for number in numbers(text)] == expected


def test_folding_keeps_every_character_in_its_place() -> None:
    assert fold("ＧＭＶ　Top１０İ") == "gmv top10İ" or len(fold("ＧＭＶ　Top１０İ")) == len("ＧＭＶ　Top１０İ")


@pytest.mark.parametrize(
    ("word", "expected"),
    [("brands", "brand"), ("categories", "category"), ("boxes", "box"), ("status", "status"), ("gross", "gross")],
)
def test_takes_the_plural_off_english_words(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_snake_case_and_spaces_are_the_same_name() -> None:
    assert key_of("order_items") == key_of("Order Items") == key_of("order item")


def test_keywords_keep_catalog_words_codes_and_numbers_whole() -> None:
    found = keywords("Q1 华东GMV超过20万的A级客户top10", LEXICON)
    assert {"Q1", "华东", "GMV", "A级", "客户"} <= {word for words in found for word in (words, *words.split())}


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("how many parcels went on Route 11 78f879", "Route 11 78f879"),
        ("how many parcels went on Route 11 please", "Route 11"),
        ("成都仓10的金额", "成都仓10"),
        ("sales of the iPhone 17 Pro", "iPhone 17 Pro"),
        ("sales of the iPhone 17 yesterday", "iPhone 17"),
    ],
)
def test_keywords_keep_a_name_that_goes_on_with_a_number_whole(question: str, name: str) -> None:
    assert name in keywords(question, LEXICON)


def test_keywords_keep_order_numbers_and_models_whole() -> None:
    assert "N3" in keywords("订单N3的金额", LEXICON)
    assert "iPhone 17 Pro" in keywords("iPhone 17 Pro的销量", LEXICON)


def test_keywords_fall_back_to_the_whole_question() -> None:
    assert keywords("是的吗", LEXICON) == ("是的吗",)


def test_keywords_offer_the_synonyms_of_a_word() -> None:
    lexicon = Lexicon.of(SHOP.model_copy(update={"synonyms": {"淘系": ("天猫",)}}))
    assert "天猫" in keywords("淘系的订单数", lexicon)


def test_a_name_with_a_function_letter_in_it_is_offered_whole() -> None:
    assert "中国移动" in keywords("中国移动的订单数", LEXICON)


def test_the_longest_catalog_name_wins() -> None:
    (mark, *_) = cover("商品销售额", LEXICON, (), ())
    assert [thing.name for thing in mark.things] == ["item_sales"]


def test_finds_near_names_for_messages() -> None:
    assert "销售额" in nearest("销售金额", LEXICON)
    assert "units sold" in nearest("unit sold", LEXICON)
    assert nearest("", LEXICON) == ()


def test_retired_tables_lend_no_names() -> None:
    old = Table(name="orders_bak", aliases=("旧订单",), retired=True)
    lexicon = Lexicon.of(SHOP.model_copy(update={"tables": (*SHOP.tables, old)}))
    assert lexicon.lookup("旧订单") == ()


def test_an_unknown_english_word_never_matches_inside_another() -> None:
    marks = cover("ageing brands", LEXICON, (), ())
    assert [mark.text for mark in marks if mark.unknown] == ["ageing"]


def test_camel_case_identifiers_are_found_by_their_words() -> None:
    table = Table(name="Pets", columns=(Column(table="Pets", name="PetType"),))
    lexicon = Lexicon.of(Catalog(name="x", version="1", tables=(table,)))
    assert [thing.name for thing in lexicon.lookup("pet type")] == ["Pets.PetType"]
    assert [thing.name for thing in lexicon.lookup("PetType")] == ["Pets.PetType"]
