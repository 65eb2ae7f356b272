"""Stored values by words on Elasticsearch: builds behind an alias, one `_msearch` for all words."""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from elasticsearch import AsyncElasticsearch, NotFoundError
from elasticsearch.helpers import async_bulk, async_scan

from data_agent.domain.value import Value
from data_agent.errors import IndexMissing, StoreUnavailable
from data_agent.ports.recall import IndexStamp, Parts, ValuePart, no_parts
from data_agent.wording.tokens import fold
from repositories.elasticsearch.documents import (
    ACCOUNT,
    Analyzer,
    account,
    document,
    mappings,
    query_for,
    read_account,
    settings,
    stored,
)
from repositories.elasticsearch.errors import translated
from repositories.elasticsearch.live import Held, Live, fresh_name, is_build_of, live_of, moves
from repositories.values import best

CANDIDATES = 100
CHUNK = 2000
INDEXES = 8
"""A reader asks at most so many indexes; one more, and what is kept is copied into the new one."""
SERVERS = ("8", "9")


class ElasticsearchValueIndex:
    """`ValueIndex` on a server.

    `alias` is what readers ask; builds are called `alias-<time>-<random>`. A build holds the columns that were read;
    the others stay in the builds before it, where the alias hides what is no longer true. `analyzer` adds a word
    field: `cjk` is built in, `ik` needs its plugin. `seconds` limits one request. `close()` closes the `client`.
    """

    def __init__(
        self,
        url: str,
        *,
        alias: str = "data-agent-values",
        analyzer: Analyzer = "cjk",
        user: str = "",
        password: str = "",
        seconds: float = 10.0,
    ) -> None:
        self._alias = alias
        self._analyzer = analyzer
        parts = urlsplit(url)
        self._where = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or url
        login = (user, password) if user else None
        self.client = AsyncElasticsearch(url, basic_auth=login, request_timeout=seconds, max_retries=1)
        self._checked = False
        self._accounts: dict[str, dict[str, Held]] = {}

    async def close(self) -> None:
        """Give back every connection."""
        await self.client.close()

    async def version(self) -> str:
        """The server's version.

        Raises:
            StoreUnavailable: it is away, or of a major version this client does not speak.
        """
        with translated(self._where):
            version = str((await self.client.info())["version"]["number"])
        if version.partition(".")[0] not in SERVERS:
            raise StoreUnavailable(
                f"Elasticsearch at {self._where} is version {version}", hint="use a server of version 8 or 9"
            )
        self._checked = True
        return version

    async def stamp(self) -> IndexStamp | None:
        """What the live index was built from; it is kept in the mapping of its newest build."""
        live = await self._live()
        if live is None:
            return None
        with translated(self._where):
            held = await self.client.indices.get_mapping(index=live.newest)
        return IndexStamp.model_validate(held[live.newest]["mappings"]["_meta"]["stamp"])

    async def parts(self) -> dict[str, ValuePart]:
        """What the live index holds of each column."""
        return {column: one.part for column, one in (await self._held(await self._live())).items()}

    async def _live(self) -> Live | None:
        with translated(self._where):
            try:
                answer = await self.client.indices.get_alias(name=self._alias)
            except NotFoundError:
                return None
        return live_of(self._alias, dict(answer))

    async def _held(self, live: Live | None) -> dict[str, Held]:
        """Every question asks for them, so they are read once a build; a build's account never changes."""
        if live is None:
            return {}
        if live.newest not in self._accounts:
            with translated(self._where):
                found = await self.client.search(index=live.newest, query=ACCOUNT, size=1000)
            self._accounts = {live.newest: read_account(hit["_source"] for hit in found["hits"]["hits"])}
        return self._accounts[live.newest]

    async def search(self, words: Sequence[str], limit: int) -> list[Value]:
        """The best values for each word: one request, the candidates ranked on the same scale as everywhere."""
        asked = [word for word in dict.fromkeys(words) if fold(word)]
        if not self._checked:
            await self.version()
        responses = await self._responses(asked)
        if any(_unfinished(one) for one in responses):  # a build that was removed just now: ask the next one
            responses = await self._responses(asked)
        self._refuse_failures(responses)
        hits = [[stored(hit["_source"]) for hit in one["hits"]["hits"]] for one in responses]
        return [value for word, found in zip(asked, hits, strict=False) for value in best(word, found, limit)]

    async def _responses(self, words: Sequence[str]) -> list[dict[str, Any]]:
        """Every word is asked of the same builds, whatever is published meanwhile."""
        live = await self._live()
        if live is None:
            raise IndexMissing(
                f"Elasticsearch at {self._where} has no index {self._alias}: nothing has been indexed yet",
                hint="run: data-agent index",
            )
        searches: list[dict[str, Any]] = []
        for word in words:
            searches += [
                {"index": list(live.hidden)},
                # Without a total to count, what cannot be among the best is passed over.
                {"query": live.only_visible(query_for(word)), "size": CANDIDATES, "track_total_hits": False},
            ]
        if not searches:
            return []
        with translated(self._where):
            return list((await self.client.msearch(searches=searches))["responses"])

    def _refuse_failures(self, responses: Iterable[dict[str, Any]]) -> None:
        for response in responses:
            if _unfinished(response):
                reason = response.get("error", {}).get("type") or "some of its shards did not answer"
                raise StoreUnavailable(
                    f"Elasticsearch at {self._where} failed to search {self._alias}: {reason}",
                    hint="look at the server's log, then run: data-agent index",
                )

    async def replace(
        self,
        stamp: IndexStamp,
        values: AsyncIterator[Sequence[Value]],
        *,
        keep: Collection[str] = (),
        parts: Parts = no_parts,
    ) -> int:
        """Fill a new build from the stream, then move the alias in one step and drop what nobody reads."""
        await self.version()
        live = await self._live()
        held = await self._held(live) if keep else {}
        kept = {column: held[column] for column in keep if column in held}
        count = sum(one.part.count for one in kept.values())
        batches = aiter(values)
        first = await _next_full(batches)
        if live and not first and kept and kept.keys() == held.keys():
            await self._restamp(live, stamp.model_copy(update={"count": count}))
            return count
        fresh = fresh_name(self._alias)
        with translated(self._where):
            await self.client.indices.create(index=fresh, settings=settings(), mappings=mappings(self._analyzer))
        try:
            while first:
                count += await self._add(fresh, map(document, first))
                first = await _next_full(batches)
            after = live.without({column: one.place for column, one in held.items()}, set(kept)) if live else {}
            if live and len(after) >= INDEXES:
                await self._copy(live, kept, fresh)
                kept, after = {column: Held(fresh, one.part) for column, one in kept.items()}, {}
            told = {column: kept.get(column) or Held(fresh, part) for column, part in parts().items()}
            await self._add(fresh, account(told))
            await self._publish(fresh, stamp.model_copy(update={"count": count}), live, after)
        except BaseException:
            with translated(self._where):
                await self.client.indices.delete(index=fresh, ignore_unavailable=True)
            raise
        return count

    async def _restamp(self, live: Live, stamp: IndexStamp) -> None:
        with translated(self._where):
            await self.client.indices.put_mapping(index=live.newest, meta={"stamp": stamp.model_dump()})

    async def _add(self, index: str, documents: Iterable[Mapping[str, str]]) -> int:
        """One bulk request a chunk; a document that is refused stops the build with the server's first reason."""
        actions = [{"_index": index, "_source": one} for one in documents]
        with translated(self._where):
            added, refused = await async_bulk(self.client, actions, chunk_size=CHUNK, raise_on_error=False)
        if isinstance(refused, list) and refused:
            reason = next(iter(refused[0].values()))["error"]["type"]
            raise StoreUnavailable(
                f"Elasticsearch at {self._where} refused {len(refused)} of {len(actions)} values: {reason}",
                hint="look at the server's log, then run: data-agent index",
            )
        return int(added)

    async def _copy(self, live: Live, kept: Collection[str], fresh: str) -> None:
        """What is kept, read in pages of a scroll and written again."""
        body = {"query": live.only_visible({"bool": {"must_not": [ACCOUNT]}})}
        page: list[dict[str, str]] = []
        with translated(self._where):
            async for hit in async_scan(self.client, index=",".join(live.hidden), query=body, size=CHUNK):
                if hit["_source"]["owner"] in kept:
                    page.append(hit["_source"])
                if len(page) >= CHUNK:
                    await self._add(fresh, page)
                    page = []
        await self._add(fresh, page)

    async def _publish(
        self, fresh: str, stamp: IndexStamp, before: Live | None, after: dict[str, tuple[str, ...]]
    ) -> None:
        """Make it readable, then swap in one request; builds that nobody reads are removed."""
        indices = self.client.indices
        with translated(self._where):
            await indices.put_mapping(index=fresh, meta={"stamp": stamp.model_dump()})
            await indices.put_settings(index=fresh, settings={"index": {"refresh_interval": "1s"}})
            await indices.refresh(index=fresh)
            await indices.update_aliases(actions=moves(self._alias, before, after, fresh))
            builds = [name for name in await indices.get(index=f"{self._alias}-*") if is_build_of(self._alias, name)]
            if gone := [name for name in builds if name != fresh and name not in after]:
                await indices.delete(index=",".join(gone), ignore_unavailable=True)


async def _next_full(batches: AsyncIterator[Sequence[Value]]) -> Sequence[Value]:
    """The next batch that holds something; an empty one at the end."""
    async for batch in batches:
        if batch:
            return batch
    return ()


def _unfinished(response: dict[str, Any]) -> bool:
    return bool(response.get("error") or response.get("_shards", {}).get("failed"))
