"""Text to vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors of one dimension. `name` and `dimension` are stored with every index."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One L2-normalised float32 row per text, shape (len(texts), dimension)."""
        ...

    async def close(self) -> None:
        """Give back threads and connections; again is harmless."""
        ...
