"""The HTTP door: routes, limits and headers around one service."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from starlette.middleware.cors import CORSMiddleware

from api.edges import Edges
from api.problems import add_problem_handlers
from api.routers import metrics, pages, query, system
from api.service import Service
from api.settings import ServerSettings
from api.several import Several

Opening = Callable[[], AbstractAsyncContextManager[Service | Several]]


def create_app(opening: Opening, server: ServerSettings) -> FastAPI:
    """The application; `opening` opens the service when the server starts and closes it when it stops."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with opening() as service:
            app.state.service = service
            await service.warm()
            yield

    app = FastAPI(
        title="data-agent",
        summary="Ask your database in Chinese or English.",
        version="0.1.0",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.server = server
    for router in (query.router, metrics.router, system.router, pages.router):
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")
    add_problem_handlers(app)
    if server.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(server.cors_origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type", "X-Request-ID"],
        )
    app.add_middleware(Edges, max_body_bytes=server.max_body_bytes)
    return app
