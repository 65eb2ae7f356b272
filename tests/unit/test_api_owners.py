"""Whose conversation it is, and how a caller is known at the HTTP door (cases Q151, Q206)."""

import asyncio
from typing import Any

import pytest
from pydantic import SecretStr

from api.callers import KnownCaller
from api.gate import Gate
from api.owners import kept_as
from api.service import Service
from api.settings import ServerSettings
from data_agent.domain.caller import Caller
from data_agent.domain.policy import Policy, Role
from data_agent.policy.rights import Rights
from tests.fakes.graph import FakeWarehouse, fake_service
from tests.unit.test_api_http import door

ANN, BEN = "key-of-ann-0123456789", "key-of-ben-0123456789"
KNOWN = (
    KnownCaller(key=SecretStr(ANN), name="ann", role="east"),
    KnownCaller(key=SecretStr(BEN), name="ben", role="east"),
)
WAITS = {"query": "请选一个", "thread_id": "t", "stream": False}


def key(of: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {of}"}


def guarded(role: Role | None = None, warehouse: FakeWarehouse | None = None, gate: Gate | None = None) -> Service:
    """A service whose callers have rights."""
    made = fake_service(gate=gate, **({"warehouse": warehouse} if warehouse else {}))
    policy = Policy(roles=(role or Role(name="east", allow=("*",)),))
    made.rights_of = lambda catalog, caller: Rights.of(catalog, policy, caller)
    return made


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer wrong-key-0123456789", f"Basic {ANN}", f"Bearer {ANN}x", f"Bearer {ANN[:-1]}"]
)
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/query", {"query": "各大区"}),
        ("/api/query/t/resume", {"approve": True}),
        ("/api/query/t/cancel", None),
        ("/api/metrics/query", {"metrics": ["销售额"]}),
    ],
)
async def test_without_a_known_key_no_door_opens(header: str, path: str, body: Any) -> None:
    async with door(guarded(), callers=KNOWN) as client:
        reply = await client.post(path, json=body, headers={"Authorization": header} if header else {})
    assert (reply.status_code, reply.json()["code"]) == (401, "not_signed_in")
    assert reply.headers["www-authenticate"] == "Bearer"
    assert ANN not in reply.text


async def test_a_known_key_decides_who_asks_and_the_body_cannot() -> None:
    async with door(guarded(), callers=KNOWN) as client:
        assert (await client.post("/api/query", json={"query": "各大区"}, headers=key(ANN))).status_code == 200
        forged = await client.post("/api/query", json={"query": "各大区", "role": "admin"}, headers=key(ANN))
    assert forged.status_code == 422


def test_two_callers_cannot_have_one_key_and_no_key_is_ever_printed() -> None:
    with pytest.raises(ValueError, match="same key"):
        ServerSettings(callers=(KNOWN[0], KNOWN[0]))
    assert ANN not in repr(ServerSettings(callers=KNOWN))


async def test_nobody_goes_on_with_the_question_of_another_caller() -> None:
    """Q151-idor-source-or-conversation: a foreign conversation is not there, not merely forbidden."""
    async with door(guarded(), callers=KNOWN) as client:
        assert (await client.post("/api/query", json=WAITS, headers=key(ANN))).json()["path"] == "clarify"
        chosen = {"choices": {"苹果": "brand"}, "stream": False}
        foreign = await client.post("/api/query/t/resume", json=chosen, headers=key(BEN))
        never = await client.post("/api/query/none/resume", json=chosen, headers=key(BEN))
        own = await client.post("/api/query/t/resume", json=chosen, headers=key(ANN))
    assert foreign.status_code == never.status_code == 404
    same = [{**reply.json(), "instance": "", "request_id": "", "answer": None} for reply in (foreign, never)]
    assert same[0] == same[1]
    assert "苹果" not in foreign.text
    assert own.status_code == 200


