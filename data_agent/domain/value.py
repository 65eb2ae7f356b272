"""Stored values that a question may mean, and recalled hits in general."""

from data_agent.domain.frozen import Frozen


class Value(Frozen):
    """A value stored in the warehouse. `text` is exactly as stored; `word` is what the question said; score is 0-1."""

    table: str
    column: str
    text: str
    word: str = ""
    score: float = 1.0

    @property
    def column_id(self) -> str:
        """`table.column`."""
        return f"{self.table}.{self.column}"


class ColumnHit(Frozen):
    """A recalled column or, with an empty `column`, a table. Scores are the raw ones of each side, None = not found.

    `dense` compares with its description, `name` with its name alone (both cosines), `text` is lexical. `words` are the
    cosines of its name with each row that was asked for, the question first.
    """

    table: str
    column: str = ""
    dense: float | None = None
    name: float | None = None
    text: float | None = None
    words: tuple[float, ...] = ()
    score: float = 0.0


class MetricHit(Frozen):
    """A recalled metric."""

    metric: str
    dense: float | None = None
    name: float | None = None
    text: float | None = None
    score: float = 0.0
