"""Metrics by meaning and by words, in a folder."""

from pathlib import Path

from repositories.embedded.text_index import TextIndex
from repositories.texts import MetricsInTexts


class EmbeddedMetricIndex(MetricsInTexts):
    """`MetricIndex` with no server to start."""

    def __init__(self, folder: Path, model: str, dimension: int) -> None:
        super().__init__(TextIndex(folder, model, dimension, "metric index"))
