"""A first look at very many vectors: the same vectors in the few dimensions in which they differ most.

Principal components of the texts and names themselves (Pearson 1901); what passes the look is compared in full.
"""

from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from data_agent.ports.embedder import Vectors

DIMENSIONS = 64
BASIS, TEXT, NAME = "fewer-basis.npy", "fewer-text.npy", "fewer-name.npy"


class Fewer(NamedTuple):
    """`basis` is dimension x 64; the rows of `text` and `name` are those of the whole vectors times it."""

    basis: Vectors
    text: Vectors
    name: Vectors

    @classmethod
    def opened(cls, folder: Path) -> Self | None:
        """What a build keeps of them; None for one that has none."""
        if not (folder / BASIS).exists():
            return None
        return cls(*(np.load(folder / file) for file in (BASIS, TEXT, NAME)))

    def scores(self, vectors: Vectors) -> Vectors:
        """About the cosine with the question (first row) and with the closest of all rows, summed, for each text."""
        asked = vectors @ self.basis
        near: Vectors = self.text @ asked[0] + (self.name @ asked.T).max(axis=1)
        return near


def write_fewer(folder: Path, vectors: Vectors, names: Vectors) -> None:
    """Put them beside the whole vectors."""
    moments = vectors.T @ vectors + names.T @ names
    _, directions = np.linalg.eigh(moments.astype(np.float64))
    basis = np.ascontiguousarray(directions[:, -DIMENSIONS:], dtype=np.float32)
    np.save(folder / BASIS, basis)
    np.save(folder / TEXT, vectors @ basis)
    np.save(folder / NAME, names @ basis)
