"""Stored values by words, in a folder: pairs of characters in tantivy, the best hundred looked at closely."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import tantivy

from data_agent.domain.value import Value
from data_agent.ports.recall import IndexStamp, Parts, ValuePart, no_parts
from data_agent.wording.likeness import is_code
from data_agent.wording.tokens import fold
from repositories.embedded.builds import Builds, link_tree, write_stamp
from repositories.embedded.errors import translated
from repositories.values import Stored, best

Done = TypeVar("Done")
CANDIDATES = 100
MAX_PAIRS = 64
READ = 100_000
"""So many places of an index are read for one word."""
HEAP = 128_000_000
PARTS = "parts.json"


class EmbeddedValueIndex:
    """`ValueIndex` with no server to start."""

    def __init__(self, folder: Path) -> None:
        self._builds = Builds(folder, "value index")
        self._open: tuple[Path, tantivy.Index] | None = None
        self._parts: tuple[Path | None, dict[str, ValuePart]] = (None, {})
        self._lock = Lock()

    async def stamp(self) -> IndexStamp | None:
        """What the live index was built from."""
        with translated("value index", self._builds.folder):
            return await asyncio.to_thread(self._builds.stamp)

    async def parts(self) -> dict[str, ValuePart]:
        """What the live index holds of each column."""
        return dict(await self._own(self._read_parts))

    def _read_parts(self) -> dict[str, ValuePart]:
        """Every question asks for them, so they are read once a build; a build never changes."""
        live = self._builds.live()
        if self._parts[0] != live:
            self._parts = (live, read_parts(live))
        return self._parts[1]

    async def search(self, words: Sequence[str], limit: int) -> list[Value]:
        """The best values for each word, in one go."""
        with translated("value index", self._builds.folder):
            return await asyncio.to_thread(self._search, tuple(dict.fromkeys(words)), limit)

    async def replace(
        self,
        stamp: IndexStamp,
        values: AsyncIterator[Sequence[Value]],
        *,
        keep: Collection[str] = (),
        parts: Parts = no_parts,
    ) -> int:
        """Build beside the live one, which lends the files of what is kept, then swap."""
        before = self._builds.live() if keep else None
        with self._builds.building(stamp) as build:
            writer, count = await self._own(_writer, build, before, frozenset(keep))
            async for batch in values:  # errors of the stream are the warehouse's, so they pass untouched
                count += await self._own(_add, writer, batch)
            await self._own(_finish, writer, build, stamp.model_copy(update={"count": count}), parts())
        return count

    async def _own(self, work: Callable[..., Done], *what: object) -> Done:
        with translated("value index", self._builds.folder):
            return await asyncio.to_thread(work, *what)

    def _search(self, words: Sequence[str], limit: int) -> list[Value]:
        index = self._opened()
        searcher = index.searcher()
        return [value for word in words for value in best(word, _candidates(index, searcher, word), limit)]

    def _opened(self) -> tantivy.Index:
        live = self._builds.demand()
        with self._lock:
            if self._open is None or self._open[0] != live:
                index = tantivy.Index.open(str(live / "values"))
                self._open = (live, _registered(index))
            return self._open[1]


def _registered(index: tantivy.Index) -> tantivy.Index:
    index.register_tokenizer("pairs", pairs_analyzer())
    return index


def pairs_analyzer() -> Any:
    """Single characters and pairs of them; the text comes folded already."""
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.ngram(1, 2)).build()


def read_parts(build: Path | None) -> dict[str, ValuePart]:
    """The columns of a build; none for a build that kept no account of them."""
    if build is None or not (build / PARTS).exists():
        return {}
    held = json.loads((build / PARTS).read_text(encoding="utf-8"))
    return {column: ValuePart(mark=mark, count=count, cut=cut) for column, (mark, count, cut) in held.items()}


def written_parts(parts: Mapping[str, ValuePart]) -> str:
    """The same as text."""
    held = {column: (part.mark, part.count, part.cut) for column, part in parts.items()}
    return json.dumps(held, ensure_ascii=False)


def _writer(build: Path, before: Path | None, keep: Collection[str]) -> tuple[Any, int]:
    """A writer into the build, and how many values it begins with: those of the kept columns."""
    folder = build / "values"
    if before is None:
        folder.mkdir()
        return _registered(tantivy.Index(_schema(), path=str(folder))).writer(heap_size=HEAP, num_threads=1), 0
    link_tree(before / "values", folder)
    writer = _registered(tantivy.Index.open(str(folder))).writer(heap_size=HEAP, num_threads=1)
    held = read_parts(before)
    for column in held.keys() - keep:
        writer.delete_documents_by_term("owner", column)
    return writer, sum(held[column].count for column in keep if column in held)


def _schema() -> Any:
    return (
        tantivy.SchemaBuilder()
        .add_text_field("whole", tokenizer_name="raw", index_option="basic")
        .add_text_field("pairs", tokenizer_name="pairs", index_option="freq")
        .add_text_field("owner", tokenizer_name="raw", index_option="basic")
        .add_text_field("stored", stored=True, tokenizer_name="raw", index_option="basic")
        .build()
    )


def _add(writer: Any, batch: Iterable[Value]) -> int:
    count = 0
    for value in batch:
        said = value.word or value.text
        folded = fold(said)
        kept = "\x00".join(Stored(value.table, value.column, value.text, said))
        writer.add_document(tantivy.Document(whole=folded, pairs=folded[:256], owner=value.column_id, stored=kept))
        count += 1
    return count


def _finish(writer: Any, build: Path, stamp: IndexStamp, parts: Mapping[str, ValuePart]) -> None:
    writer.commit()
    writer.wait_merging_threads()
    (build / PARTS).write_text(written_parts(parts), encoding="utf-8")
    write_stamp(build, stamp)


def _candidates(index: tantivy.Index, searcher: Any, word: str) -> list[Stored]:
    """What shares most with the word: the whole text first of all, then pairs of characters, the rare ones."""
    folded = fold(word)
    if not folded:
        return []
    asked = [tantivy.Query.boost_query(tantivy.Query.term_query(index.schema, "whole", folded, "basic"), 10.0)]
    pairs = () if is_code(folded) else _telling(searcher, pairs_of(folded))
    asked += [tantivy.Query.term_query(index.schema, "pairs", pair, "freq") for pair in pairs]
    query = tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in asked])
    hits = searcher.search(query, limit=CANDIDATES, count=False).hits
    return [Stored(*searcher.doc(address).get_first("stored").split("\x00")) for _, address in hits]


def pairs_of(folded: str) -> list[str]:
    """The pairs of characters of a text, each once; one character alone is its own pair."""
    return list(dict.fromkeys(folded[i : i + 2] for i in range(len(folded) - 1)))[:MAX_PAIRS] or [folded]


def _telling(searcher: Any, pairs: Sequence[str]) -> list[str]:
    """The pairs that few values have, three at least: those of many values tell little and cost most."""
    held = sorted((found, pair) for pair in pairs if (found := searcher.doc_freq("pairs", pair)))
    read = accumulate(found for found, _ in held)
    return [
        pair for number, (total, (_, pair)) in enumerate(zip(read, held, strict=True)) if number < 3 or total <= READ
    ]
