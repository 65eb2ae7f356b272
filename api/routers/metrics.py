"""Ask without words: a reading, or the names that spell one, straight to composed SQL and rows."""

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import ConfigDict, Field
from starlette.responses import Response

from api.dependencies import TheCaller, TheServer, TheService
from api.questions import WholeText
from api.routers.query import RESPONSES, told
from data_agent.domain.answer import Answer
from data_agent.domain.reading import Reading
from data_agent.reading.named import Named

router = APIRouter(tags=["metrics"])


class MetricsQuery(WholeText, Named):
    """Names (`metrics`, `by`, `where`, `time`, `order`, `limit`), a whole `reading` as answers carry it, or both."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"metrics": ["销售额"], "by": ["大区", "month"], "time": "2025-Q1"}]}
    )

    reading: Annotated[
        Reading | None, Field(description="A reading; names beside it add to it, a time or limit replaces its own.")
    ] = None
    warehouse: Annotated[str | None, Field(description="Measure in this warehouse, where there are several.")] = None
    thread_id: Annotated[str | None, Field(description="What it can be stopped by; nothing is kept.")] = None
    stream: Annotated[bool, Field(description="true: events instead of one JSON object.")] = False


@router.post("/api/metrics/query", response_model=Answer, responses=RESPONSES)
async def query(
    asked: MetricsQuery, request: Request, service: TheService, server: TheServer, caller: TheCaller
) -> Response:
    """Compose, prove and run it, under the same rights and limits as a question; no model is asked."""
    events = service.measure(
        asked.reading or asked,
        more=asked if asked.reading else None,
        caller=caller,
        warehouse=asked.warehouse,
        thread_id=asked.thread_id,
    )
    return await told(events, asked.stream, request, server)


@router.get("/api/metrics/schema")
async def schema() -> dict[str, Any]:
    """The JSON schema of what `POST /api/metrics/query` takes."""
    return MetricsQuery.model_json_schema()
