"""The HTTP door as a client sees it: a real process, real sockets, clients that leave."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.serving import serving

URL = str
SLOW = {"query": "慢"}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[URL]:
    with serving("tests.fakes.server", str(tmp_path_factory.mktemp("door"))) as started:
        yield started


@pytest.fixture
async def client(url: URL) -> Any:
    async with httpx.AsyncClient(base_url=url, timeout=20) as opened:
        yield opened


async def warehouse(client: httpx.AsyncClient, **wanted: int) -> dict[str, int]:
    """What the warehouse says, as soon as it says what is wanted, at the latest after half a minute."""
    found: dict[str, int] = {}
    for _ in range(600):
        found = (await client.get("/fake")).json()
        if wanted.items() <= found.items():
            break
        await asyncio.sleep(0.05)
    return found


async def test_events_arrive_while_the_question_still_runs(client: httpx.AsyncClient) -> None:
    async with client.stream("POST", "/api/query", json=SLOW) as reply:
        seen = []
        async for line in reply.aiter_lines():
            seen.append(line)
            if line == "event: tool_call_start":
                break
        assert (await warehouse(client, running=1))["running"] == 1
    assert seen[0].startswith("event: ")


async def test_a_silent_stream_still_beats(client: httpx.AsyncClient) -> None:
    async with client.stream("POST", "/api/query", json=SLOW) as reply:
        async for line in reply.aiter_lines():
            if line.startswith(":"):
                break
        else:
            pytest.fail("no heartbeat")


async def test_a_client_that_hangs_up_stops_the_statement(client: httpx.AsyncClient) -> None:
    before = (await warehouse(client, running=0))["stopped"]
    async with client.stream("POST", "/api/query", json=SLOW) as reply:
        async for line in reply.aiter_lines():
            if "warehouse" in line:
                break
        assert (await warehouse(client, running=1))["running"] == 1
    after = await warehouse(client, running=0, stopped=before + 1)
    assert (after["running"], after["stopped"]) == (0, before + 1)


async def test_a_client_of_one_object_that_hangs_up_stops_the_statement_too(client: httpx.AsyncClient) -> None:
    before = (await warehouse(client, running=0))["stopped"]
    with pytest.raises(httpx.ReadTimeout):
        await client.post("/api/query", json={**SLOW, "stream": False}, timeout=0.5)
    after = await warehouse(client, running=0, stopped=before + 1)
    assert (after["running"], after["stopped"]) == (0, before + 1)


async def test_two_questions_at_once_in_one_thread_do_not_mix(client: httpx.AsyncClient) -> None:
    async with client.stream("POST", "/api/query", json={**SLOW, "thread_id": "both"}) as first:
        await anext(first.aiter_lines())
        second = await client.post("/api/query", json={"query": "各大区", "thread_id": "both"})
    assert (second.status_code, second.json()["code"]) == (409, "thread_busy")
    await warehouse(client, running=0)
    assert (await client.post("/api/query", json={"query": "各大区", "thread_id": "both"})).status_code == 200


async def test_a_multi_line_statement_and_split_characters_arrive_whole(client: httpx.AsyncClient) -> None:
    """The cases q104 and q204."""
    rest, pieces = b"", []
    async with client.stream("POST", "/api/query", json={"query": "各大区"}) as reply:
        async for piece in reply.aiter_raw(chunk_size=1):
            rest += piece
    pieces = [json.loads(line[6:]) for line in rest.decode().split("\n") if line.startswith("data: ")]
    answer = next(piece["answer"] for piece in pieces if piece["type"] == "result")
    assert "\r\n" in answer["sql"]
    assert answer["rows"][1][0].startswith("华北\u2028\x85")


async def test_two_hundred_streams_at_once_all_end_and_stay_small(url: URL) -> None:
    limits = httpx.Limits(max_connections=210)
    async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as client:

        async def one(query: str) -> list[str]:
            names = []
            async with client.stream("POST", "/api/query", json={"query": query}) as reply:
                async for line in reply.aiter_lines():
                    names += [line.removeprefix("event: ")] if line.startswith("event: ") else []
            return names

        await one("各大区")
        before = (await client.get("/fake")).json()["rss"]
        running = [asyncio.create_task(one(f"等 {number}")) for number in range(200)]
        busy = await warehouse(client, running=200)
        ended = await asyncio.gather(*running)
    assert busy["running"] == 200
    assert (busy["rss"] - before) / 200 <= 2**20
    assert [names[-2:] for names in ended] == [["result", "done"]] * 200


async def test_a_thread_outlives_a_restart(tmp_path: Path) -> None:
    for _ in range(2):
        with serving("tests.fakes.server", str(tmp_path)) as started:
            async with httpx.AsyncClient(base_url=started, timeout=20) as client:
                ready = {one["name"]: one["detail"] for one in (await client.get("/api/ready")).json()["components"]}
                await client.post("/api/query", json={"query": "各大区", "thread_id": "kept"})
    assert ready["threads"] == "1 threads"
