"""Is it alive, is it ready, what does it say on the wire."""

from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel

from api.dependencies import TheServer, TheService
from api.health import Readiness, all_ready
from data_agent.events import schemas

router = APIRouter(tags=["system"])


class Alive(BaseModel):
    """The process answers."""

    status: str = "ok"


@router.get("/api/health")
async def health() -> Alive:
    """Live: the process answers. Says nothing about what lies behind it."""
    return Alive()


@router.get("/api/ready", responses={503: {"model": Readiness, "description": "a component is down"}})
async def ready(service: TheService, response: Response) -> Readiness:
    """Ready: each component with its state, its latency and what mends it."""
    found = await all_ready(service.outsides)
    response.status_code = 200 if found.ready else 503
    return found


@router.get("/api/warehouses")
async def warehouses(service: TheService) -> tuple[str, ...]:
    """The warehouses a question may be asked of (`warehouse` in `POST /api/query`); the first is the default."""
    return service.names


@router.get("/api/events")
async def events() -> dict[str, dict[str, Any]]:
    """The JSON schema of every event, by its type."""
    return schemas()


@router.get("/api/examples")
async def examples(server: TheServer) -> tuple[str, ...]:
    """Questions to begin with, as set under `server.examples`."""
    return server.examples
