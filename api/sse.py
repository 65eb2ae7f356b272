"""Server-Sent Events: one JSON line per event, a heartbeat, and an end as soon as the client is gone."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from itertools import count

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from api.presence import while_present
from data_agent.events import Event

HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache",
    "X-Accel-Buffering": "no",  # a proxy in front must not collect events
}
HEARTBEAT = b": still here\n\n"
# some clients split lines where Unicode does; JSON may write these as escapes
_LINE_ENDS = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"})


def encoded(event: Event, number: int) -> bytes:
    """One event on the wire: its type, its number, its JSON in a single data line."""
    data = event.model_dump_json().translate(_LINE_ENDS)
    return f"event: {event.type}\nid: {number}\ndata: {data}\n\n".encode()


class EventStream(StreamingResponse):
    """Sends events until they end or the client leaves; either way the events are closed before it returns."""

    def __init__(self, events: AsyncGenerator[Event, None], heartbeat_seconds: float) -> None:
        self._wire = _on_the_wire(events)
        super().__init__(self._wire, headers=HEADERS)
        self._heartbeat_seconds = heartbeat_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  an ASGI signature
        """Send, beat and listen for the client's leaving at the same time."""
        beating = asyncio.create_task(self._beat(send))
        try:
            await while_present(receive, self._send_all(send))
        finally:
            beating.cancel()

    async def _send_all(self, send: Send) -> None:
        async with aclosing(self._wire):
            await self.stream_response(send)

    async def _beat(self, send: Send) -> None:
        while True:
            await asyncio.sleep(self._heartbeat_seconds)
            await send({"type": "http.response.body", "body": HEARTBEAT, "more_body": True})


async def _on_the_wire(events: AsyncGenerator[Event, None]) -> AsyncGenerator[bytes, None]:
    numbers = count(1)
    async with aclosing(events):
        async for event in events:
            yield encoded(event, next(numbers))
