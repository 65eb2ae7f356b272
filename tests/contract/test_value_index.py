"""What every value index promises, fake and real alike."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from data_agent.domain.value import Value
from data_agent.errors import IndexMissing
from data_agent.ports.recall import IndexStamp, ValueIndex, ValuePart
from tests.contract.value_indexes import OPENERS, Opener

STAMP = IndexStamp(catalog_version="v1", model="", dimension=0)
CITIES = ["北京市", "上海市", "南京市", "内蒙古自治区", "广东省"]
BRANDS = ["Apple", "apple", "华为", "Xiaomi Mi Band 8", "Nike Air Max", "ＡＢＣ商城", "Müller"]
CODES = ["N3", "N30", "100000000123", "100000000124", "SKU-2041"]


def values() -> list[Value]:
    held = [Value(table="customers", column="city", text=text) for text in CITIES]
    held += [Value(table="products", column="brand", text=text) for text in BRANDS]
    held += [Value(table="orders", column="order_no", text=text) for text in CODES]
    held += [Value(table="products", column="name", text=f"测试商品第{i}号") for i in range(300)]
    held.append(Value(table="channels", column="name", text="天猫"))
    held.append(Value(table="channels", column="name", text="天猫", word="淘宝"))
    held.append(Value(table="orders", column="status", text="2", word="已支付"))
    return held


async def batches(held: Sequence[Value], size: int = 50) -> AsyncIterator[list[Value]]:
    for start in range(0, len(held), size):
        yield list(held[start : start + size])


@pytest.fixture(params=OPENERS, ids=lambda opener: opener.__name__)
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Any]:
    opener: Opener = request.param
    async with opener(tmp_path, request) as opened:
        yield opened


async def filled(index: ValueIndex) -> ValueIndex:
    await index.replace(STAMP, batches(values()))
    return index


async def best(index: ValueIndex, word: str, limit: int = 10) -> list[tuple[str, float]]:
    return [(value.text, value.score) for value in await index.search([word], limit)]


async def test_an_empty_index_says_that_nothing_was_indexed(index: ValueIndex) -> None:
    assert await index.stamp() is None
    with pytest.raises(IndexMissing) as caught:
        await index.search(["北京"], 5)
    assert "data-agent index" in caught.value.hint


async def test_replacing_counts_the_values_and_keeps_the_stamp(index: ValueIndex) -> None:
    assert await index.replace(STAMP, batches(values())) == len(values())
    stamp = await index.stamp()
    assert stamp is not None and (stamp.catalog_version, stamp.count) == ("v1", len(values()))


@pytest.mark.parametrize(
    ("word", "stored", "least", "most"),
    [
        ("北京市", "北京市", 1.0, 1.0),
        ("北京", "北京市", 0.9, 0.99),
        ("内蒙古", "内蒙古自治区", 0.9, 0.99),
        ("广东", "广东省", 0.9, 0.99),
        ("华为", "华为", 1.0, 1.0),
        ("Xiaomi", "Xiaomi Mi Band 8", 0.6, 0.89),
        ("Mi Band", "Xiaomi Mi Band 8", 0.5, 0.89),
        ("Nike Air Msx", "Nike Air Max", 0.6, 0.89),
        ("nike air max", "Nike Air Max", 0.99, 0.99),
        ("ABC商城", "ＡＢＣ商城", 0.99, 0.99),
        ("华为手机的销量", "华为", 0.6, 0.89),
        ("测试商品第123号", "测试商品第123号", 1.0, 1.0),
        ("淘宝", "天猫", 1.0, 1.0),
        ("已支付", "2", 1.0, 1.0),
        ("N3", "N3", 1.0, 1.0),
        ("100000000123", "100000000123", 1.0, 1.0),
        ("sku-2041", "SKU-2041", 0.99, 0.99),
    ],
    ids=str,
)
async def test_the_stored_value_comes_first(
    index: ValueIndex, word: str, stored: str, least: float, most: float
) -> None:
    found = await best(await filled(index), word)
    assert found, f"{word} found nothing"
    assert found[0][0] == stored
    assert least <= found[0][1] <= most


async def test_letter_case_variants_all_come_back(index: ValueIndex) -> None:
    assert {text for text, score in await best(await filled(index), "Apple") if score >= 0.9} == {"Apple", "apple"}


@pytest.mark.parametrize("word", ["N3", "100000000123", "SKU-2041"])
async def test_codes_have_no_near_matches(index: ValueIndex, word: str) -> None:
    assert [text for text, _ in await best(await filled(index), word)] == [word]


@pytest.mark.parametrize("word", ["", "   ", "!!!", "😀", "天气", "100000000199", "N", "a" * 5000, "\u0000"])
async def test_what_is_not_there_is_not_invented(index: ValueIndex, word: str) -> None:
    assert all(score >= 0.5 and word.strip() for _, score in await best(await filled(index), word))
    assert (await best(await filled(index), word) == []) or word == "N"


async def test_two_characters_are_too_few_for_a_typo(index: ValueIndex) -> None:
    assert "南京市" not in dict(await best(await filled(index), "北京"))


async def test_words_are_answered_apart_and_repeated_words_once(index: ValueIndex) -> None:
    found = await (await filled(index)).search(["北京", "华为", "北京"], 3)
    assert [(value.word, value.text) for value in found if value.score >= 0.9] == [("北京", "北京市"), ("华为", "华为")]
    assert found[0].column_id == "customers.city"


async def test_limit_counts_for_each_word(index: ValueIndex) -> None:
    found = await (await filled(index)).search(["测试商品", "测试"], 4)
    assert [sum(value.word == word for value in found) for word in ("测试商品", "测试")] == [4, 4]


async def test_no_words_ask_nothing(index: ValueIndex) -> None:
    assert await (await filled(index)).search([], 5) == []


async def test_replacing_leaves_nothing_of_the_old_values(index: ValueIndex) -> None:
    await filled(index)
    await index.search(["北京"], 5)
    await index.replace(STAMP.model_copy(update={"catalog_version": "v2"}), batches(values()[1:]))
    assert "北京市" not in dict(await best(index, "北京"))
    stamp = await index.stamp()
    assert stamp is not None and stamp.catalog_version == "v2"


def parts_of(held: Sequence[Value]) -> dict[str, ValuePart]:
    counts = Counter(value.column_id for value in held)
    return {column: ValuePart(mark=f"mark of {column}", count=count) for column, count in counts.items()}


async def test_an_empty_index_holds_no_columns(index: ValueIndex) -> None:
    assert await index.parts() == {}


async def test_columns_that_are_kept_stay_and_the_others_come_anew(index: ValueIndex) -> None:
    held, parts = values(), parts_of(values())
    parts["products.name"] = parts["products.name"].model_copy(update={"cut": True})
    await index.replace(STAMP, batches(held), parts=lambda: parts)
    assert await index.parts() == parts
    fresh = [Value(table="customers", column="city", text="天津市")]
    keep = set(parts) - {"customers.city", "channels.name"}
    after = {column: parts[column] for column in keep} | parts_of(fresh)
    stamp = STAMP.model_copy(update={"catalog_version": "v2"})
    count = await index.replace(stamp, batches(fresh), keep=keep, parts=lambda: after)
    assert count == len(held) - len(CITIES) - 2 + 1 and await index.parts() == after
    stamped = await index.stamp()
    assert stamped is not None and (stamped.catalog_version, stamped.count) == ("v2", count)
    for word, found in {"天津市": "天津市", "华为": "华为", "已支付": "2", "测试商品第7号": "测试商品第7号"}.items():
        assert (await best(index, word))[0] == (found, 1.0)
    for gone in ("北京市", "淘宝"):
        assert gone not in dict(await best(index, gone)) and "天猫" not in dict(await best(index, gone))


async def test_a_column_may_be_changed_again_and_again(index: ValueIndex) -> None:
    await index.replace(STAMP, batches(values()), parts=lambda: parts_of(values()))
    keep = set(parts_of(values())) - {"customers.city"}
    for turn in range(12):
        fresh = [Value(table="customers", column="city", text=f"第{turn}座城市")]
        after = {column: part for column, part in (await index.parts()).items() if column in keep} | parts_of(fresh)
        count = await index.replace(STAMP, batches(fresh), keep=keep, parts=lambda after=after: after)
        assert count == len(values()) - len(CITIES) + 1
        assert (await best(index, f"第{turn}座城市"))[0] == (f"第{turn}座城市", 1.0)
    assert not {text for text, _ in await best(index, "第3座城市")} - {"第11座城市"}
    assert (await best(index, "华为"))[0] == ("华为", 1.0) and await index.parts() == after


async def test_keeping_everything_only_changes_the_stamp(index: ValueIndex) -> None:
    parts = parts_of(values())
    await index.replace(STAMP, batches(values()), parts=lambda: parts)
    stamp = STAMP.model_copy(update={"catalog_version": "v2"})
    assert await index.replace(stamp, batches([]), keep=set(parts), parts=lambda: parts) == len(values())
    stamped = await index.stamp()
    assert stamped is not None and (stamped.catalog_version, stamped.count) == ("v2", len(values()))
    assert (await best(index, "华为"))[0] == ("华为", 1.0) and await index.parts() == parts


async def test_a_stream_that_breaks_leaves_what_was_kept(index: ValueIndex) -> None:
    async def broken() -> AsyncIterator[list[Value]]:
        yield [Value(table="customers", column="city", text="天津市")]
        raise ConnectionError("the warehouse went away")

    parts = parts_of(values())
    await index.replace(STAMP, batches(values()), parts=lambda: parts)
    with pytest.raises(ConnectionError):
        await index.replace(STAMP, broken(), keep=set(parts) - {"customers.city"}, parts=dict)
    assert (await best(index, "北京市"))[0] == ("北京市", 1.0) and "天津市" not in dict(await best(index, "天津市"))
    assert await index.parts() == parts


async def test_a_stream_that_breaks_changes_nothing(index: ValueIndex) -> None:
    async def broken() -> AsyncIterator[list[Value]]:
        yield values()[5:8]
        raise ConnectionError("the warehouse went away")

    await filled(index)
    with pytest.raises(ConnectionError):
        await index.replace(STAMP.model_copy(update={"catalog_version": "v2"}), broken())
    stamp = await index.stamp()
    assert stamp is not None and stamp.catalog_version == "v1"
    assert (await best(index, "北京"))[0][0] == "北京市"
