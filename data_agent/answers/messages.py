"""Sentences for people, in both languages: what could not be understood, what has to be chosen."""

from collections.abc import Sequence

from data_agent.domain.language import Language
from data_agent.domain.reading import Ambiguity, Reading

_JOINER: dict[Language, str] = {"zh": "、", "en": ", "}


def not_understood(reading: Reading) -> str:
    """Which words have no place in the reading, and what is known near each."""
    language = reading.language
    if not reading.unplaced:
        return {
            "zh": "没有看出要查什么：请说出一个指标（例如销售额）或要列出的对象。",
            "en": "I cannot tell what to look up: name a metric (for example sales) or what to list.",
        }[language]
    words = _JOINER[language].join(
        f"「{part.words}」" if language == "zh" else f'"{part.words}"' for part in reading.unplaced
    )
    near = _JOINER[language].join(dict.fromkeys(name for part in reading.unplaced for name in part.nearest))
    if language == "zh":
        return f"这些词在数据目录里找不到对应：{words}。" + (f"相近的有：{near}。" if near else "")
    return f"These words have no match in the catalog: {words}." + (f" Known names near them: {near}." if near else "")


def how_to_go_on(language: Language) -> str:
    """What a person can do about a question that was not understood."""
    return {
        "zh": "换成上面的名字再问一次，或者配置语言模型",
        "en": "set up a language model, or rephrase with the names above",
    }[language]


def what_is_asked(ambiguities: Sequence[Ambiguity], language: Language) -> str:
    """Which words mean several things, and which; or which ways lead from one table to another."""
    parts = []
    for ambiguity in ambiguities:
        choices = _JOINER[language].join(choice.label for choice in ambiguity.choices)
        ways = all(choice.kind == "path" for choice in ambiguity.choices)
        if language == "zh":
            verb = "有多种关联方式" if ways else "可以指"
            parts.append(f"「{ambiguity.words}」{verb}：{choices}。请选择一个。")
        else:
            verb = "are joined in several ways" if ways else "can mean"
            parts.append(f'"{ambiguity.words}" {verb}: {choices}. Please choose one.')
    return " ".join(parts)
