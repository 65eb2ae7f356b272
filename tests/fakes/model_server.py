"""An OpenAI-compatible server on loopback that answers from a script and remembers what it was asked."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Scripted:
    """One scripted answer: pieces of text streamed, or an error status; `finish=None` drops the connection."""

    text: str = ""
    pieces: Sequence[str] = ()
    status: int = 200
    error: str = ""
    finish: str | None = "stop"
    tool_args: dict[str, Any] | None = None
    error_after: str = ""
    delay: float = 0.0


@dataclass
class ModelServer:
    """What was asked, and what will be said."""

    script: list[Scripted]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            lines = dict(line.split(": ", 1) for line in head.lower().splitlines()[1:] if ": " in line)
            body = json.loads(await reader.readexactly(int(lines["content-length"])))
            self.requests.append(body)
            await self._reply(writer, self.script.pop(0) if len(self.script) > 1 else self.script[0])
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _reply(self, writer: asyncio.StreamWriter, scripted: Scripted) -> None:
        await asyncio.sleep(scripted.delay)
        if scripted.status != 200:
            body = json.dumps({"error": {"message": scripted.error, "type": "x", "code": "x"}}).encode()
            writer.write(f"HTTP/1.1 {scripted.status} X\r\ncontent-type: application/json\r\n".encode())
            writer.write(f"content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body)
            await writer.drain()
            return
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
        for event in _events(scripted):
            writer.write(f"data: {event}\n\n".encode())
        await writer.drain()


def _events(scripted: Scripted) -> list[str]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return json.dumps(
            {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        )

    events = [chunk({"role": "assistant", "content": piece}) for piece in scripted.pieces or [scripted.text]]
    if scripted.tool_args is not None:
        call = {"index": 0, "id": "c", "type": "function"}
        call["function"] = {"name": "Schema", "arguments": json.dumps(scripted.tool_args)}
        events.append(chunk({"tool_calls": [call]}))
    if scripted.error_after:
        return [*events, json.dumps({"error": {"message": scripted.error_after, "code": "content_blocked"}})]
    if scripted.finish is None:
        return events
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    last = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [], "usage": usage}
    return [*events, chunk({}, scripted.finish), json.dumps(last), "[DONE]"]


@asynccontextmanager
async def model_server(*script: Scripted) -> AsyncIterator[ModelServer]:
    """Serve the script; the last answer repeats."""
    told = ModelServer(list(script))
    server = await asyncio.start_server(told.serve, "127.0.0.1", 0)
    told.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield told
    finally:
        server.close()
        await server.wait_closed()
