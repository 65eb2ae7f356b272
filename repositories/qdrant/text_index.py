"""What the Qdrant indexes share: one collection a build behind an alias, named vectors, words in the payload."""

import re
import time
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from qdrant_client import AsyncQdrantClient, models

from data_agent.errors import IndexMismatch, IndexMissing, StoreUnavailable
from data_agent.ports.embedder import Vectors
from data_agent.ports.recall import IndexedText, IndexStamp
from data_agent.wording.glossary import translated as in_other_language
from data_agent.wording.tokens import tokens
from repositories.qdrant.errors import translated
from repositories.texts import Found

BATCH = 256
SPACE = uuid.UUID("6f0a0d8e-3f1b-5b0e-9a55-5d1f6f6a7c01")
STAMP = "stamp"
MEND = "data-agent index"
OLDEST = (1, 10)
"""The first server with the query endpoint."""


class QdrantTextIndex:
    """An index of texts under `alias`, read with the embedding model `model` of `dimension` numbers a text.

    Points have deterministic ids, so writing twice never doubles. Lexical scores are counted in this process over the
    candidates, because the server's text index does not rank.
    """

    def __init__(
        self, client: AsyncQdrantClient, alias: str, *, model: str, dimension: int, where: str, what: str
    ) -> None:
        self.client = client
        self.alias = alias
        self.model = model
        self.dimension = dimension
        self.where = where
        self.what = what
        self._checked = False

    async def version(self) -> str:
        """The server's version.

        Raises:
            StoreUnavailable: it is away, or older than what this client asks for.
        """
        with translated(self.where):
            version = str((await self.client.info()).version)
        if _numbers(version) < OLDEST:
            oldest = ".".join(map(str, OLDEST))
            raise StoreUnavailable(
                f"Qdrant at {self.where} is version {version}", hint=f"use a server of version {oldest} or newer"
            )
        self._checked = True
        return version

    async def stamp(self) -> IndexStamp | None:
        """What the live collection was built from."""
        with translated(self.where):
            live = await self._live()
            if live is None:
                return None
            held = await self.client.retrieve(live, ids=[point_id(STAMP)], with_payload=True)
        return IndexStamp.model_validate(held[0].payload["stamp"]) if held and held[0].payload else None

    async def _live(self) -> str | None:
        aliases = (await self.client.get_aliases()).aliases
        return next((one.collection_name for one in aliases if one.alias_name == self.alias), None)

    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[Found]:
        """The nearest by each vector and the points that hold the words, in one batch request.

        Raises:
            StoreUnavailable, IndexMissing, IndexMismatch.
        """
        await self._check()
        wanted = list(dict.fromkeys(token for word in words for token in (*tokens(word), *in_other_language(word))))
        requests = [_nearest("text", vectors[0], limit, kind) for kind in ("own", "below") if len(vectors)]
        requests += [_nearest("name", row, limit, kind) for row in vectors for kind in ("own", "below")]
        if wanted and len(vectors):
            requests += [_nearest("text", vectors[0], 2 * limit, kind, wanted) for kind in ("own", "below")]
        with translated(self.where):
            answers = await self.client.query_batch_points(self.alias, requests=requests) if requests else []
        payloads: dict[str, Any] = {}
        vectors_of: dict[str, dict[str, list[float]]] = {}
        for point in (point for answer in answers for point in answer.points):
            if point.payload and isinstance(point.vector, dict):
                payloads[str(point.payload["id"])] = point.payload
                vectors_of[str(point.payload["id"])] = point.vector  # type: ignore[assignment]
        return [_found(payloads[id_], vectors_of[id_], vectors, set(wanted)) for id_ in sorted(payloads)]

    async def _check(self) -> None:
        if not self._checked:
            await self.version()
        stamp = await self.stamp()
        if stamp is None:
            raise IndexMissing(
                f"Qdrant at {self.where} has no {self.what} {self.alias}: nothing has been indexed yet",
                hint=f"run: {MEND}",
            )
        self._refuse_other(stamp)

    def _refuse_other(self, stamp: IndexStamp) -> None:
        if (stamp.model, stamp.dimension) != (self.model, self.dimension):
            raise IndexMismatch(
                f"the {self.what} was made with {stamp.model} ({stamp.dimension} numbers a text), "
                f"but the embedding model now is {self.model} ({self.dimension})",
                hint=f"index again with the present model: {MEND}; or set the model back",
            )

    async def replace(
        self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors | None = None
    ) -> None:
        """Fill a new collection, then move the alias in one atomic call and drop the old ones."""
        self._refuse_other(stamp)
        await self.version()
        names = vectors if names is None else names
        if not len(texts) == len(vectors) == len(names):
            raise TypeError(f"{len(texts)} texts need as many vectors; too few or many: {len(vectors)}, {len(names)}")
        fresh = f"{self.alias}-{time.strftime('%Y%m%d%H%M%S', time.gmtime())}-{uuid.uuid4().hex[:6]}"
        with translated(self.where):
            try:
                await self._fill(fresh, stamp.model_copy(update={"count": len(texts)}), texts, vectors, names)
                await self._publish(fresh)
            except BaseException:
                await self.client.delete_collection(fresh)
                raise

    async def _fill(
        self, fresh: str, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors
    ) -> None:
        params = models.VectorParams(size=self.dimension, distance=models.Distance.COSINE)
        await self.client.create_collection(fresh, vectors_config={"text": params, "name": params})
        for field in ("kind", "tokens"):
            await self.client.create_payload_index(fresh, field, models.PayloadSchemaType.KEYWORD, wait=True)
        ids = {text.id for text in texts}
        for start in range(0, len(texts), BATCH):
            rows = zip(texts[start:][:BATCH], vectors[start:][:BATCH], names[start:][:BATCH], strict=True)
            points = [_point(text, row.tolist(), name.tolist(), ids, stamp) for text, row, name in rows]
            await self.client.upsert(fresh, points=points, wait=True)
        mark = models.PointStruct(id=point_id(STAMP), vector={}, payload={"kind": STAMP, "stamp": stamp.model_dump()})
        await self.client.upsert(fresh, points=[mark], wait=True)

    async def _publish(self, fresh: str) -> None:
        live = await self._live()
        create = models.CreateAlias(collection_name=fresh, alias_name=self.alias)
        moves: list[Any] = [models.CreateAliasOperation(create_alias=create)]
        if live:
            gone = models.DeleteAlias(alias_name=self.alias)
            moves.insert(0, models.DeleteAliasOperation(delete_alias=gone))
        await self.client.update_collection_aliases(change_aliases_operations=moves)
        for collection in (await self.client.get_collections()).collections:
            if is_build_of(self.alias, collection.name) and collection.name != fresh:
                await self.client.delete_collection(collection.name)


