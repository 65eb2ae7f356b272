"""What may be asked: the text of a question made clean, or a clear word on why it cannot be read."""

import re
import unicodedata
from typing import Any

from pydantic import BaseModel, model_validator

from data_agent.domain.language import Language, language_of
from data_agent.errors import EmptyQuestion, InvalidInput, QuestionTooLong

_THREAD = re.compile(r"[A-Za-z0-9_.:-]{1,128}")
_DIRECTION_MARKS = dict.fromkeys([0x200B, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])


def said(language: Language, zh: str, en: str) -> str:
    """The sentence in the asker's language."""
    return zh if language == "zh" else en


def clean_question(text: str, max_chars: int) -> str:
    """The question without control characters, half characters and invisible direction marks.

    Raises:
        EmptyQuestion: nothing is left.
        QuestionTooLong: more than `max_chars` characters are left.
    """
    kept = (" " if unicodedata.category(char) in {"Cc", "Cs"} else char for char in text.translate(_DIRECTION_MARKS))
    question = " ".join("".join(kept).split())
    if not question:
        raise EmptyQuestion("the question is empty · 问题是空的", hint="ask e.g. 2025年第一季度各大区的销售额")
    if len(question) > max_chars:
        language = language_of(question[:max_chars])
        raise QuestionTooLong(
            said(
                language,
                f"问题太长：{len(question)} 个字符，最多 {max_chars} 个",
                f"the question is too long: {len(question)} characters, at most {max_chars}",
            ),
            hint=said(
                language,
                "请缩短问题，或调大 options.max_question_chars",
                "shorten it, or raise options.max_question_chars",
            ),
        )
    return question


class WholeText(BaseModel):
    """A body whose texts may come with half characters, which no answer could repeat: each becomes a question mark."""

    @model_validator(mode="before")
    @classmethod
    def whole(cls, body: Any) -> Any:
        """The body without half characters; what is nested too deeply is left to be refused."""
        try:
            return _whole(body)
        except RecursionError:
            return None


def _whole(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case dict():
            return {_whole(key): _whole(each) for key, each in value.items()}
        case list():
            return [_whole(each) for each in value]
    return value


def known_thread(thread_id: str) -> str:
    """The id of a thread, as a caller may name it.

    Raises:
        InvalidInput: it is not 1-128 letters, digits and `_.:-`.
    """
    if not _THREAD.fullmatch(thread_id):
        raise InvalidInput(
            "thread_id must be 1-128 letters, digits or _.:- · thread_id 应为 1-128 个字母、数字或 _.:-",
            hint="leave it out to start a new conversation · 省略它即开始新会话",
        )
    return thread_id
