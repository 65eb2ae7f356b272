"""The only place where the agent and the outside world meet: settings in, a service out."""

import gc
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from api.clock import HeldClock, SystemClock
from api.direct import go_direct_to_this_machine
from api.index_runs import WAIT_SECONDS, one_at_a_time, remember_rates
from api.outside import Outside
from api.policies import Policies, no_policy
from api.running import UnderWay
from api.settings import LlmSettings, Settings
from api.stores import StoreFiles, Stores, open_embedder
from api.threads import SqliteThreads
from api.warehouse_settings import WarehouseSettings
from data_agent.domain.catalog import Catalog
from data_agent.indexing.index import IndexReport, Progress, index, unheard
from data_agent.indexing.plan import IndexPlan, survey
from data_agent.ports.clock import Clock
from data_agent.ports.llm import Llm
from data_agent.ports.warehouse import Warehouse
from data_agent.reading.lexicon import Lexicon
from repositories.shared_embedder import SharedEmbedder

if TYPE_CHECKING:
    from api.service import Service

LEXICONS_KEPT = 16


@asynccontextmanager
async def bootstrap(settings: Settings, **parts: Any) -> AsyncIterator["Service"]:
    """A service with everything open; closing it stops what runs. Any port can be given in `parts` instead.

    Raises:
        StoreUnavailable: the folder of the stores cannot be used.
        InvalidSettings: the policy file has mistakes.
    """
    from api.service import Service  # an index run needs no graph
    from data_agent.graphs.assistant import build

    gc.set_threshold(50_000, 20, 50)  # a question makes many small things and no cycles: collect less often

    rights_of = Policies.load(settings.policy, settings.catalog) if settings.policy else no_policy

    under_way = parts.pop("under_way", None) or UnderWay(settings.server.gate())
    outside = await open_outside(settings, **parts)
    service = Service(
        outside=outside,
        graph=build(outside.threads.saver),
        lexicon_of=remembering(Lexicon.of),
        rights_of=rights_of,
        options=settings.workflow,
        under_way=under_way,
    )
    try:
        yield service
    finally:
        await service.close()


async def open_outside(settings: Settings, **parts: Any) -> Outside:
    """Make every port that is not given; servers are first contacted when they are needed."""
    go_direct_to_this_machine(os.environ)
    given = parts.pop("embedder", None)
    embedder = given or open_embedder(settings.embedder)
    stores = Stores(settings.stores, embedder)
    if given is None:
        stores.closing.append(embedder.close)
    cache = parts.pop("cache", None) or stores.cache()
    if cache is not None:
        from repositories.cached_embedder import CachedEmbedder

        embedder = CachedEmbedder(embedder, cache)
    embedder = SharedEmbedder(embedder)
    makers: dict[str, Callable[[], Any]] = {
        "warehouse": lambda: open_warehouse(settings.warehouse),
        "metadata": stores.metadata,
        "column_index": stores.column_index,
        "metric_index": stores.metric_index,
        "value_index": stores.value_index,
        "clock": lambda: open_clock(settings),
        "llm": lambda: open_llm(settings.llm),
    }
    made = {name: make() for name, make in makers.items() if name not in parts}
    threads = parts.pop("threads", None) or await SqliteThreads.open(stores.files.threads)
    return Outside(embedder=embedder, threads=threads, cache=cache, closing=tuple(stores.closing), **made, **parts)


def open_warehouse(settings: WarehouseSettings) -> Warehouse:
    """The warehouse that the URL means; nothing is contacted yet."""
    if settings.embedded:
        from repositories.embedded.warehouse import DuckDBWarehouse

        return DuckDBWarehouse(settings.file, name=settings.name, time_zone=settings.time_zone)
    from repositories.sql.warehouse import MySQLWarehouse

    return MySQLWarehouse(settings.url.get_secret_value(), name=settings.name, time_zone=settings.time_zone)


def open_llm(settings: LlmSettings) -> Llm | None:
    """The language model, or None when none is named."""
    models = settings.models.by_role()
    if not models:
        return None
    from repositories.openai.llm import OpenAILlm

    return OpenAILlm(
        base_url=settings.base_url,
        api_key=settings.api_key or SecretStr("none"),
        models=models,
        timeout_seconds=settings.timeout_seconds,
        max_tokens_field=settings.max_tokens_field,
        extra_body=settings.extra_body,
    )


def open_clock(settings: Settings) -> Clock:
    """The real clock, or the held one."""
    zone = settings.calendar.time_zone
    return HeldClock(settings.calendar.now, zone) if settings.calendar.now else SystemClock(zone)


def remembering(make: Callable[[Catalog], Lexicon]) -> Callable[[Catalog], Lexicon]:
    """Make the lexicon of a catalog version once, not for every question; every role's view is a version of its own."""
    latest: dict[str, Lexicon] = {}

    def lexicon_of(catalog: Catalog) -> Lexicon:
        if catalog.version not in latest:
            made = make(catalog)
            gc.freeze()  # the catalog and its words live as long as we do: the collector need not visit them again
            if len(latest) >= LEXICONS_KEPT:
                latest.pop(next(iter(latest)))
            latest[catalog.version] = made
        return latest[catalog.version]

    return lexicon_of


async def index_stores(
    settings: Settings,
    outside: Outside,
    catalog: Catalog,
    progress: Progress = unheard,
    *,
    full: bool = False,
    wait: float = WAIT_SECONDS,
) -> IndexReport:
    """Make every store hold this catalog; one run at a time, and no text is embedded twice.

    `full` reads every value again, `wait` is how many seconds another run is waited for.
    """
    from repositories.embedded.vector_store import StoredEmbedder

    report = await index(
        catalog,
        warehouse=outside.warehouse,
        embedder=StoredEmbedder(outside.embedder, StoreFiles(settings.stores.path).vectors),
        column_index=outside.column_index,
        metric_index=outside.metric_index,
        value_index=outside.value_index,
        metadata=outside.metadata,
        progress=progress,
        full=full,
        lock=one_at_a_time(settings.stores, wait),
    )
    remember_rates(settings.stores.path, report)
    return report


async def plan_stores(outside: Outside, catalog: Catalog, *, full: bool = False) -> IndexPlan:
    """What indexing this catalog would change; nothing is written."""
    found = await survey(
        catalog,
        metadata=outside.metadata,
        value_index=outside.value_index,
        column_index=outside.column_index,
        embedder=outside.embedder,
        warehouse=outside.warehouse,
        full=full,
    )
    return found.plan(catalog)
