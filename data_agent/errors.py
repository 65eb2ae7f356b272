"""Every way a question can fail, as one tree; each class carries its HTTP status, code and exit code.

DataAgentError
├── InvalidInput            the caller sent something we cannot read            422  64
│   ├── EmptyQuestion, QuestionTooLong, ImpossibleDate, AmbiguousDate
│   ├── UnknownName, UnknownChoice   a name that means nothing here, a choice that was not offered
│   ├── NothingWaits, NothingRuns    nothing of this caller's to resume or stop there   404  64
│   └── InvalidSettings
├── CatalogInvalid          a catalog file has mistakes (all of them listed)    422  64
├── Refused                 we understood and will not do it                    403   3
│   ├── UnsafeSql           the guard did not admit the statement
│   └── NotPermitted        the caller's role does not allow it
├── NeedsClarification      a person has to choose first                        409   2
├── CannotAnswer            no honest answer can be given                       422   4
│   ├── NotUnderstood       words of the question could not be placed
│   ├── NoSql               the model's reply holds no statement
│   ├── ReplyTruncated, ReplyUnreadable  the model's reply was cut, or has no usable structure
│   ├── CorrectionsExhausted, CorrectionRepeated
│   ├── StatementFailed     the database complained while running it
│   └── ResultTooLarge
├── Cancelled               a person stopped the question                       409   5
├── Busy                    too much at once: queue full                        429   5
│   └── ThreadBusy          another question of the thread is running           409   5
└── DependencyError         something outside failed                            503   5
    ├── ModelUnavailable, ModelTimeout, ModelRejected, ModelNotConfigured
    ├── WarehouseUnavailable, WarehouseTimeout, QuestionTimeout
    └── StoreUnavailable, IndexMissing, IndexMismatch
"""

from collections.abc import Sequence
from typing import ClassVar


class DataAgentError(Exception):
    """Base of all our errors. `message` is for people; `hint` says how to mend it; neither holds secrets or rows."""

    status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 4
    code: ClassVar[str] = "internal"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InvalidInput(DataAgentError):
    """The caller sent something that cannot be read."""

    status, exit_code, code = 422, 64, "invalid_input"


class EmptyQuestion(InvalidInput):
    """The question has no content."""

    code = "empty_question"


class QuestionTooLong(InvalidInput):
    """The question is longer than the limit."""

    status, code = 413, "question_too_long"


class ImpossibleDate(InvalidInput):
    """The question names a date that does not exist (30 February, month 13, Q5)."""

    code = "impossible_date"


class AmbiguousDate(InvalidInput):
    """The question names a date that can be read in two ways (03/05/2025)."""

    code = "ambiguous_date"


class UnknownName(InvalidInput):
    """A name means nothing here, or a condition cannot be read; the hint names the nearest."""

    code = "unknown_name"


class UnknownChoice(InvalidInput):
    """What was chosen was not offered."""

    code = "unknown_choice"


class NothingWaits(InvalidInput):
    """No question of this caller waits in the thread: none was asked, it was answered, or it is somebody else's."""

    status, code = 404, "nothing_waits"


class NothingRuns(InvalidInput):
    """No question of this caller runs in the thread: it has ended, was never put, or is somebody else's."""

    status, code = 404, "nothing_runs"


class InvalidSettings(InvalidInput):
    """A settings file or variable is wrong."""

    code = "invalid_settings"


class CatalogInvalid(InvalidInput):
    """A catalog file has mistakes; `problems` lists each with file, line and field."""

    code = "catalog_invalid"

    def __init__(self, problems: list[str], *, hint: str = "") -> None:
        super().__init__("\n".join(problems), hint=hint)
        self.problems = problems


class Refused(DataAgentError):
    """Understood, and not done."""

    status, exit_code, code = 403, 3, "refused"


