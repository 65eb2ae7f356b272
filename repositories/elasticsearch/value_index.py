"""Stored values by words on Elasticsearch: one index a build behind an alias, one `_msearch` for all words."""

import time
import uuid
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

from elasticsearch import AsyncElasticsearch, NotFoundError
from elasticsearch.helpers import async_bulk

from data_agent.domain.value import Value
from data_agent.errors import IndexMissing, StoreUnavailable
from data_agent.ports.recall import IndexStamp
from data_agent.wording.likeness import likeness
from data_agent.wording.tokens import fold
from repositories.elasticsearch.errors import translated

Analyzer = Literal["cjk", "ik"]
CANDIDATES = 100
MAX_PAIRS = 64
CHUNK = 2000
FOLDED_CHARS = 256
SERVERS = ("8", "9")


class ElasticsearchValueIndex:
    """`ValueIndex` on a server.

    `alias` is what readers ask; builds are called `alias-<time>-<random>`. `analyzer` adds a word field: `cjk` is built
    in, `ik` needs its plugin. `seconds` limits one request. `client` is closed with `close()`.
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
        """What the live index was built from; it is kept in the index's mapping."""
        with translated(self._where):
            try:
                held = await self.client.indices.get_mapping(index=self._alias)
            except NotFoundError:
                return None
        (mapping,) = held.values()
        return IndexStamp.model_validate(mapping["mappings"]["_meta"]["stamp"])

    async def search(self, words: Sequence[str], limit: int) -> list[Value]:
        """The best values for each word: one request, the candidates ranked on the same scale as everywhere."""
        asked = [word for word in dict.fromkeys(words) if fold(word)]
        if not self._checked:
            await self.version()
        searches: list[dict[str, Any]] = []
        for word in asked or [""]:
            searches += [{"index": self._alias}, {"query": query_for(word), "size": CANDIDATES}]
        with translated(self._where):
            answer = await self.client.msearch(searches=searches)
        self._refuse_failures(answer["responses"])
        hits = [[hit["_source"] for hit in one["hits"]["hits"]] for one in answer["responses"]]
        return [value for word, found in zip(asked, hits, strict=False) for value in best(word, found, limit)]

    def _refuse_failures(self, responses: Iterable[dict[str, Any]]) -> None:
        for response in responses:
            error = response.get("error")
            if error and error.get("type") == "index_not_found_exception":
                raise IndexMissing(
                    f"Elasticsearch at {self._where} has no index {self._alias}: nothing has been indexed yet",
                    hint="run: data-agent index",
                )
            if error:
                raise StoreUnavailable(
                    f"Elasticsearch at {self._where} failed to search {self._alias}: {error.get('type')}",
                    hint="look at the server's log, then run: data-agent index",
                )

    async def replace(self, stamp: IndexStamp, values: AsyncIterator[Sequence[Value]]) -> int:
        """Fill a new index from the stream, then move the alias and drop the old one."""
        await self.version()
        fresh = f"{self._alias}-{time.strftime('%Y%m%d%H%M%S', time.gmtime())}-{uuid.uuid4().hex[:6]}"
        with translated(self._where):
            await self.client.indices.create(index=fresh, settings=settings(), mappings=mappings(self._analyzer))
        try:
            count = 0
            async for batch in values:
                count += await self._add(fresh, batch)
            await self._publish(fresh, stamp.model_copy(update={"count": count}))
        except BaseException:
            with translated(self._where):
                await self.client.indices.delete(index=fresh, ignore_unavailable=True)
            raise
        return count

    async def _add(self, index: str, batch: Sequence[Value]) -> int:
        """One bulk request a chunk; a document that is refused stops the build with the server's first reason."""
        actions = [{"_index": index, "_source": document(value)} for value in batch]
        with translated(self._where):
            added, refused = await async_bulk(self.client, actions, chunk_size=CHUNK, raise_on_error=False)
        if isinstance(refused, list) and refused:
            reason = next(iter(refused[0].values()))["error"]["type"]
            raise StoreUnavailable(
                f"Elasticsearch at {self._where} refused {len(refused)} of {len(actions)} values: {reason}",
                hint="look at the server's log, then run: data-agent index",
            )
        return int(added)

    async def _publish(self, fresh: str, stamp: IndexStamp) -> None:
        """Make it readable, then swap the alias in one request; builds that nobody reads are removed."""
        indices = self.client.indices
        with translated(self._where):
            await indices.put_mapping(index=fresh, meta={"stamp": stamp.model_dump()})
            await indices.put_settings(index=fresh, settings={"index": {"refresh_interval": "1s"}})
            await indices.refresh(index=fresh)
            before = [name for name in await indices.get(index=f"{self._alias}-*") if name != fresh]
            live: dict[str, Any] = {}
            if await indices.exists_alias(name=self._alias):
                live = dict(await indices.get_alias(name=self._alias))
            moves = [{"remove": {"index": name, "alias": self._alias}} for name in live]
            await indices.update_aliases(actions=[*moves, {"add": {"index": fresh, "alias": self._alias}}])
            if before:
                await indices.delete(index=",".join(before), ignore_unavailable=True)


