"""How surely a word of a question means a stored value, 0-1: one scale for every value index.

1.0 the same text · 0.99 but for letter case, width or blanks · 0.95 but for a suffix (北京 / 北京市) · below 0.9 the
value stands in the word, the word starts or stands in the value, or one typo lies between. Codes match exactly only:
a neighbour of an order number is a different order.
"""

import re

from rapidfuzz.distance import OSA

from data_agent.wording.tokens import fold, is_han

LEAST = 0.5
_CODE = re.compile(r"[a-z]{0,6}[-_#]?\d[\d\-_/.:]*[a-z]{0,2}\d*")
_EDGE = re.compile(r"[a-z0-9]")
_PLACES = "省 市 区 县 镇 乡 村 州 盟 旗 街道 地区 新区 大区 自治区 自治州 自治县 特别行政区"
_PEOPLES = "壮族自治区 回族自治区 维吾尔自治区"
_FIRMS = "公司 有限公司 股份有限公司 有限责任公司 集团 品牌 牌 大学 平台 店 门店 商城"
_KINDS = "渠道 品类 类 会员 用户 客户 级"
_ENGLISH = "inc ltd llc corp co company group city province state county store channel"
_NOT = ("未", "不", "非", "无", "没", "non", "un", "not ")
SUFFIXES = tuple(sorted(" ".join((_PLACES, _PEOPLES, _FIRMS, _KINDS, _ENGLISH)).split(" "), key=len, reverse=True))


def likeness(word: str, value: str) -> float:
    """The score of `value` for `word`; under `LEAST` it is 0."""
    if word == value:
        return 1.0
    left, right = fold(word), fold(value)
    if not left or not right:
        return 0.0
    if left.replace(" ", "") == right.replace(" ", ""):
        return 0.99
    if is_code(right) or is_code(left):
        return 0.85 if _stands_in(right, left) and is_code(right) and not is_code(left) else 0.0
    stem, stored = bare(left), bare(right)
    if stem == right or stored == left or (stem == stored and len(stem) > 1):
        return 0.95
    score = max(_inside(left, right), _typo(left, right))
    return score if score >= LEAST else 0.0


def is_code(folded: str) -> bool:
    """Whether a folded text is a code or number, of which no part or neighbour may be taken for the whole."""
    return bool(_CODE.fullmatch(folded))


def bare(folded: str) -> str:
    """The text without one administrative, company or kind-of-thing suffix, when at least two characters stay."""
    for suffix in SUFFIXES if folded.endswith(SUFFIXES) else ():
        stem = folded.removesuffix(suffix)
        if stem != folded and len(stem) > 1 and (is_han(suffix[0]) or stem.endswith(" ")):
            return stem.rstrip()
    return folded


def _inside(word: str, value: str) -> float:
    """One stands in the other: the value in a longer word or question, or the word at the start or middle of it."""
    if value in word:
        share = len(value) / len(word)
        return 0.78 + 0.1 * share if len(value) > 1 and _stands_in(value, word) else 0.0
    if word not in value or len(word) < 2:
        return 0.0
    share = len(word) / len(value)
    if value.startswith(word):
        return 0.68 + 0.2 * share
    return (0.6 if _stands_in(word, value) else 0.45) + 0.2 * share


def _stands_in(part: str, whole: str) -> bool:
    """Whether `part` stands in `whole` and cuts no Latin word or number in two."""
    start = whole.find(part)
    while start >= 0:
        end = start + len(part)
        before = start > 0 and bool(_EDGE.match(part[0])) and bool(_EDGE.match(whole[start - 1]))
        after = end < len(whole) and bool(_EDGE.match(part[-1])) and bool(_EDGE.match(whole[end]))
        if not before and not after:
            return True
        start = whole.find(part, start + 1)
    return False


def _typo(word: str, value: str) -> float:
    """A letter wrong, missing, doubled or swapped; short words leave no room for typos (北京 is not 南京)."""
    longest, shortest = max(len(word), len(value)), min(len(word), len(value))
    if shortest < 3 or longest - shortest > 2 or _denies(word) != _denies(value):
        return 0.0
    allowed = 1 if longest < 8 else 2
    distance = OSA.distance(word, value, score_cutoff=allowed)
    return 0.0 if distance > allowed else 0.88 * (1 - distance / longest)


def _denies(folded: str) -> bool:
    """Whether the text says no: 未支付 is one character from 已支付 and its opposite."""
    return folded.startswith(_NOT) or any(mark in folded for mark in _NOT[:5])