class UnsafeSql(Refused):
    """The guard did not admit a statement; the message is exact enough to correct from.

    `reason_code`: which rule (stable); `zh`: in Chinese; `unknown`: a name not found; `nearest`: real ones like it.
    """

    code = "unsafe_sql"

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        reason_code: str = "unsafe",
        zh: str = "",
        unknown: str = "",
        nearest: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, hint=hint)
        self.reason_code = reason_code
        self.zh = zh or message
        self.unknown = unknown
        self.nearest = nearest


class NotPermitted(Refused):
    """The caller's role does not allow it."""

    code = "not_permitted"


class NeedsClarification(DataAgentError):
    """A person has to choose between real candidates first; `choices` are the ambiguities (domain.reading)."""

    status, exit_code, code = 409, 2, "needs_clarification"

    def __init__(self, message: str, *, choices: Sequence[object] = (), hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.choices = tuple(choices)


class CannotAnswer(DataAgentError):
    """No honest answer can be given."""

    status, exit_code, code = 422, 4, "cannot_answer"


class NotUnderstood(CannotAnswer):
    """Some words of the question could not be placed and there is no model to ask."""

    code = "not_understood"


class NoSql(CannotAnswer):
    """The model's reply holds no statement; the message keeps its reason."""

    code = "no_sql"


class ReplyTruncated(CannotAnswer):
    """The model's reply was cut by a token limit or a lost connection."""

    code = "truncated"


class ReplyUnreadable(CannotAnswer):
    """The model's reply could not be read as the structure that was asked for, in any mode."""

    code = "reply_unreadable"


class CorrectionsExhausted(CannotAnswer):
    """Every allowed correction was tried; the message ends with the last reason."""

    code = "corrections_exhausted"


class CorrectionRepeated(CannotAnswer):
    """The correction came back unchanged, so asking again is useless."""

    code = "correction_repeated"


class StatementFailed(CannotAnswer):
    """The database complained about an admitted statement while running it."""

    code = "statement_failed"


class ResultTooLarge(CannotAnswer):
    """One row alone is over the byte limit."""

    code = "result_too_large"


class Cancelled(DataAgentError):
    """A person stopped the question; what it ran in the database was stopped too."""

    status, exit_code, code = 409, 5, "cancelled"


class Busy(DataAgentError):
    """Too much at once; try again after `retry_after` seconds."""

    status, exit_code, code = 429, 5, "busy"
    retry_after: int = 1


class ThreadBusy(Busy):
    """Another question of the same thread is still running."""

    status, code = 409, "thread_busy"


class DependencyError(DataAgentError):
    """Something outside failed. Never shown to the model."""

    status, exit_code, code = 503, 5, "dependency_down"


class ModelUnavailable(DependencyError):
    """The language model cannot be reached."""

    code = "model_unavailable"


class ModelTimeout(ModelUnavailable):
    """The language model did not answer in time."""

    code = "model_timeout"


class ModelRejected(ModelUnavailable):
    """The language model refused the request (key, content filter, parameters)."""

    code = "model_rejected"


class ModelNotConfigured(DependencyError):
    """The question needs a language model and none is set up."""

    code = "model_not_configured"


class WarehouseUnavailable(DependencyError):
    """The warehouse cannot be reached or refused the login."""

    code = "warehouse_unavailable"


class WarehouseTimeout(WarehouseUnavailable):
    """The statement ran longer than allowed and was stopped."""

    status, code = 504, "warehouse_timeout"


class StoreUnavailable(DependencyError):
    """The metadata, vector or text store cannot be reached."""

    code = "store_unavailable"


class IndexMissing(StoreUnavailable):
    """Nothing has been indexed yet."""

    code = "index_missing"


class IndexMismatch(StoreUnavailable):
    """The index was made by another catalog version or embedding model."""

    code = "index_mismatch"


class QuestionTimeout(DependencyError):
    """The whole question took longer than its time limit."""

    status, code = 504, "question_timeout"