def settings() -> dict[str, Any]:
    """Pairs of characters find any part of a value; folding is done before, so both engines fold alike."""
    pairs = {"type": "ngram", "min_gram": 1, "max_gram": 2}
    analysis = {"tokenizer": {"pairs": pairs}, "analyzer": {"pairs": {"type": "custom", "tokenizer": "pairs"}}}
    return {"index": {"number_of_replicas": 0, "refresh_interval": "-1"}, "analysis": analysis}


def mappings(analyzer: Analyzer) -> dict[str, Any]:
    """Whole text for exact hits, pairs for parts and typos, words by the analyzer of the setting."""
    words = "ik_max_word" if analyzer == "ik" else "cjk"
    kept: dict[str, Any] = {"type": "keyword", "index": False, "doc_values": False}
    return {
        "dynamic": "strict",
        "properties": {
            "whole": {"type": "keyword", "ignore_above": 8191},
            "pairs": {"type": "text", "analyzer": "pairs", "norms": True},
            "words": {"type": "text", "analyzer": words},
            "table": kept,
            "column": kept,
            "text": kept,
            "said": kept,
        },
    }


def document(value: Value) -> dict[str, str]:
    """A value as it is stored: what finds it, and what the warehouse holds."""
    said = value.word or value.text
    folded = fold(said)
    held = {"whole": folded, "pairs": folded[:FOLDED_CHARS], "words": folded[:FOLDED_CHARS], "said": said}
    return held | {"table": value.table, "column": value.column, "text": value.text}


def query_for(word: str) -> dict[str, Any]:
    """The whole text first of all, then words, then pairs of characters."""
    folded = fold(word)
    pairs = list(dict.fromkeys(folded[i : i + 2] for i in range(len(folded) - 1)))[:MAX_PAIRS] or [folded]
    should: list[dict[str, Any]] = [{"term": {"pairs": pair}} for pair in pairs]
    should.append({"term": {"whole": {"value": folded[:FOLDED_CHARS], "boost": 50}}})
    should.append({"match": {"words": {"query": folded[:FOLDED_CHARS], "boost": 0.5}}})
    return {"bool": {"should": should}}


def best(word: str, candidates: Iterable[dict[str, str]], limit: int) -> list[Value]:
    """The candidates that are like the word, each stored value once, the likeliest first."""
    found: dict[tuple[str, str, str], Value] = {}
    for one in candidates:
        score = likeness(word, one["said"])
        key = (one["table"], one["column"], one["text"])
        value = Value(table=one["table"], column=one["column"], text=one["text"], word=word, score=round(score, 4))
        if score and (key not in found or found[key].score < score):
            found[key] = value
    return sorted(found.values(), key=lambda value: (-value.score, len(value.text), value.text))[:limit]