async def test_nobody_stops_or_notices_the_running_question_of_another_caller() -> None:
    """Q151-idor-source-or-conversation and Q206-concurrent-same-thread: one id, two callers, two conversations."""
    warehouse = FakeWarehouse()
    async with door(guarded(warehouse=warehouse), callers=KNOWN) as client:
        slow = {"query": "慢", "thread_id": "t", "stream": False}
        asking = asyncio.create_task(client.post("/api/query", json=slow, headers=key(ANN)))
        await warehouse.busy.wait()
        assert (await client.post("/api/query/t/cancel", headers=key(BEN))).status_code == 404
        own = {"query": "各大区", "thread_id": "t", "stream": False}
        assert (await client.post("/api/query", json=own, headers=key(BEN))).status_code == 200
        again = await client.post("/api/query", json=own, headers=key(ANN))
        assert (again.status_code, again.json()["code"]) == (409, "thread_busy")
        assert (await client.post("/api/query/t/cancel", headers=key(ANN))).status_code == 204
        assert (await asking).json()["code"] == "cancelled"


async def test_a_conversation_is_not_taken_along_into_another_role_or_a_changed_one() -> None:
    service = guarded()
    caller = Caller(name="ann", role="east")
    await _end(service.ask("请选一个", caller=caller, thread_id="t"))
    for other in (Caller(name="ann", role="east", attributes={"region": "华北"}), Caller(name="bob", role="east")):
        assert (await _end(service.resume("t", {"苹果": "brand"}, caller=other))).code == "nothing_waits"
    narrower = guarded(Role(name="east", allow=("*",), deny=("orders",)))
    narrower.graph = service.graph
    assert (await _end(narrower.resume("t", {"苹果": "brand"}, caller=caller))).code == "nothing_waits"
    assert (await _end(service.resume("t", {"苹果": "brand"}, caller=caller))).type == "result"


def test_the_name_a_thread_is_kept_under_cannot_be_spelled_by_a_caller() -> None:
    names = {kept_as("t", each) for each in (Caller(), Caller(name="ann"), Caller(role="x"), Caller(name="ann/t"))}
    assert len(names) == 4
    assert all("/" in name for name in names - {"t"})


async def test_one_caller_who_takes_all_its_places_leaves_the_others_theirs() -> None:
    warehouse = FakeWarehouse()
    gate = Gate(most=4, most_per_caller=1, queue=0)
    async with door(guarded(warehouse=warehouse, gate=gate), callers=KNOWN) as client:
        asking = asyncio.create_task(
            client.post("/api/query", json={"query": "慢", "thread_id": "t", "stream": False}, headers=key(ANN))
        )
        await warehouse.busy.wait()
        second = await client.post("/api/query", json={"query": "各大区", "stream": False}, headers=key(ANN))
        other = await client.post("/api/query", json={"query": "各大区", "stream": False}, headers=key(BEN))
        await client.post("/api/query/t/cancel", headers=key(ANN))
        await asking
        freed = await client.post("/api/query", json={"query": "各大区", "stream": False}, headers=key(ANN))
    assert (second.status_code, second.headers["retry-after"]) == (429, "1")
    assert (other.status_code, freed.status_code) == (200, 200)


@pytest.mark.parametrize(("held", "waiting", "most", "expected"), [(1, 0, 4, 1), (10, 3, 2, 20), (100, 9, 1, 60)])
def test_when_to_come_back_follows_from_how_long_places_are_held_and_who_is_ahead(
    held: float, waiting: int, most: int, expected: int
) -> None:
    gate = Gate(most=most, most_per_caller=99)
    gate._held = held
    loop = asyncio.new_event_loop()
    gate._waiting = {loop.create_future(): f"caller {number}" for number in range(waiting)}
    assert gate.retry_after("me") == expected
    loop.close()


async def test_a_slow_service_says_to_stay_away_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 100.0])
    monkeypatch.setattr("api.gate.monotonic", lambda: next(clock))
    gate = Gate(most=1)
    async with gate.place("a"):
        pass
    assert gate.retry_after("b") == 21


async def _end(events: Any) -> Any:
    return [event async for event in events][-2]
