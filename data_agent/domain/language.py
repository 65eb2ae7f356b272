"""The languages we read and speak."""

import re
from typing import Literal

Language = Literal["zh", "en"]
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_LATIN = re.compile(r"[a-z]{2,}", re.IGNORECASE)
_SMALL_EN = re.compile(
    r"\b(?:the|an?|of|in|on|by|for|to|from|and|or|is|are|was|were|what|which|who|how|many|much|per|each|every|with|"
    r"without|last|this|past|first|top|show|list|give|me|do|does|did|our|we|than|between|during|since|until|total|"
    r"average|all|not|excluding|compared?|next|about)\b",
    re.IGNORECASE,
)
_SMALL_ZH = re.compile(
    r"多少|哪些|什么|怎么|[的了吗呢是在和与及各每按从到有几哪谁最前比占上下去今本近年月周天日超高低不除外共总问请]"
)


def language_of(text: str) -> Language:
    """The language of most function words: names of the other language may stand in between.

    "华东 revenue by channel" is English, "GMV 按渠道" is Chinese; where neither has more, one Han character makes it
    Chinese.
    """
    if not _HAN.search(text):
        return "en"
    if not _LATIN.search(text):
        return "zh"
    return "en" if len(_SMALL_EN.findall(text)) > len(_SMALL_ZH.findall(text)) else "zh"


def in_language(names: tuple[str, ...], language: Language) -> str | None:
    """The first of `names` that is written in `language`, if any."""
    return next((name for name in names if language_of(name) == language), None)
