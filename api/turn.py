"""What one question has shown so far, and the answer made of it."""

from collections.abc import Mapping
from time import perf_counter
from typing import Any
from uuid import uuid4

from pydantic import BaseModel

from data_agent.domain.answer import Answer, Decision, Rows, Step, Usage
from data_agent.domain.language import language_of
from data_agent.domain.reading import Reading
from data_agent.errors import Busy, DataAgentError
from data_agent.events import (
    Done,
    Failed,
    HumanReviewRequest,
    IntentClassified,
    Progress,
    Reasoning,
    ToolCallEnd,
    Warned,
)

SHOWN = 2000  # characters of a question that are repeated back


class Turn:
    """Listens to the events and the state's changes of one question."""

    def __init__(self, question: str, thread_id: str | None) -> None:
        self.question = question
        self.thread_id = thread_id or uuid4().hex
        self.language = language_of(question)
        self.warehouse = ""
        self._start = perf_counter()
        self._steps: list[Step] = []
        self._usage = Usage()
        self._warnings: list[str] = []
        self._changes: dict[str, Any] = {}
        self._reading: Reading | None = None
        self._decision: Decision | None = None
        self._review: HumanReviewRequest | None = None

    def put(self, question: str) -> None:
        """The question as it was understood: cleaned, or the one that waited for a choice."""
        self.question, self.language = question, language_of(question)

    @property
    def elapsed_ms(self) -> float:
        """Milliseconds since the question came in."""
        return round((perf_counter() - self._start) * 1000, 3)

    def hear(self, event: BaseModel) -> None:
        """Note what an event says about the answer."""
        match event:
            case Progress(ms=float(ms), step=name):
                self._steps.append(Step(name=name, ms=ms))
            case ToolCallEnd(usage=usage):
                self._usage += usage
            case Warned(message=message):
                self._warnings.append(message)
            case Reasoning(reading=Reading() as reading):
                self._reading = reading
            case IntentClassified(decision=decision):
                self._decision = decision
            case HumanReviewRequest():
                self._review = event

    def learn(self, changes: Mapping[str, Any]) -> None:
        """Note what a node changed in the state."""
        self._changes.update(changes)

    @property
    def answered(self) -> bool:
        """Whether an end node gave an answer to this very question: an older one may still lie in the thread."""
        answer = self._changes.get("answer")
        return isinstance(answer, Answer) and answer.question == self.question

    def answer(self) -> Answer:
        """The end node's answer with everything the door knows: steps, usage, warnings, time."""
        if not (self.answered or self._review):
            raise RuntimeError("the graph ended without an answer")
        return self._complete(self._changes["answer"] if self.answered and not self._review else self._partial())

    def _complete(self, found: Answer) -> Answer:
        return found.model_copy(
            update={
                "warnings": tuple(dict.fromkeys([*found.warnings, *self._warnings])),
                "model_calls": self._usage.calls,
                "prompt_tokens": self._usage.prompt_tokens,
                "completion_tokens": self._usage.completion_tokens,
                "steps": tuple(self._steps),
                "elapsed_ms": self.elapsed_ms,
                "thread_id": self.thread_id,
                "warehouse": self.warehouse,
            }
        )

    def _partial(self) -> Answer:
        """What was found until it stopped: a question for the person, or nothing but the way there."""
        rows: Rows = self._changes.get("rows") or Rows()
        return Answer(
            question=self.question[:SHOWN],
            path="clarify" if self._review else "none",
            intent=self._decision.intent if self._decision else "data_query",
            reading=self._reading,
            sql=self._changes.get("sql") or None,
            columns=rows.columns,
            rows=rows.rows,
            row_count=len(rows.rows),
            truncated=rows.truncated,
            summary=self._review.question if self._review else "",
            choices=self._review.ambiguities if self._review else (),
        )

    def failed(self, error: DataAgentError) -> Failed:
        """The error as the caller hears it."""
        return Failed(
            code=error.code,
            message=error.message,
            hint=error.hint,
            step=str(getattr(error, "failed_step", "")),
            status=error.status,
            retry_after=error.retry_after if error.status == Busy.status and isinstance(error, Busy) else None,
            answer=self._complete(self._partial()),
        )

    def done(self) -> Done:
        """The last event."""
        return Done(thread_id=self.thread_id, elapsed_ms=self.elapsed_ms)
