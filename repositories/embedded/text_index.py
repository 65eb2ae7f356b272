"""What the embedded column and metric indexes share: open the live build, check its stamp, search, swap."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from data_agent.ports.embedder import Vectors
from data_agent.ports.recall import IndexedText, IndexStamp
from repositories.embedded import vectors as files
from repositories.embedded.builds import Builds, check_model, read_stamp
from repositories.embedded.errors import translated
from repositories.embedded.vectors import Build
from repositories.texts import Found


class TextIndex:
    """An index of texts in `folder`, read with the embedding model `model` of `dimension` numbers a text."""

    def __init__(self, folder: Path, model: str, dimension: int, what: str) -> None:
        self.builds = Builds(folder, what)
        self.model = model
        self.dimension = dimension
        self._open: tuple[Path, Build] | None = None
        self._lock = Lock()

    async def stamp(self) -> IndexStamp | None:
        """What the live build was made from."""
        with translated(self.builds.what, self.builds.folder):
            return await asyncio.to_thread(self.builds.stamp)

    async def search(self, vectors: Vectors, words: Sequence[str], limit: int) -> list[Found]:
        """Search the live build.

        Raises:
            StoreUnavailable, IndexMissing, IndexMismatch.
        """
        with translated(self.builds.what, self.builds.folder):
            return await asyncio.to_thread(lambda: self.opened().search(vectors, words, limit))

    def opened(self) -> Build:
        """The live build, opened once and again when another one was published."""
        live = self.builds.demand()
        with self._lock:
            if self._open is None or self._open[0] != live:
                check_model(read_stamp(live), self.model, self.dimension, self.builds.what)
                self._open = (live, Build(live))
            return self._open[1]

    async def replace(
        self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors | None = None
    ) -> None:
        """Build beside the live one and swap."""
        whole = stamp.model_copy(update={"count": len(texts)})
        with translated(self.builds.what, self.builds.folder):
            await asyncio.to_thread(self._build, whole, texts, vectors, vectors if names is None else names)

    def _build(self, stamp: IndexStamp, texts: Sequence[IndexedText], vectors: Vectors, names: Vectors) -> None:
        check_model(stamp, self.model, self.dimension, self.builds.what)
        if not len(texts) == len(vectors) == len(names):
            raise TypeError(f"{len(texts)} texts need as many vectors; too few or many: {len(vectors)}, {len(names)}")
        with self.builds.building(stamp) as build:
            files.write(build, texts, vectors, names)
