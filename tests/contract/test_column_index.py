"""What every column index promises, fake and real alike."""

from pathlib import Path

import pytest

from data_agent.errors import IndexMismatch, IndexMissing
from data_agent.ports.recall import ColumnIndex, IndexedText, IndexStamp
from repositories.embedded.column_index import EmbeddedColumnIndex
from tests.contract.column_indexes import OPENERS, Opener
from tests.fakes.embedder import FakeEmbedder

EMBEDDER = FakeEmbedder()
pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")  # the client's local mode
STAMP = IndexStamp(catalog_version="v1", model="fake-embedder", dimension=64)
TEXTS = [
    IndexedText(id="orders", names=("orders", "订单"), text="orders 订单 every purchase"),
    IndexedText(id="orders.pay_amount", names=("pay_amount", "支付金额"), text="orders pay amount 支付金额 money paid"),
    IndexedText(id="regions", names=("regions", "地区"), text="regions 地区 provinces"),
    IndexedText(id="regions.province", names=("province", "省份"), text="regions province 省份 name of the province"),
]


@pytest.fixture(params=OPENERS, ids=lambda opener: opener.__name__)
def opener(request: pytest.FixtureRequest) -> Opener:
    return request.param


async def fill(index: ColumnIndex, texts: list[IndexedText] = TEXTS, stamp: IndexStamp = STAMP) -> None:
    vectors = await EMBEDDER.embed([text.text for text in texts])
    names = await EMBEDDER.embed([" ".join(text.names) for text in texts])
    await index.replace(stamp, texts, vectors, names)


def builds_in(folder: Path) -> int:
    return len(list(folder.glob("build-*")))


async def found(index: ColumnIndex, question: str, words: list[str], limit: int = 10) -> dict[str, object]:
    hits = await index.search(await EMBEDDER.embed([question, *words]), words, limit)
    return {f"{hit.table}.{hit.column}".rstrip("."): hit for hit in hits}


async def test_an_empty_index_says_that_nothing_was_indexed(opener: Opener, tmp_path: Path) -> None:
    index = opener(tmp_path)
    assert await index.stamp() is None
    with pytest.raises(IndexMissing) as caught:
        await found(index, "订单", ["订单"])
    assert "data-agent index" in caught.value.hint


async def test_the_stamp_says_what_the_index_was_built_from(opener: Opener, tmp_path: Path) -> None:
    index = opener(tmp_path)
    await fill(index)
    assert await index.stamp() == STAMP.model_copy(update={"count": 4})


@pytest.mark.parametrize("word", ["支付金额", "pay amount", "pay_amount", "PayAmount", "支付"])
async def test_a_column_is_found_by_its_words_in_both_languages(opener: Opener, tmp_path: Path, word: str) -> None:
    index = opener(tmp_path)
    await fill(index)
    hits = await found(index, word, [word])
    assert hits["orders.pay_amount"].text > 0
    assert all(hit.text is None for name, hit in hits.items() if name.startswith("regions"))


async def test_tables_come_as_hits_without_a_column(opener: Opener, tmp_path: Path) -> None:
    index = opener(tmp_path)
    await fill(index)
    hits = await found(index, "订单", ["订单"])
    assert (hits["orders"].table, hits["orders"].column) == ("orders", "")


async def test_likeness_is_told_for_description_and_name_apart(opener: Opener, tmp_path: Path) -> None:
    index = opener(tmp_path)
    await fill(index)
    hits = await found(index, TEXTS[3].text, ["province 省份"])
    assert hits["regions.province"].dense == pytest.approx(1.0, abs=1e-4)
    assert hits["regions.province"].name == pytest.approx(1.0, abs=1e-4)
    assert hits["orders"].dense < 0.9


async def test_words_are_no_must(opener: Opener, tmp_path: Path) -> None:
    index = opener(tmp_path)
    await fill(index)
    hits = await found(index, "province", [])
    assert hits["regions.province"].dense is not None
    assert all(hit.text is None for hit in hits.values())


async def test_a_column_of_a_table_with_a_dotted_name_keeps_both_parts(opener: Opener, tmp_path: Path) -> None:
    index = opener(tmp_path)
    await fill(index, [IndexedText(id=i, names=("x",), text=i) for i in ("shop.orders", "shop.orders.status")])
    assert set(await found(index, "status", ["x"])) == {"shop.orders", "shop.orders.status"}


async def test_replacing_leaves_nothing_of_the_old_index(opener: Opener, tmp_path: Path) -> None:
    index = opener(tmp_path)
    await fill(index)
    await found(index, "订单", ["订单"])
    await fill(index, TEXTS[2:], STAMP.model_copy(update={"catalog_version": "v2"}))
    assert set(await found(index, "订单 orders", ["订单", "orders"])) == {"regions", "regions.province"}
    stamp = await index.stamp()
    assert stamp is not None and (stamp.catalog_version, stamp.count) == ("v2", 2)


async def test_indexing_twice_gives_no_duplicates(opener: Opener, tmp_path: Path) -> None:
    index = opener(tmp_path)
    await fill(index)
    await fill(index)
    hits = await index.search(await EMBEDDER.embed(["订单"]), ["订单"], 10)
    assert len(hits) == len({(hit.table, hit.column) for hit in hits}) == 4


async def test_vectors_of_another_model_are_refused_when_writing(opener: Opener, tmp_path: Path) -> None:
    with pytest.raises(IndexMismatch) as caught:
        await fill(opener(tmp_path), stamp=STAMP.model_copy(update={"model": "other", "dimension": 8}))
    assert "other" in caught.value.message and "fake-embedder" in caught.value.message


async def test_an_index_of_another_model_is_refused_with_the_mend(opener: Opener, tmp_path: Path) -> None:
    await fill(opener(tmp_path))
    with pytest.raises(IndexMismatch) as caught:
        await found(opener(tmp_path, "newer-model", 64), "订单", ["订单"])
    assert "data-agent index" in caught.value.hint and "newer-model" in caught.value.message


async def test_a_dead_build_changes_nothing_for_readers(tmp_path: Path) -> None:
    index = EmbeddedColumnIndex(tmp_path, "fake-embedder", 64)
    await fill(index)
    with pytest.raises(TypeError, match="too few"):
        await index.replace(STAMP, TEXTS, await EMBEDDER.embed(["one"]), None)
    assert builds_in(tmp_path) == 1
    assert "orders" in await found(index, "订单", ["订单"])