def is_build_of(alias: str, name: str) -> bool:
    """Whether a collection was made for this alias, not for one whose name only begins alike."""
    return re.fullmatch(rf"{re.escape(alias)}-\d{{14}}-[0-9a-f]{{6}}", name) is not None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2])


def point_id(id_: str) -> str:
    """The same UUID for the same id, always."""
    return str(uuid.uuid5(SPACE, id_))


def _point(
    text: IndexedText, row: list[float], name: list[float], ids: set[str], stamp: IndexStamp
) -> models.PointStruct:
    parent = text.id.rpartition(".")[0]
    parent = parent if parent in ids else ""
    words = tokens(" ".join((text.id.rpartition(".")[2], *text.names, text.text)))
    payload: dict[str, Any] = {
        "id": text.id,
        "parent": parent,
        "kind": "below" if parent else "own",
        "tokens": sorted(set(words)),
    }
    payload |= {"catalog_version": stamp.catalog_version, "model": stamp.model, "dimension": stamp.dimension}
    return models.PointStruct(id=point_id(text.id), vector={"text": row, "name": name}, payload=payload)


def _nearest(using: str, row: Any, limit: int, kind: str, wanted: Iterable[str] = ()) -> models.QueryRequest:
    """The nearest of one kind; with `wanted`, only points that hold one of those words."""
    must: list[Any] = [models.FieldCondition(key="kind", match=models.MatchValue(value=kind))]
    words = list(wanted)
    if words:
        must.append(models.FieldCondition(key="tokens", match=models.MatchAny(any=words)))
    return models.QueryRequest(
        query=[float(number) for number in row],
        using=using,
        limit=limit,
        filter=models.Filter(must=must),
        with_payload=["id", "parent", "tokens"],
        with_vector=True,
    )


def _found(payload: dict[str, Any], held: dict[str, list[float]], vectors: Vectors, wanted: set[str]) -> Found:
    """All sides of one point, counted from its own vectors, so that no side is missing."""
    by_word = tuple(round(float(score), 5) for score in vectors @ held["name"])
    shared = len(wanted & set(payload["tokens"]))
    dense = round(float(vectors[0] @ held["text"]), 5)
    return Found(payload["id"], payload["parent"], dense, max(by_word), float(shared) if shared else None, by_word)
