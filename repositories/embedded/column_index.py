"""Tables and columns by meaning and by words, in a folder."""

from pathlib import Path

from repositories.embedded.text_index import TextIndex
from repositories.texts import ColumnsInTexts


class EmbeddedColumnIndex(ColumnsInTexts):
    """`ColumnIndex` with no server to start."""

    def __init__(self, folder: Path, model: str, dimension: int) -> None:
        super().__init__(TextIndex(folder, model, dimension, "column index"))
