"""The HTTP door: streams, JSON, problems, limits and headers."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import jsonschema
import pytest

from api.app import create_app
from api.gate import Gate
from api.routers.pages import STATIC
from api.service import Service
from api.settings import ServerSettings
from api.sse import encoded
from data_agent.domain.answer import Answer
from data_agent.events import EVENT, Reasoning, schemas
from data_agent.options import Options
from tests.fakes.graph import ROWS, SQL, FakeWarehouse, fake_service


@asynccontextmanager
async def door(service: Service | None = None, **server: Any) -> AsyncIterator[httpx.AsyncClient]:
    @asynccontextmanager
    async def opening() -> AsyncIterator[Service]:
        yield service or fake_service()

    app = create_app(opening, ServerSettings(**server))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://door") as client:
            yield client


def frames(text: str) -> list[tuple[str, int, Any]]:
    """Parse the stream as the standard says: events end at an empty line, lines at LF."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if fields:
            found.append((fields["event"], int(fields["id"]), json.loads(fields["data"])))
    return found


async def test_a_question_is_answered_as_a_stream_of_known_events() -> None:
    async with door() as client:
        reply = await client.post("/api/query", json={"query": "各大区的销售额"})
    events = frames(reply.text)
    assert [number for _, number, _ in events] == list(range(1, len(events) + 1))
    assert [name for name, _, _ in events][-2:] == ["result", "done"]
    for name, _, data in events:
        jsonschema.validate(data, schemas()[name])
        assert EVENT.validate_python(data).type == name


async def test_a_stream_is_neither_cached_nor_collected_nor_squeezed_on_the_way() -> None:
    """The case q028."""
    async with door() as client:
        reply = await client.post("/api/query", json={"query": "各大区"}, headers={"Accept-Encoding": "gzip, br"})
    assert reply.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert reply.headers["cache-control"] == "no-cache"
    assert reply.headers["x-accel-buffering"] == "no"
    assert "content-encoding" not in reply.headers
    assert "content-length" not in reply.headers


async def test_what_the_warehouse_holds_arrives_unchanged() -> None:
    async with door() as client:
        reply = await client.post("/api/query", json={"query": "各大区"})
    answer = next(data["answer"] for name, _, data in frames(reply.text) if name == "result")
    assert answer["sql"] == SQL
    assert [tuple(row) for row in answer["rows"]] == list(ROWS)


def test_no_client_can_split_an_event_at_a_unicode_line_end() -> None:
    """The case q274."""
    body = encoded(Reasoning(text="a\u2028b\u2029c\x85d\r\ne"), 1).decode()
    assert len(body.splitlines()) == 4
    assert json.loads(body.splitlines()[2].removeprefix("data: "))["text"] == "a\u2028b\u2029c\x85d\r\ne"


@pytest.mark.parametrize(
    "how",
    [
        {"json": {"query": "各大区", "stream": False}},
        {"json": {"query": "各大区"}, "headers": {"Accept": "application/json"}},
    ],
)
async def test_a_client_may_have_one_json_object_instead(how: dict[str, Any]) -> None:
    async with door() as client:
        reply = await client.post("/api/query", **how)
    assert reply.headers["content-type"] == "application/json"
    assert Answer.model_validate_json(reply.content).row_count == 3


JSON = {"Content-Type": "application/json"}
PROBLEMS: list[tuple[dict[str, Any], int, str]] = [
    ({"json": {"query": ""}}, 422, "empty_question"),
    ({"json": {"query": "x" * 100_000}}, 413, "question_too_long"),
    ({"json": {"query": "x" * 300_000}}, 413, "request_too_large"),
    ({"json": {}}, 422, "invalid_request"),
    ({"json": {"query": "各大区", "quality_mode": "best"}}, 422, "invalid_request"),
    ({"json": {"query": "各大区", "qurey": 1}}, 422, "invalid_request"),
    ({"json": {"query": "各大区", "thread_id": "../x"}}, 422, "invalid_input"),
    ({"content": b'{"query": "x", "thread_id": "\\ud800"}', "headers": JSON}, 422, "invalid_input"),
    ({"content": b'{"query": "x", "warehouse": "\\ud800"}', "headers": JSON}, 422, "invalid_input"),
    ({"content": b'{"query": "x", "choices": {"\\ud800": 1}}', "headers": JSON}, 422, "invalid_request"),
    ({"content": b'{"x":' * 500 + b"1" + b"}" * 500, "headers": JSON}, 422, "invalid_request"),
    ({"content": b"{not json", "headers": {"Content-Type": "application/json"}}, 422, "invalid_request"),
    ({"content": b'{"query": "x"}', "headers": {"Content-Type": "text/plain"}}, 422, "invalid_request"),
    ({"json": {"query": "出错", "stream": False}}, 422, "statement_failed"),
    ({"json": {"query": "断线", "stream": False}}, 503, "warehouse_unavailable"),
    ({"json": {"query": "崩溃", "stream": False}}, 500, "internal"),
]


@pytest.mark.parametrize(("how", "status", "code"), PROBLEMS)
async def test_what_cannot_be_answered_is_a_problem_document(how: dict[str, Any], status: int, code: str) -> None:
    async with door() as client:
        reply = await client.post("/api/query", **how)
    body = reply.json()
    assert (reply.status_code, reply.headers["content-type"], body["code"]) == (
        status,
        "application/problem+json",
        code,
    )
    assert body["status"] == status
    assert body["request_id"] == reply.headers["x-request-id"]
    assert "hush" not in reply.text


