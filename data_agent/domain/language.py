"""The languages we read and speak."""

from typing import Literal

Language = Literal["zh", "en"]


def language_of(text: str) -> Language:
    """Chinese as soon as one Han character stands in it: mixed questions are asked by Chinese speakers."""
    return "zh" if any("\u4e00" <= char <= "\u9fff" or "\u3400" <= char <= "\u4dbf" for char in text) else "en"


def in_language(names: tuple[str, ...], language: Language) -> str | None:
    """The first of `names` that is written in `language`, if any."""
    return next((name for name in names if language_of(name) == language), None)
