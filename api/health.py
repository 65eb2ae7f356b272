"""Does each component work, how fast, and what mends it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from time import perf_counter
from typing import Literal

from api.outside import Outside
from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.errors import DataAgentError
from data_agent.options import Limits
from data_agent.ports.recall import ColumnIndex, MetricIndex, ValueIndex
from data_agent.sql.admit import admit
from data_agent.sql.grants import excess

Health = Literal["ok", "warn", "fail", "off"]
CHECK_SECONDS = 10.0  # a model that has to be loaded first takes its time
WEAKENING = {"llm", "cache"}
"""What is missed when it is down, while questions are still answered."""
INDEX_MEND = "run `data-agent index` · 运行 `data-agent index`"


class ComponentState(Frozen):
    """One component. `off` is switched off by choice; `warn` weakens answers; `fail` prevents them."""

    name: str
    state: Health
    detail: str = ""
    latency_ms: float = 0.0
    mend: str = ""


class Readiness(Frozen):
    """All components; `ready` when none fails that answers depend on."""

    ready: bool
    components: tuple[ComponentState, ...]


Found = tuple[Health, str, str]


async def readiness(outside: Outside) -> Readiness:
    """Check everything at once, each with a time limit."""
    checks: dict[str, Callable[[], Awaitable[Found]]] = {
        "warehouse": lambda: _warehouse(outside),
        "account": lambda: _account(outside),
        "metadata": lambda: _metadata(outside),
        "column_index": lambda: _index(outside, outside.column_index, vectors=True),
        "metric_index": lambda: _index(outside, outside.metric_index, vectors=True),
        "value_index": lambda: _index(outside, outside.value_index, vectors=False),
        "embedder": lambda: _embedder(outside),
        "threads": lambda: _threads(outside),
        "llm": lambda: _llm(outside),
    }
    if outside.cache is not None:
        checks["cache"] = lambda: _cache(outside)
    states = await asyncio.gather(*(timed(name, check) for name, check in checks.items()))
    return Readiness(ready=all(one.state != "fail" for one in states), components=tuple(states))


async def all_ready(outsides: Mapping[str, Outside]) -> Readiness:
    """The components of every warehouse; where there are several, each name begins with its warehouse's."""
    if len(outsides) == 1:
        return await readiness(next(iter(outsides.values())))
    found = await asyncio.gather(*(readiness(outside) for outside in outsides.values()))
    states = [
        state.model_copy(update={"name": f"{name}/{state.name}"})
        for name, one in zip(outsides, found, strict=True)
        for state in one.components
    ]
    return Readiness(ready=all(one.ready for one in found), components=tuple(states))


async def timed(name: str, check: Callable[[], Awaitable[Found]]) -> ComponentState:
    """One finding with the time it took; a check that fails is a finding too."""
    start = perf_counter()
    down: Health = "warn" if name in WEAKENING else "fail"
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            state, detail, mend = await check()
    except DataAgentError as error:
        state, detail, mend = down, error.message, error.hint
    except TimeoutError:
        state, detail, mend = (
            down,
            f"no answer within {CHECK_SECONDS:g} s",
            "check its load and the network · 请检查负载与网络",
        )
    except Exception as error:  # noqa: BLE001  a check that breaks is a finding, not a crash
        state, detail, mend = "fail", f"unexpected {type(error).__name__}", "see the log · 查看日志"
    ms = round((perf_counter() - start) * 1000, 1)
    return ComponentState(name=name, state=state, detail=detail, latency_ms=ms, mend=mend)


async def _warehouse(outside: Outside) -> Found:
    """The version may be known without a connection, so a statement is proven too."""
    warehouse = outside.warehouse
    version = await warehouse.version()
    nothing = Catalog(name=warehouse.name, version="")
    await warehouse.explain(admit("SELECT 1", catalog=nothing, dialect=warehouse.dialect, limits=Limits()))
    return "ok", f"{warehouse.name}: {warehouse.dialect} {version}", ""


async def _account(outside: Outside) -> Found:
    """What the login may do beyond reading. An embedded file has no accounts: it is opened for reading."""
    privileges = getattr(outside.warehouse, "privileges", None)
    if privileges is None:
        return "ok", "opened for reading only", ""
    found = excess(await privileges())
    if not found:
        return "ok", "may read and nothing more", ""
    told = "; ".join(f"{', '.join(each.rights[:6])} ON {each.where}" for each in found)
    return "warn", f"may do more than read: {told}", "\n".join(each.mend for each in found)


async def _metadata(outside: Outside) -> Found:
    catalog, server = await outside.metadata.catalog(), await _version(outside.metadata)
    held = f"{len(catalog.tables)} tables, {len(catalog.metrics)} metrics, version {catalog.version[:8]}"
    return "ok", f"{server}{held}", ""


async def _index(outside: Outside, store: ColumnIndex | MetricIndex | ValueIndex, *, vectors: bool) -> Found:
    server, stamp, catalog = await _version(store), await store.stamp(), await outside.metadata.catalog()
    if stamp is None:
        return "fail", f"{server}nothing indexed yet", INDEX_MEND
    if vectors and (stamp.model, stamp.dimension) != (outside.embedder.name, outside.embedder.dimension):
        now = f"{outside.embedder.name} ({outside.embedder.dimension})"
        return "fail", f"{server}built with {stamp.model} ({stamp.dimension}), running {now}", INDEX_MEND
    if stamp.catalog_version != catalog.version:
        return "warn", f"{server}older than the catalog: built {stamp.built_at or 'before'}", INDEX_MEND
    return "ok", f"{server}{stamp.count} entries, built {stamp.built_at}", ""


async def _version(store: object) -> str:
    """The server's version, where the store is on one."""
    version = getattr(store, "version", None)
    return f"server {await version()}, " if version else ""


async def _cache(outside: Outside) -> Found:
    version = getattr(outside.cache, "version", None)
    return "ok", f"server {await version()}" if version else "in this process", ""


async def _embedder(outside: Outside) -> Found:
    vectors = await outside.embedder.embed(["ready"])
    return "ok", f"{outside.embedder.name}, {vectors.shape[1]} dimensions", ""


async def _threads(outside: Outside) -> Found:
    return "ok", await outside.threads.ping(), ""


async def _llm(outside: Outside) -> Found:
    if outside.llm is None:
        return (
            "off",
            "none set: simple questions only",
            "set llm.base_url and llm.models · 设置 llm.base_url 与 llm.models",
        )
    return "ok", await outside.llm.ping(), ""
