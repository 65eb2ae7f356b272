"""Turn whatever was raised into one of our errors, fit to be shown."""

import logging
import traceback

from langgraph.errors import GraphRecursionError

from api.questions import said
from api.turn import Turn
from data_agent.errors import CannotAnswer, DataAgentError, QuestionTimeout

log = logging.getLogger(__name__)


def told(error: Exception, turn: Turn, total_seconds: float) -> DataAgentError:
    """The error a person gets: ours unchanged, a foreign one without its text, which may hold rows or secrets."""
    language = turn.language
    match error:
        case DataAgentError():
            return error
        case TimeoutError():
            return QuestionTimeout(
                said(
                    language,
                    f"{total_seconds:g} 秒内没有答完，已停止",
                    f"no answer within {total_seconds:g} s, stopped",
                ),
                hint=said(
                    language, "缩小时间范围，或调大 options.total_seconds", "narrow it, or raise options.total_seconds"
                ),
            )
        case GraphRecursionError():
            return CannotAnswer(said(language, "步骤太多，已停止", "too many steps, stopped"))
    log.error("unexpected %s in thread %s: %s", type(error).__name__, turn.thread_id, places(error))
    unexpected = DataAgentError(
        said(
            language,
            f"出了意外的错误（{type(error).__name__}）",
            f"something unexpected went wrong ({type(error).__name__})",
        ),
        hint=said(language, "日志里有会话编号和出错位置", "the log names the thread and the place"),
    )
    unexpected.failed_step = getattr(error, "failed_step", "")  # type: ignore[attr-defined]
    return unexpected


def places(error: BaseException) -> str:
    """Where it happened, innermost first: files, lines and functions, never a line of source or a value."""
    frames = traceback.extract_tb(error.__traceback__)
    return " < ".join(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in reversed(frames))
