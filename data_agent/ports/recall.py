"""The indexes that a question is linked with. One interface for reading, one for building, per index."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from typing import Protocol

from data_agent.domain.frozen import Frozen
from data_agent.domain.value import ColumnHit, MetricHit, Value
from data_agent.ports.embedder import Vectors


class IndexStamp(Frozen):
    """What an index was built from. A reader refuses one whose model or dimension is not its own."""

    catalog_version: str
    model: str
    dimension: int
    built_at: str = ""
    count: int = 0


class IndexedText(Frozen):
    """What goes into a column or metric index: `id` is `table`, `table.column` or a metric name.

    `names` are its name and aliases (short, matched whole), `text` is the long description that is embedded.
    """

    id: str
    names: tuple[str, ...]
    text: str


class ValuePart(Frozen):
    """What a value index holds of one column: `count` values, read under `mark` (empty: to be read again every time).

    `cut` says that the warehouse holds more values than were read.
    """

    mark: str = ""
    count: int = 0
    cut: bool = False


Parts = Callable[[], Mapping[str, ValuePart]]
"""The parts of a new index by column id; asked for when its stream has ended."""


def no_parts() -> dict[str, ValuePart]:
    """An index that keeps no account of its columns is read anew every time."""
    return {}


class ColumnIndex(Protocol):
    """Tables and columns by meaning and by words.

    Raises:
        StoreUnavailable, IndexMissing, IndexMismatch.
    """

    async def stamp(self) -> IndexStamp | None:
        """What the live index was built from, or None when there is none."""
        ...

    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[ColumnHit]:
        """Union of the `limit` nearest by meaning and the `limit` best by words, tables and columns counted apart.

        The first row of `vectors` is the question, further rows are its keywords. Tables come as hits with an empty
        `column`. `dense` is the cosine of question and description, `words` the cosines of the names with every row and
        `name` the best of them, `text` the lexical score (above 0, no upper end); a side that did not find the hit
        leaves None.
        """
        ...

    async def replace(
        self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors | None = None
    ) -> None:
        """Swap in a whole new index atomically: a reader sees the old or the new one.

        `vectors` and `names` have one row per text: its description and its joined names (left out: the description).
        """
        ...


class MetricIndex(Protocol):
    """Metrics by meaning and by words; the same promises as `ColumnIndex`."""

    async def stamp(self) -> IndexStamp | None:
        """What the live index was built from, or None when there is none."""
        ...

    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[MetricHit]:
        """Union of the nearest by vector and the best by words."""
        ...

    async def replace(
        self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors | None = None
    ) -> None:
        """Swap in a whole new index atomically."""
        ...


class ValueIndex(Protocol):
    """Stored values by words: exact, prefix, substring, one typo, inside a question, two-character Chinese."""

    async def stamp(self) -> IndexStamp | None:
        """What the live index was built from, or None when there is none."""
        ...

    async def parts(self) -> dict[str, ValuePart]:
        """What the live index holds of each column; empty when there is none."""
        ...

    async def search(self, words: Sequence[str], limit: int) -> list[Value]:
        """The best values for each word (up to `limit` a word), in one request; `Value.word` says which, score 0-1."""
        ...

    async def replace(
        self,
        stamp: IndexStamp,
        values: AsyncIterator[Sequence[Value]],
        *,
        keep: Collection[str] = (),
        parts: Parts = no_parts,
    ) -> int:
        """Swap in a new index atomically from a stream of batches; returns how many values it holds.

        The values of the columns in `keep` are taken over from the live index, the stream brings all others. A value
        that comes with a `word` is found by that word (a label, another name) and given back as its `text`.
        """
        ...
