"""Every error of the HTTP door as `application/problem+json` (RFC 9457)."""

import json
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from data_agent.errors import DataAgentError
from data_agent.events import Failed

MEDIA_TYPE = "application/problem+json"
CODES = {401: "not_signed_in", 404: "not_found", 405: "method_not_allowed", 413: "request_too_large"}


def problem(request: Request, status: int, code: str, detail: str, *, hint: str = "", **more: Any) -> Response:
    """A problem document; `more` are members of its own (`errors`, `answer`)."""
    body = {
        "type": f"urn:data-agent:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "hint": hint,
        "instance": request.url.path,
        "request_id": getattr(request.state, "request_id", ""),
        **more,
    }
    return Response(json.dumps(body, ensure_ascii=False), status, media_type=MEDIA_TYPE)


def problem_of(request: Request, failed: Failed) -> Response:
    """A failed question as a problem, with what was found until then."""
    answer = failed.answer.model_dump(mode="json") if failed.answer else None
    response = problem(
        request, failed.status, failed.code, failed.message, hint=failed.hint, step=failed.step, answer=answer
    )
    if failed.retry_after is not None:
        response.headers["Retry-After"] = str(failed.retry_after)
    return response


def add_problem_handlers(app: FastAPI) -> None:
    """Answer every kind of error in the same form."""
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(DataAgentError, _ours)
    app.add_exception_handler(Exception, _unexpected)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  the handler is registered for this class only
    phrase = HTTPStatus(error.status_code).phrase
    code = CODES.get(error.status_code, "http_error")
    detail = error.detail if error.detail != phrase else f"{phrase}: {request.method} {request.url.path}"
    response = problem(request, error.status_code, code, detail)
    response.headers.update(error.headers or {})
    return response


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    errors = [{"field": ".".join(map(str, one["loc"][1:])), "message": one["msg"]} for one in error.errors()]
    detail = "; ".join(f"{one['field'] or 'body'}: {one['message']}" for one in errors)
    return problem(request, 422, "invalid_request", detail, hint="see /docs · 参见 /docs", errors=errors)


async def _ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, DataAgentError)  # noqa: S101
    return problem(request, error.status, error.code, error.message, hint=error.hint)


async def _unexpected(request: Request, error: Exception) -> Response:
    return problem(request, 500, "internal", f"something unexpected went wrong ({type(error).__name__})")
