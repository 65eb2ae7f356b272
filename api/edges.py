"""What every request passes on its way in and out: a request id, and headers that keep a browser safe."""

import logging
import re
from contextvars import ContextVar
from time import perf_counter
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import CODES, problem

log = logging.getLogger(__name__)
request_id: ContextVar[str] = ContextVar("request_id", default="")

_ACCEPTABLE = re.compile(r"[A-Za-z0-9._-]{1,64}")
SAFE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Edges:
    """An ASGI layer that marks each request and its response. It never touches a body, so streams stay streams."""

    def __init__(self, app: ASGIApp, max_body_bytes: int) -> None:
        self._app = app
        self._max_body_bytes = max_body_bytes
        self._complaint = f"the request is larger than {max_body_bytes} bytes · 请求过大"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its id; log how it ended, never what it said."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        number = given if _ACCEPTABLE.fullmatch(given) else uuid4().hex
        scope.setdefault("state", {})["request_id"] = number
        token, start, status = request_id.set(number), perf_counter(), 0

        async def marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = number
                for name, value in SAFE_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await (self._too_large if self._declares_too_much(scope) else self._app)(
                scope, self._limited(receive), marked
            )
        finally:
            request_id.reset(token)
            ms = (perf_counter() - start) * 1000
            log.info("%s %s %s %.1f ms %s", scope["method"], scope["path"], status, ms, number)

    def _declares_too_much(self, scope: Scope) -> bool:
        length = Headers(scope=scope).get("content-length", "")
        return length.isdigit() and int(length) > self._max_body_bytes

    def _limited(self, receive: Receive) -> Receive:
        """Count what arrives: a body may come without saying its length."""
        total = 0

        async def counted() -> Message:
            nonlocal total
            message = await receive()
            total += len(message.get("body", b""))
            if total > self._max_body_bytes:
                raise HTTPException(413, self._complaint)
            return message

        return counted

    async def _too_large(self, scope: Scope, receive: Receive, send: Send) -> None:
        await problem(Request(scope), 413, CODES[413], self._complaint)(scope, receive, send)
