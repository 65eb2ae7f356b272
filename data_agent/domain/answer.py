"""What comes back: rows that JSON can hold, and the answer around them."""

from typing import Any, Literal

from data_agent.domain.frozen import Frozen
from data_agent.domain.reading import Ambiguity, Reading

Intent = Literal["data_query", "knowledge", "realtime", "action", "chitchat", "clarify", "mixed"]
Path = Literal["reading", "model", "knowledge", "chitchat", "clarify", "declined", "none"]


class ResultColumn(Frozen):
    """A column of a result. `kind` drives display: integers over 2^53 travel as text and are marked `big_integer`."""

    name: str
    label: str = ""
    kind: Literal[
        "text",
        "integer",
        "big_integer",
        "decimal",
        "float",
        "date",
        "datetime",
        "time",
        "bool",
        "bytes",
        "json",
        "null",
    ] = "text"
    unit: str = ""
    format: str = ""


class Rows(Frozen):
    """A result, JSON-safe: every cell is None, bool, int, float or str. `truncated` says that rows were left out."""

    columns: tuple[ResultColumn, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    truncated: bool = False
    notices: tuple[str, ...] = ()


class Step(Frozen):
    """A step that ran and how long it took."""

    name: str
    ms: float


class Decision(Frozen):
    """Which way a question goes and why."""

    intent: Intent
    confidence: float
    reasoning: str
    stage: Literal["rules", "model", "default"]


class Usage(Frozen):
    """What the models were asked for."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """Add up."""
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
        )


class Answer(Frozen):
    """One answer, as `ask --json` prints it and the `result` event carries it.

    `warehouse` is the name of the one it was answered from.
    `freshness` is the newest day of what dates its numbers (ISO); empty when it cannot be told.
    """

    question: str
    path: Path
    intent: Intent
    reading: Reading | None = None
    sql: str | None = None
    dialect: str = ""
    columns: tuple[ResultColumn, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    row_count: int = 0
    truncated: bool = False
    summary: str = ""
    freshness: str = ""
    confidence: float = 0.0
    warnings: tuple[str, ...] = ()
    choices: tuple[Ambiguity, ...] = ()
    sources: tuple[str, ...] = ()
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    elapsed_ms: float = 0.0
    steps: tuple[Step, ...] = ()
    thread_id: str = ""
    warehouse: str = ""
