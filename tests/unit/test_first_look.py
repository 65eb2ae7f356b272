"""A look in fewer dimensions at very many vectors gives what the whole comparison gives."""

from pathlib import Path

import numpy as np

from data_agent.ports.embedder import Vectors
from data_agent.ports.recall import IndexedText
from repositories.embedded.vectors import MANY, Build, write

DIMENSION, SUBJECTS = 96, 12


def texts_about(subjects: int, count: int, chance: np.random.Generator) -> Vectors:
    """Unit vectors that lie near a few subjects and differ more in some directions than in others, as real ones do."""
    spread = 1 / (1 + np.arange(DIMENSION) / 16)
    middles = np.random.default_rng(1).normal(size=(subjects, DIMENSION))
    near = middles[chance.integers(0, subjects, count)] + spread * chance.normal(size=(count, DIMENSION))
    return np.asarray(near / np.linalg.norm(near, axis=1, keepdims=True), dtype=np.float32)


def built(folder: Path, count: int, chance: np.random.Generator) -> tuple[Build, Vectors, Vectors]:
    text, name = (texts_about(SUBJECTS, count, chance) for _ in range(2))
    said = [IndexedText(id=f"t{number % 9}.c{number}", names=(), text=f"column {number}") for number in range(count)]
    folder.mkdir()
    write(folder, said, text, name)
    return Build(folder), text, name


def test_what_the_first_look_lets_through_is_what_the_whole_comparison_finds(tmp_path: Path) -> None:
    chance = np.random.default_rng(11)
    build, text, name = built(tmp_path / "many", MANY + 500, chance)
    assert build.fewer is not None
    for asked in (texts_about(SUBJECTS, 3, chance) for _ in range(20)):
        exact = text @ asked[0] + (name @ asked.T).max(axis=1)
        best = {f"t{row % 9}.c{row}" for row in np.argsort(-exact)[:50]}
        found = {hit.id for hit in build.search(asked, [], 50)}
        assert len(best & found) >= 45
        assert f"t{exact.argmax() % 9}.c{exact.argmax()}" in found


def test_a_text_is_found_by_its_own_vector_among_many(tmp_path: Path) -> None:
    build, text, name = built(tmp_path / "many", MANY, np.random.default_rng(12))
    for row in range(0, MANY, 500):
        found = {hit.id: hit for hit in build.search(np.stack([text[row], name[row]]), [], 5)}
        mine = found[f"t{row % 9}.c{row}"]
        assert mine.dense == 1.0 and mine.name == 1.0


def test_few_texts_are_compared_as_they_are(tmp_path: Path) -> None:
    build, *_ = built(tmp_path / "few", 300, np.random.default_rng(13))
    assert build.fewer is None
