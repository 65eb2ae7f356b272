"""What every embedder promises, fake and real alike."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from data_agent.ports.embedder import Embedder, Vectors
from repositories.embedded.embedder import USE3Embedder
from repositories.embedded.vector_store import StoredEmbedder
from repositories.shared_embedder import SharedEmbedder
from tests.fakes.embedder import FakeEmbedder

REAL = USE3Embedder()


@pytest.fixture(params=["fake", "use3", "stored", "shared"])
def embedder(request: pytest.FixtureRequest, tmp_path: Path) -> Embedder:
    made: dict[str, Embedder] = {"fake": FakeEmbedder(), "use3": REAL, "shared": SharedEmbedder(FakeEmbedder())}
    return made.get(request.param) or StoredEmbedder(FakeEmbedder(), tmp_path / "vectors.db")


async def test_vectors_are_unit_rows_of_the_dimension(embedder: Embedder) -> None:
    rows = await embedder.embed(["销售额", "revenue by region", "销售额"])
    assert rows.shape == (3, embedder.dimension) and rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-4)
    assert np.allclose(rows[0], rows[2])


async def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert (await embedder.embed([])).shape == (0, embedder.dimension)


async def test_odd_texts_do_not_break_it(embedder: Embedder) -> None:
    rows = await embedder.embed(["", "   ", "😀", "x" * 20_000, "\x00"])
    assert rows.shape[0] == 5 and np.isfinite(rows).all()


async def test_the_same_text_gets_the_same_vector_in_any_company(embedder: Embedder) -> None:
    alone = await embedder.embed(["订单数"])
    together = await embedder.embed(["a long text beside it, much longer than the other one", "订单数"])
    assert np.allclose(alone[0], together[1], atol=1e-3)


async def test_many_questions_at_once_are_answered(embedder: Embedder) -> None:
    rows = await asyncio.gather(*(embedder.embed([f"question {i}"]) for i in range(20)))
    assert all(row.shape == (1, embedder.dimension) for row in rows)


async def test_meaning_crosses_languages_in_the_real_one() -> None:
    rows = await REAL.embed(["各省的销售额", "sales by province", "the name of the dog"])
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


async def test_a_text_that_was_embedded_once_is_never_embedded_again(tmp_path: Path) -> None:
    inner = FakeEmbedder()
    await StoredEmbedder(inner, tmp_path / "v.db").embed(["订单", "客户"])
    again = await StoredEmbedder(inner, tmp_path / "v.db").embed(["客户", "商品"])
    assert inner.texts == ["订单", "客户", "商品"]
    assert np.allclose(again[0], (await FakeEmbedder().embed(["客户"]))[0])


async def test_stored_vectors_of_another_model_are_not_used(tmp_path: Path) -> None:
    await StoredEmbedder(FakeEmbedder(), tmp_path / "v.db").embed(["订单"])
    other = FakeEmbedder(8, "smaller")
    assert (await StoredEmbedder(other, tmp_path / "v.db").embed(["订单"])).shape == (1, 8)


async def test_vectors_of_texts_that_are_gone_can_be_dropped(tmp_path: Path) -> None:
    inner = FakeEmbedder()
    store = StoredEmbedder(inner, tmp_path / "v.db")
    await store.embed(["订单", "客户"])
    assert await store.forget(keep=["客户"]) == 1
    await store.embed(["订单", "客户"])
    assert inner.texts == ["订单", "客户", "订单"]


class SlowEmbedder(FakeEmbedder):
    """Takes a moment, and says what became of each request."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.told.append("asked")
        try:
            await asyncio.sleep(0.05)
        except asyncio.CancelledError:
            self.told.append("stopped")
            raise
        return await super().embed(texts)


async def test_the_same_texts_at_the_same_moment_are_made_once_and_later_anew() -> None:
    slow = SlowEmbedder()
    shared = SharedEmbedder(slow)
    one, two = await asyncio.gather(shared.embed(["销售额", "大区"]), shared.embed(["销售额", "大区"]))
    assert (one == two).all() and slow.told == ["asked"]
    await shared.embed(["销售额", "大区"])
    assert slow.told == ["asked", "asked"]


async def test_a_shared_request_is_stopped_with_the_last_who_waits() -> None:
    slow = SlowEmbedder()
    shared = SharedEmbedder(slow)
    first, second = (asyncio.create_task(shared.embed(["销售额"])) for _ in range(2))
    await asyncio.sleep(0.01)
    first.cancel()
    assert (await second).shape[0] == 1 and slow.told == ["asked"]
    only = asyncio.create_task(shared.embed(["订单数"]))
    await asyncio.sleep(0.01)
    only.cancel()
    await asyncio.sleep(0.01)
    assert slow.told == ["asked", "asked", "stopped"]
