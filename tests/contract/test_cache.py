"""What every cache promises; that a Redis which is away costs time once and an answer never."""

import asyncio
import logging
import signal
import time
from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import pytest

from data_agent.errors import StoreUnavailable
from data_agent.ports.cache import Cache
from repositories.cached_embedder import CachedEmbedder
from repositories.embedded.cache import EmbeddedCache
from repositories.redis.cache import RedisCache
from tests.fakes.cache import FakeCache
from tests.fakes.embedder import FakeEmbedder
from tests.servers import OwnRedis

AWAY = "redis://:secret@127.0.0.1:9/0"


@pytest.fixture(params=["fake", "embedded", pytest.param("redis", marks=pytest.mark.redis)])
async def cache(request: pytest.FixtureRequest) -> AsyncIterator[Cache]:
    made: dict[str, Any] = {"fake": FakeCache, "embedded": EmbeddedCache}
    if request.param == "redis":
        made["redis"] = lambda: RedisCache(request.getfixturevalue("redis_url"), f"test-{time.time_ns()}")
    opened = made[request.param]()
    yield opened
    await opened.close()


async def test_what_was_put_is_found_and_the_rest_is_not(cache: Cache) -> None:
    await cache.put({"a": b"1", "b": b"\x00\xff"}, 60)
    assert await cache.get(["b", "nothing", "a"]) == [b"\x00\xff", None, b"1"]


async def test_a_later_entry_takes_the_place_of_the_first(cache: Cache) -> None:
    await cache.put({"a": b"1"}, 60)
    await cache.put({"a": b"2"}, 60)
    assert await cache.get(["a"]) == [b"2"]


async def test_nothing_asked_is_nothing_found(cache: Cache) -> None:
    await cache.put({}, 60)
    assert await cache.get([]) == []


async def test_an_entry_ends_with_its_time(cache: Cache) -> None:
    await cache.put({"short": b"1"}, 0.05)
    await cache.put({"long": b"2"}, 60)
    if isinstance(cache, FakeCache):
        cache.now = 1.0
    await asyncio.sleep(0.1)
    assert await cache.get(["short", "long"]) == [None, b"2"]


async def test_an_embedder_asks_its_model_once_for_a_text(cache: Cache) -> None:
    inner = FakeEmbedder()
    first = await CachedEmbedder(inner, cache).embed(["销售额", "revenue", "销售额"])
    asked = len(inner.texts)
    second = await CachedEmbedder(inner, cache).embed(["revenue", "new"])
    assert len(inner.texts) == asked + 1 and np.array_equal(first[1], second[0])
    assert np.array_equal(first, await FakeEmbedder().embed(["销售额", "revenue", "销售额"]))


async def test_vectors_of_another_model_or_a_wrong_length_are_never_used() -> None:
    cache, inner = FakeCache(), FakeEmbedder()
    await CachedEmbedder(inner, cache).embed(["x"])
    (key,) = cache.held
    assert len(key) == len("embed:") + 64, "a hash, never the text of a question"
    cache.held[key] = (60.0, b"short")
    assert np.array_equal(await CachedEmbedder(inner, cache).embed(["x"]), await FakeEmbedder().embed(["x"]))
    other = FakeEmbedder(name="another model")
    await CachedEmbedder(other, cache).embed(["x"])
    assert len(cache.held) == 2 and other.texts == ["x"]


async def test_the_texts_of_an_index_stay_out_of_the_cache() -> None:
    cache = FakeCache()
    await CachedEmbedder(FakeEmbedder(), cache).embed([f"text {n}" for n in range(100)])
    assert cache.held == {}


async def test_the_embedded_cache_keeps_what_was_used_last() -> None:
    cache = EmbeddedCache(most=2)
    await cache.put({"a": b"1", "b": b"2"}, 60)
    await cache.get(["a"])
    await cache.put({"c": b"3"}, 60)
    assert await cache.get(["a", "b", "c"]) == [b"1", None, b"3"]


async def test_a_redis_that_is_away_costs_one_warning_and_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    cache, inner = RedisCache(AWAY), FakeEmbedder()
    embedder = CachedEmbedder(inner, cache)
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            assert (await embedder.embed(["x"])).shape == (1, inner.dimension)
    (warned,) = caplog.records
    assert "127.0.0.1:9" in warned.getMessage() and "secret" not in warned.getMessage()
    with pytest.raises(StoreUnavailable) as caught:
        await cache.version()
    assert "secret" not in caught.value.message and "stores.redis_url" in caught.value.hint
    await cache.close()


@pytest.mark.redis
async def test_a_redis_that_freezes_and_comes_back_is_used_again(own_redis: OwnRedis) -> None:
    cache = RedisCache(own_redis.url)
    await cache.put({"a": b"1"}, 60)
    own_redis.signal(signal.SIGSTOP)
    start = time.perf_counter()
    assert await cache.get(["a"]) == [None]
    for _ in range(20):
        assert await cache.get(["a"]) == [None]
    assert time.perf_counter() - start < 5, "one wait, not one for each question"
    own_redis.signal(signal.SIGCONT)
    cache._until = 0.0  # the pause is over
    assert await cache.get(["a"]) == [b"1"]
    await cache.close()


@pytest.mark.redis
async def test_a_redis_with_another_password_is_a_miss_and_says_so(own_redis: OwnRedis) -> None:
    cache = RedisCache(own_redis.url.replace("://", "://someone:secret@"))
    assert await cache.get(["a"]) == [None]
    with pytest.raises(StoreUnavailable, match="refused the login"):
        await cache.version()
    await cache.close()
