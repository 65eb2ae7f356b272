"""Codes and what they mean, where a comment spells them out; and what is left of the comment as a name."""

import re
from typing import NamedTuple

_CODE = r"-?\d{1,4}|[A-Za-z]{1,2}\d?|[A-Z][A-Z_]{1,14}"
_TEXT = r"[^\s,，;；/|、。()（）\[\]【】:：=]+"
_MARKED = re.compile(rf"(?<![\w.])({_CODE})\s*(?:[:：=＝]|-+>?|—+|–|→|、|\.(?=\D))\s*({_TEXT}(?: [a-z][a-z-]*)*)")
_BARE = re.compile(rf"(?<![\w.])(-?\d{{1,4}})\s*({_TEXT})")
_MOST_LABEL = 30
_LONGEST_NAME_ZH, _LONGEST_NAME_EN = 12, 4


class Spelled(NamedTuple):
    """What a comment says: a short name (perhaps none) and labels by code."""

    name: str
    labels: dict[str, str]


def read_comment(comment: str, stored: frozenset[str] | None = None) -> Spelled:
    """Take a comment apart. `stored` are all values of the column when they are known; labels must meet them."""
    text = " ".join(comment.split())
    labels, start = _labels(text)
    if labels and stored and not stored & set(labels):
        labels, start = {}, len(text)
    return Spelled(_name(text[:start]), labels)


def _labels(text: str) -> tuple[dict[str, str], int]:
    for pattern in (_MARKED, _BARE):
        found = list(pattern.finditer(text))
        labels = {match[1]: match[2].strip("'\"”“ ") for match in found}
        sound = all(0 < len(label) <= _MOST_LABEL and not label.isdigit() for label in labels.values())
        if len(found) >= 2 and len(labels) == len(found) and len(set(labels.values())) == len(labels) and sound:
            return labels, found[0].start()
    return {}, len(text)


def _name(text: str) -> str:
    """The first phrase of a comment when it is short enough to be a name."""
    first = re.split(r"[,，;；。:：(（\[【|\n]", text.strip(), maxsplit=1)[0].strip(" -—=、.")
    han = re.search(r"[\u4e00-\u9fff]", first)
    short = len(first) <= _LONGEST_NAME_ZH if han else len(first.split()) <= _LONGEST_NAME_EN and len(first) <= 40
    return first if first and short and re.search(r"\w", first) else ""
