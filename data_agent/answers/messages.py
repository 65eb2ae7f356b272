"""Sentences for people, in both languages: what could not be understood, what has to be chosen."""

from data_agent.domain.language import Language
from data_agent.domain.reading import Reading

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


def what_is_ambiguous(reading: Reading) -> str:
    """Which words mean several things, and which."""
    joiner = _JOINER[reading.language]
    parts = []
    for ambiguity in reading.ambiguities:
        choices = joiner.join(choice.label for choice in ambiguity.choices)
        parts.append(
            f"「{ambiguity.words}」可以指：{choices}。请选择一个。"
            if reading.language == "zh"
            else f'"{ambiguity.words}" can mean: {choices}. Please choose one.'
        )
    return " ".join(parts)
