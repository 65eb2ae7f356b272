"""What index runs have in common: one at a time, wherever the stores are, and what past ones took."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from pydantic import ValidationError

from api.settings import StoreSettings
from data_agent.indexing.index import IndexReport
from data_agent.indexing.plan import Rates

WAIT_SECONDS = 5.0
ENOUGH_SECONDS = 0.5
"""A part that took less says nothing about its rate."""


@asynccontextmanager
async def one_at_a_time(settings: StoreSettings, seconds: float = WAIT_SECONDS) -> AsyncIterator[None]:
    """Keep every other index run out of these stores: of this folder, and of the metadata server when one is set.

    Raises:
        Busy: another run holds them, and still did after `seconds`; it is named.
        StoreUnavailable: the folder or the server cannot be used.
    """
    from repositories.embedded.lock import FolderLock

    async with AsyncExitStack() as held:
        await held.enter_async_context(FolderLock(settings.path, seconds))
        if settings.metadata_url:
            from repositories.sql.lock import ServerLock

            url = settings.metadata_url.get_secret_value()
            await held.enter_async_context(ServerLock(url, settings.name, seconds))
        yield


def rates_of(folder: Path) -> Rates:
    """What past runs over these stores did in a second."""
    try:
        return Rates.model_validate_json((folder / "rates.json").read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return Rates()


def remember_rates(folder: Path, report: IndexReport) -> None:
    """Note what this run did in a second, for those parts that did enough."""
    embed, values = report.spent.get("embed", 0.0), report.spent.get("values", 0.0)
    found = rates_of(folder).model_dump()
    if report.embedded and embed > ENOUGH_SECONDS:
        found["texts"] = round(report.embedded / embed, 1)
    if report.read and values > ENOUGH_SECONDS:
        found["values"] = round(report.read / values, 1)
        found["columns"] = round(len(report.plan.value_columns) / values, 3)
    (folder / "rates.json").write_text(Rates(**found).model_dump_json(), encoding="utf-8")
