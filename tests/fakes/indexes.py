"""Indexes in memory, held to the same contract as the real ones."""

from collections.abc import AsyncIterator, Collection, Sequence

from data_agent.domain.value import ColumnHit, MetricHit, Value
from data_agent.errors import IndexMismatch, IndexMissing
from data_agent.ports.embedder import Vectors
from data_agent.ports.recall import IndexedText, IndexStamp, Parts, ValuePart, no_parts
from data_agent.wording.likeness import likeness
from data_agent.wording.tokens import tokens


class FakeTextIndex:
    """Vectors and words in lists."""

    def __init__(self, model: str = "fake-embedder", dimension: int = 64) -> None:
        self.model = model
        self.dimension = dimension
        self.held: IndexStamp | None = None
        self.texts: list[IndexedText] = []
        self.rows: Vectors | None = None
        self.names: Vectors | None = None

    async def stamp(self) -> IndexStamp | None:
        return self.held

    async def replace(
        self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors | None = None
    ) -> None:
        self.check(stamp)
        self.texts, self.rows, self.names = list(texts), vectors, vectors if names is None else names
        self.held = stamp.model_copy(update={"count": len(texts)})

    def check(self, stamp: IndexStamp) -> None:
        if (stamp.model, stamp.dimension) != (self.model, self.dimension):
            raise IndexMismatch(
                f"made with {stamp.model} ({stamp.dimension}), not {self.model} ({self.dimension})",
                hint="run: data-agent index",
            )

    def scored(
        self, vectors: Vectors, words: Sequence[str], limit: int
    ) -> list[tuple[str, float, float, float | None]]:
        if self.held is None or self.rows is None or self.names is None:
            raise IndexMissing("nothing has been indexed yet", hint="run: data-agent index")
        self.check(self.held)
        wanted = {token for word in words for token in tokens(word)}
        scored = []
        for row, text in enumerate(self.texts):
            shared = len(wanted & set(tokens(" ".join((*text.names, text.text)))))
            dense, name = float(self.rows[row] @ vectors[0]), float((self.names[row] @ vectors.T).max())
            scored.append((text.id, dense, name, float(shared) if shared else None))
        scored.sort(key=lambda hit: -(hit[1] + hit[2] + (hit[3] or 0)))
        return scored[: 2 * limit]


class FakeColumnIndex(FakeTextIndex):
    """`ColumnIndex` in memory."""

    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[ColumnHit]:
        tables = {text.id for text in self.texts if text.id.rpartition(".")[0] not in {t.id for t in self.texts}}
        hits = []
        for id_, dense, name, text in self.scored(vectors, words, limit):
            table, column = (id_, "") if id_ in tables else id_.rsplit(".", 1)
            row = next(number for number, held in enumerate(self.texts) if held.id == id_)
            by_word = tuple((vectors @ self.names[row]).tolist()) if self.names is not None else ()
            hits.append(ColumnHit(table=table, column=column, dense=dense, name=name, text=text, words=by_word))
        return hits


class FakeMetricIndex(FakeTextIndex):
    """`MetricIndex` in memory."""

    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[MetricHit]:
        found = self.scored(vectors, words, limit)
        return [MetricHit(metric=id_, dense=dense, name=name, text=text) for id_, dense, name, text in found]


class FakeValueIndex:
    """`ValueIndex` in memory: every value is looked at."""

    def __init__(self) -> None:
        self.held: IndexStamp | None = None
        self.values: list[Value] = []
        self.known: dict[str, ValuePart] = {}
        self.requests = 0
        self.written: list[Value] = []

    async def stamp(self) -> IndexStamp | None:
        return self.held

    async def parts(self) -> dict[str, ValuePart]:
        return self.known

    async def replace(
        self,
        stamp: IndexStamp,
        values: AsyncIterator[Sequence[Value]],
        *,
        keep: Collection[str] = (),
        parts: Parts = no_parts,
    ) -> int:
        fresh = [value async for batch in values for value in batch]
        self.written = fresh
        self.values = [value for value in self.values if value.column_id in set(keep)] + fresh
        self.known = dict(parts())
        self.held = stamp.model_copy(update={"count": len(self.values)})
        return len(self.values)

    async def search(self, words: Sequence[str], limit: int) -> list[Value]:
        self.requests += 1
        if self.held is None:
            raise IndexMissing("nothing has been indexed yet", hint="run: data-agent index")
        return [value for word in dict.fromkeys(words) for value in self._best(word, limit)]

    def _best(self, word: str, limit: int) -> list[Value]:
        best: dict[tuple[str, str], Value] = {}
        for value in self.values:
            score, key = likeness(word, value.word or value.text), (value.column_id, value.text)
            if score and (key not in best or best[key].score < score):
                best[key] = value.model_copy(update={"word": word, "score": score})
        return sorted(best.values(), key=lambda value: (-value.score, len(value.text)))[:limit]
