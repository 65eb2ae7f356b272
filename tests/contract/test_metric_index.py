"""What every metric index promises, fake and real alike."""

from pathlib import Path

import pytest

from data_agent.errors import IndexMismatch, IndexMissing
from data_agent.ports.recall import IndexedText, IndexStamp, MetricIndex
from tests.contract.column_indexes import METRIC_OPENERS, Opener
from tests.fakes.embedder import FakeEmbedder

EMBEDDER = FakeEmbedder()
pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")  # the client's local mode
STAMP = IndexStamp(catalog_version="v1", model="fake-embedder", dimension=64)
TEXTS = [
    IndexedText(id="sales", names=("sales", "销售额", "GMV"), text="sales 销售额 revenue of paid orders"),
    IndexedText(id="order_count", names=("order_count", "订单数"), text="order count 订单数 number of orders"),
    IndexedText(id="sales.net", names=("sales.net", "净销售额"), text="net sales 净销售额"),
]


@pytest.fixture(params=METRIC_OPENERS, ids=lambda opener: opener.__name__)
def opener(request: pytest.FixtureRequest) -> Opener:
    return request.param


async def fill(index: MetricIndex, stamp: IndexStamp = STAMP) -> None:
    vectors = await EMBEDDER.embed([text.text for text in TEXTS])
    await index.replace(stamp, TEXTS, vectors, await EMBEDDER.embed([" ".join(text.names) for text in TEXTS]))


async def test_a_metric_is_found_by_an_alias(opener: Opener, tmp_path: Path) -> None:
    index = opener(tmp_path)
    await fill(index)
    hits = {hit.metric: hit for hit in await index.search(await EMBEDDER.embed(["各省 GMV", "GMV"]), ["GMV"], 5)}
    assert hits["sales"].text is not None and hits["order_count"].text is None


async def test_a_metric_with_a_dot_in_its_name_keeps_it(opener: Opener, tmp_path: Path) -> None:
    index = opener(tmp_path)
    await fill(index)
    hits = await index.search(await EMBEDDER.embed(["净销售额"]), ["净销售额"], 5)
    assert "sales.net" in {hit.metric for hit in hits}


async def test_an_empty_index_says_that_nothing_was_indexed(opener: Opener, tmp_path: Path) -> None:
    with pytest.raises(IndexMissing):
        await opener(tmp_path).search(await EMBEDDER.embed(["x"]), ["x"], 5)


async def test_an_index_of_another_dimension_is_refused(opener: Opener, tmp_path: Path) -> None:
    await fill(opener(tmp_path))
    with pytest.raises(IndexMismatch) as caught:
        await opener(tmp_path, "fake-embedder", 8).search(await FakeEmbedder(8).embed(["x"]), ["x"], 5)
    assert "64" in caught.value.message and "8" in caught.value.message
