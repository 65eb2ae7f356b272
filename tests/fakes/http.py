"""A small HTTP server on loopback that answers what it was told, by method and path, and remembers what was asked."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One answer; `delay` in seconds."""

    status: int = 200
    body: Any = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0


Replies = Reply | Callable[[dict[str, Any]], Reply]


@dataclass
class HttpServer:
    """Answers `special` by `METHOD /path`, everything else with `otherwise`, which may look at the JSON asked."""

    otherwise: Replies
    special: Mapping[str, Reply] = field(default_factory=dict)
    url: str = ""
    asked: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection's requests."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                told = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
                body = await reader.readexactly(int(told.get("content-length", "0")))
                method, path, _ = head[0].split(" ")
                self.asked.append(f"{method} {path}")
                self.headers.append(told)
                await self._answer(writer, self._reply(f"{method} {path.partition('?')[0]}", body))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _reply(self, asked: str, body: bytes) -> Reply:
        if asked in self.special:
            return self.special[asked]
        return self.otherwise if isinstance(self.otherwise, Reply) else self.otherwise(json.loads(body or b"{}"))

    async def _answer(self, writer: asyncio.StreamWriter, reply: Reply) -> None:
        await asyncio.sleep(reply.delay)
        body = json.dumps(reply.body).encode()
        lines = {"content-type": "application/json", "content-length": str(len(body)), **reply.headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        writer.write(f"HTTP/1.1 {reply.status} X\r\n{head}\r\n".encode() + body)
        await writer.drain()


@asynccontextmanager
async def http_server(otherwise: Replies, special: Mapping[str, Reply] | None = None) -> AsyncIterator[HttpServer]:
    """Serve on a free port."""
    told = HttpServer(otherwise, special or {})
    server = await asyncio.start_server(told.serve, "127.0.0.1", 0)
    told.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield told
    finally:
        server.close()
