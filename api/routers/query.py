"""Ask a question: as Server-Sent Events, or as one JSON object."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import ConfigDict, Field
from starlette.responses import Response

from api.dependencies import TheCaller, TheServer, TheService
from api.presence import while_present
from api.problems import MEDIA_TYPE, problem_of
from api.quality import QualityMode
from api.questions import WholeText
from api.settings import ServerSettings
from api.sse import EventStream
from data_agent.domain.answer import Answer
from data_agent.events import Event, Failed, Result

router = APIRouter(tags=["query"])


class Question(WholeText):
    """What to ask."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"query": "2025年第一季度各大区的销售额", "stream": False}]}
    )

    query: Annotated[str, Field(description="The question, in Chinese or English.")]
    thread_id: Annotated[str | None, Field(description="Continue this conversation.")] = None
    quality_mode: Annotated[QualityMode, Field(description="Which models play which role.")] = "balanced"
    stream: Annotated[bool | None, Field(description="false: one JSON object instead of events.")] = None
    warehouse: Annotated[str | None, Field(description="Ask this warehouse, where there are several.")] = None
    choices: Annotated[
        dict[str, str], Field(description="What ambiguous words mean: words → id of an offered choice.")
    ] = Field(default_factory=dict)


class Reply(WholeText):
    """What a person chose, for a question that waits for it."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"choices": {"苹果": "column:products.brand=苹果"}}]}
    )

    choices: Annotated[dict[str, str], Field(description="Words → id of an offered choice.")] = Field(
        default_factory=dict
    )
    approve: Annotated[bool | None, Field(description="Whether what waits for approval may run.")] = None
    quality_mode: Annotated[QualityMode, Field(description="Which models play which role.")] = "balanced"
    stream: Annotated[bool | None, Field(description="false: one JSON object instead of events.")] = None


RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string", "description": "see GET /api/events"}}}},
    **{
        status: {"description": text, "content": {MEDIA_TYPE: {}}}
        for status, text in {
            401: "no known key",
            403: "refused",
            404: "nothing of this caller's waits or runs in this thread",
            409: "the thread's previous question is still running",
            413: "too long",
            422: "cannot be read or answered",
            429: "too many questions at once",
            503: "a component is down",
            504: "took too long",
        }.items()
    },
}


@router.post("/api/query", response_model=Answer, responses=RESPONSES)
async def query(
    question: Question, request: Request, service: TheService, server: TheServer, caller: TheCaller
) -> Response:
    """Answer a question. What fails before the first step is an HTTP status; later it is an `error` event."""
    events = service.ask(
        question.query,
        caller=caller,
        thread_id=question.thread_id,
        quality_mode=question.quality_mode,
        choices=question.choices,
        warehouse=question.warehouse,
    )
    return await told(events, question.stream, request, server)


@router.post("/api/query/{thread_id}/resume", response_model=Answer, responses=RESPONSES)
async def resume(
    thread_id: str, reply: Reply, *, request: Request, service: TheService, server: TheServer, caller: TheCaller
) -> Response:
    """Go on with a question that stopped to ask (`human_review_request`); a choice is remembered for its thread."""
    events = service.resume(
        thread_id, reply.choices, approve=reply.approve, caller=caller, quality_mode=reply.quality_mode
    )
    return await told(events, reply.stream, request, server)


@router.post("/api/query/{thread_id}/cancel", status_code=204, responses={404: RESPONSES[404]})
async def cancel(thread_id: str, service: TheService, caller: TheCaller) -> None:
    """Stop the running question of a thread; its statement is stopped in the database too."""
    await service.cancel(thread_id, caller=caller)


async def told(
    events: AsyncGenerator[Event, None], stream: bool | None, request: Request, server: ServerSettings
) -> Response:
    """The events as a stream, or their end as one object, as the client wants it."""
    if not _wants_stream(stream, request):
        return await _whole(events, request)
    first = await while_present(request.receive, _first(events))
    if first is None:
        await events.aclose()
        return Response(status_code=499)
    if isinstance(first, Failed):
        await events.aclose()
        return problem_of(request, first)
    return EventStream(_from(first, events), server.heartbeat_seconds)


def _wants_stream(stream: bool | None, request: Request) -> bool:
    if stream is not None:
        return stream
    return "application/json" not in request.headers.get("accept", "")


async def _first(events: AsyncGenerator[Event, None]) -> Event:
    """The first event; until then the question may wait for its turn."""
    return await anext(events)


async def _from(first: Event, events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
    async with aclosing(events):
        yield first
        async for event in events:
            yield event


async def _whole(events: AsyncGenerator[Event, None], request: Request) -> Response:
    """Wait for the end; a client that leaves meanwhile stops the question."""
    end = await while_present(request.receive, _end(events))
    match end:
        case Failed():
            return problem_of(request, end)
        case Result():
            return Response(end.answer.model_dump_json(), media_type="application/json")
    return Response(status_code=499)


async def _end(events: AsyncGenerator[Event, None]) -> Result | Failed | None:
    async with aclosing(events):
        async for event in events:
            if isinstance(event, Result | Failed):
                return event
    return None
