"""One build of a text index: vectors in memory-mapped files, words in tantivy."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import tantivy
from numpy.typing import NDArray

from data_agent.ports.embedder import Vectors
from data_agent.ports.recall import IndexedText
from data_agent.wording.glossary import translated
from data_agent.wording.tokens import tokens
from repositories.embedded.fewer import Fewer, write_fewer
from repositories.texts import Found

Scores = NDArray[np.float32]
Rows = NDArray[np.int64]
FIELD = "tokens"
MANY = 4096
"""From so many texts on, a first look in fewer dimensions says which of them are worth the whole comparison."""
LOOKED_AT = 3
"""How many times the limit passes the first look."""
TRANSLATED = 0.5  # a word that only the glossary knows counts half


def write(build: Path, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors) -> None:
    """Put texts and vectors into a fresh build folder."""
    np.save(build / "text.npy", np.ascontiguousarray(vectors, dtype=np.float32))
    np.save(build / "name.npy", np.ascontiguousarray(names, dtype=np.float32))
    (build / "ids.json").write_text(json.dumps([text.id for text in texts], ensure_ascii=False), encoding="utf-8")
    write_words(build / "words", texts)
    if len(texts) >= MANY:
        write_fewer(build, vectors, names)


def write_words(folder: Path, texts: Sequence[IndexedText]) -> None:
    """Index the tokens of names and texts; names count more because they stand in the text too."""
    folder.mkdir()
    schema = tantivy.SchemaBuilder().add_text_field(FIELD, tokenizer_name="whitespace", index_option="freq")
    index = tantivy.Index(schema.add_integer_field("row", fast=True).build(), path=str(folder))
    writer = index.writer(heap_size=50_000_000, num_threads=1)
    for row, text in enumerate(texts):
        joined = " ".join(tokens(" ".join((text.id.rpartition(".")[2], *text.names, text.text))))
        writer.add_document(tantivy.Document(**{FIELD: joined, "row": row}))
    writer.commit()
    writer.wait_merging_threads()


class Build:
    """A build opened for reading. Tables and columns compete for the limit apart from each other."""

    def __init__(self, folder: Path) -> None:
        self.ids: list[str] = json.loads((folder / "ids.json").read_text(encoding="utf-8"))
        self.text: Vectors = np.load(folder / "text.npy", mmap_mode="r")
        self.name: Vectors = np.load(folder / "name.npy", mmap_mode="r")
        self.words = tantivy.Index.open(str(folder / "words"))
        self.parents = parents(self.ids)
        self.own = np.array([not parent for parent in self.parents], dtype=bool)
        self.fewer = Fewer.opened(folder)

    def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[Found]:
        """The nearest by meaning and the best by words of each group; every hit carries its cosines."""
        if not self.ids:
            return []
        lexical = self.lexical(words, limit)
        if not len(vectors):
            return [Found(self.ids[row], self.parents[row], None, None, score) for row, score in lexical.items()]
        looked = self.worth_a_look(vectors, limit)
        rows = np.union1d(looked, np.fromiter(lexical, dtype=np.int64, count=len(lexical)))
        dense: Scores = self.text[rows] @ vectors[0]
        by_word: Scores = self.name[rows] @ vectors.T
        name: Scores = by_word.max(axis=1)
        near = np.isin(rows, self.nearest(dense + name, rows, limit)) | np.isin(rows, list(lexical))
        told = np.column_stack([dense, name, by_word])[near].round(5).tolist()
        return [
            Found(self.ids[row], self.parents[row], one[0], one[1], lexical.get(row), tuple(one[2:]))
            for row, one in zip(rows[near].tolist(), told, strict=True)
        ]

    def worth_a_look(self, vectors: Vectors, limit: int) -> Rows:
        """All rows, or of very many those that a look in fewer dimensions puts first."""
        every = np.arange(len(self.ids))
        if self.fewer is None:
            return every
        return self.nearest(self.fewer.scores(vectors), every, LOOKED_AT * limit)

    def nearest(self, scores: Scores, rows: Rows, limit: int) -> Rows:
        """The best `limit` of these rows in each group."""
        own = self.own[rows]
        groups = (np.flatnonzero(own), np.flatnonzero(~own))
        best = [one[np.argpartition(-scores[one], limit)[:limit]] if len(one) > limit else one for one in groups]
        return rows[np.concatenate(best)]

    def lexical(self, words: Sequence[str], limit: int) -> dict[int, float]:
        """The best rows by words, with their scores."""
        wanted = dict.fromkeys((token for word in words for token in translated(word)), TRANSLATED)
        wanted |= dict.fromkeys((token for word in words for token in tokens(word)), 1.0)
        if not wanted:
            return {}
        schema = self.words.schema
        terms = [
            tantivy.Query.boost_query(tantivy.Query.term_query(schema, FIELD, token, "freq"), weight)
            for token, weight in wanted.items()
        ]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])
        searcher = self.words.searcher()
        hits = searcher.search(query, limit=2 * limit, count=False).hits
        rows = searcher.fast_field_values("row", [address for _, address in hits])
        return {int(row): float(score) for row, (score, _) in zip(rows, hits, strict=True) if row is not None}


def parents(ids: Sequence[str]) -> list[str]:
    """For each id the table it hangs below (`orders` for `orders.status`), empty for what stands on its own."""
    known = set(ids)
    above = (id_.rpartition(".")[0] for id_ in ids)
    return [parent if parent in known else "" for parent in above]