async def test_a_body_that_hides_its_length_is_cut_off_too() -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield b'{"query": "'
        for _ in range(100):
            yield b"x" * 10_000

    async with door() as client:
        reply = await client.post("/api/query", content=endless(), headers={"Content-Type": "application/json"})
    assert (reply.status_code, reply.json()["code"]) == (413, "request_too_large")


async def test_a_failure_after_the_first_event_ends_the_stream_with_error_and_done() -> None:
    """The case q105."""
    async with door() as client:
        reply = await client.post("/api/query", json={"query": "崩溃"})
    events = frames(reply.text)
    assert reply.status_code == 200
    assert [name for name, _, _ in events][-2:] == ["error", "done"]
    error = events[-2][2]
    assert (error["code"], error["step"]) == ("internal", "execute_sql")
    assert "hush" not in reply.text


async def test_too_many_questions_say_when_to_come_back() -> None:
    async with door(fake_service(gate=Gate(most=0, queue=0))) as client:
        reply = await client.post("/api/query", json={"query": "各大区"})
    assert (reply.status_code, reply.headers["retry-after"]) == (429, "1")


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/api/query", 405), ("GET", "/nowhere", 404), ("GET", "/static/../x", 404)]
)
async def test_a_wrong_address_is_a_problem_document_too(method: str, path: str, status: int) -> None:
    async with door() as client:
        reply = await client.request(method, path)
    assert (reply.status_code, reply.headers["content-type"]) == (status, "application/problem+json")


async def test_every_response_is_safe_for_a_browser_and_has_a_request_id() -> None:
    async with door() as client:
        for path in ("/", "/docs", "/api/health", "/nowhere"):
            reply = await client.get(path, headers={"X-Request-ID": "abc-1"})
            assert reply.headers["x-request-id"] == "abc-1"
            assert "default-src 'none'" in reply.headers["content-security-policy"]
            assert reply.headers["x-content-type-options"] == "nosniff"
        forged = await client.get("/api/health", headers={"X-Request-ID": "a b"})
        assert forged.headers["x-request-id"] not in {"", "a b"}


async def test_other_origins_are_closed_out_unless_they_are_named() -> None:
    """The case q243."""
    preflight = {"Origin": "https://bi.example.com", "Access-Control-Request-Method": "POST"}
    async with door() as client:
        assert "access-control-allow-origin" not in (await client.options("/api/query", headers=preflight)).headers
    async with door(cors_origins=("https://bi.example.com",)) as client:
        headers = (await client.options("/api/query", headers=preflight)).headers
        assert headers["access-control-allow-origin"] == "https://bi.example.com"
        assert "access-control-allow-credentials" not in headers
        other = await client.options("/api/query", headers={**preflight, "Origin": "https://evil.example.com"})
        assert "access-control-allow-origin" not in other.headers


async def test_ready_names_each_component_with_its_state_and_mend() -> None:
    async with door() as client:
        good = await client.get("/api/ready")
    async with door(fake_service(warehouse=FakeWarehouse(down=True))) as client:
        bad = await client.get("/api/ready")
        assert (await client.get("/api/health")).json() == {"status": "ok"}
    states = {part["name"]: part for part in good.json()["components"]}
    assert good.status_code == 200
    assert {name: part["state"] for name, part in states.items()} == {
        "warehouse": "ok",
        "account": "ok",
        "metadata": "ok",
        "column_index": "ok",
        "metric_index": "ok",
        "value_index": "ok",
        "embedder": "ok",
        "threads": "ok",
        "llm": "off",
    }
    assert bad.status_code == 503
    assert {part["name"]: part["mend"] for part in bad.json()["components"]}["warehouse"] == "start the server"


async def test_a_component_that_hangs_does_not_hang_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hanging(FakeWarehouse):
        async def version(self) -> str:
            await self.busy.wait()
            return ""

    monkeypatch.setattr("api.health.CHECK_SECONDS", 0.05)
    async with door(fake_service(warehouse=Hanging())) as client:
        reply = await client.get("/api/ready")
    assert reply.status_code == 503
    assert "no answer within" in reply.json()["components"][0]["detail"]


async def test_the_schemas_of_all_events_are_published() -> None:
    async with door() as client:
        published = (await client.get("/api/events")).json()
    assert set(published) == {
        "progress",
        "intent_classified",
        "path_decision",
        "node_start",
        "reasoning",
        "tool_call_start",
        "tool_call_end",
        "llm_token",
        "human_review_request",
        "warning",
        "result",
        "error",
        "done",
    }


async def test_openapi_describes_the_door() -> None:
    async with door() as client:
        described = (await client.get("/openapi.json")).json()
    assert set(described["paths"]) == {
        "/api/query",
        "/api/query/{thread_id}/resume",
        "/api/query/{thread_id}/cancel",
        "/api/metrics/query",
        "/api/metrics/schema",
        "/api/health",
        "/api/ready",
        "/api/events",
        "/api/examples",
        "/api/warehouses",
    }
    assert "text/event-stream" in described["paths"]["/api/query"]["post"]["responses"]["200"]["content"]


def test_the_page_asks_no_other_host_for_anything() -> None:
    for file in STATIC.rglob("*"):
        if file.suffix in {".html", ".js", ".css"}:
            text = file.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
            assert "http://" not in text, file
            assert "https://" not in text, file


async def test_a_question_that_takes_too_long_is_a_gateway_timeout() -> None:
    async with door(fake_service(Options(total_seconds=0.1))) as client:
        reply = await client.post("/api/query", json={"query": "慢", "stream": False})
    assert (reply.status_code, reply.json()["code"]) == (504, "question_timeout")
