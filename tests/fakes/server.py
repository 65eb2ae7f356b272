"""The real HTTP door over fakes, as a process: `python -m tests.fakes.server FOLDER PORT`."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import uvicorn

from api.app import create_app
from api.service import Service
from api.settings import ServerSettings
from api.threads import SqliteThreads
from tests.fakes.graph import FakeWarehouse, fake_service


def run(folder: Path, port: int) -> None:
    """Serve; `/fake` tells what the warehouse is doing."""
    warehouse = FakeWarehouse()

    @asynccontextmanager
    async def opening() -> AsyncIterator[Service]:
        service = fake_service(warehouse=warehouse, threads=await SqliteThreads.open(folder / "threads.sqlite"))
        try:
            yield service
        finally:
            await service.close()

    examples = ("2025年第一季度各大区的销售额", "monthly revenue in 2025")
    app = create_app(opening, ServerSettings(heartbeat_seconds=0.2, examples=examples))

    @app.get("/fake")
    async def fake() -> dict[str, int]:
        return {"running": warehouse.running, "stopped": warehouse.stopped, "rss": psutil.Process().memory_info().rss}

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=5)


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]))
