"""The page, and the description of the API; nothing in them comes from another host."""

from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse

STATIC = Path(__file__).parent.parent / "static"
router = APIRouter(include_in_schema=False)


@router.get("/")
async def index() -> FileResponse:
    """The page."""
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})


@router.get("/docs")
async def docs() -> FileResponse:
    """The API, readable."""
    return FileResponse(STATIC / "docs.html", headers={"Cache-Control": "no-cache"})
