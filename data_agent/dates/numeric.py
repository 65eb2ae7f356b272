"""Dates written in figures, the same in every language: 2025-03-05, 20250305, 2025Q1, 1Q25, FY2025, 2025-W12."""

import re

from data_agent.dates.frames import Fields
from data_agent.dates.numerals import full_year, number
from data_agent.dates.rules import Rule, before, rule
from data_agent.dates.spans import Moment
from data_agent.errors import AmbiguousDate

_FREE = r"(?<![\w.#/-])"
_EDGE = r"(?<![a-z0-9.#])"
_Y = r"(?:19|20|21)\d\d"
_NUMBERED = re.compile(
    r"(?:订单|编号|单号|号|型号|客户|门店|商品|产品|用户|员工|order|customer|product|id|no\.?|number|sku|code|#)\s*$"
)
_COUNTED_BEFORE = re.compile(
    r"(?:超过|大于|小于|低于|高于|不少于|不超过|不足|至少|最多|多于|少于|达到|满|第|前|后|近|约|[<>=¥$]"
    r"|\b(?:top|bottom|over|than|least|most|above|below|under|exceed\w*|limit|about|first|last|next|past))\s*$"
)
_COUNTED_AFTER = re.compile(
    r"\s*(?:[元块万亿千百个件条笔单人名位台套款型次天家种分米吨斤度期届岁%]|,\d|\.\d|[a-z0-9_]*\d"
    r"|(?:orders?|customers?|units?|items?|pieces?|people|users?|products?|rows?|records?|dollars?|usd|rmb|yuan|times|days?"
    r"|weeks?|months?|years?)\b)"
)
_YEAR_BEFORE = re.compile(
    r"\b(?:in|during|of|since|year|for|until|till|before|after|by|vs\.?|and|to|from|through|between)\s*$"
)
_NAME_BEFORE = re.compile(
    r"(?:[\u4e00-\u9fff]|[a-z])\s*$(?<!的)(?<!年)(?<!月)(?<!度)(?<!和)(?<!与)(?<!及)(?<!跟)(?<!在)(?<!到)(?<!至)(?<!于)(?<!比)(?<!较)"
)


def _quarter(match: re.Match[str], _: Moment) -> Fields | None:
    """Q5 is a mistake for a quarter, unless it is part of a name (奥迪Q5)."""
    quarter, ahead = int(match["q"]), before(match)
    if not 1 <= quarter <= 4 and _NAME_BEFORE.search(ahead) and not _YEAR_BEFORE.search(ahead):
        return None
    return Fields(quarter=quarter)


def _compact(match: re.Match[str], _: Moment) -> Fields | None:
    """20250305, unless it is an order number or no date at all."""
    month, day = int(match["m"]), int(match["d"])
    if _NUMBERED.search(before(match)) or not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return Fields(year=int(match["y"]), month=month, day=day)


def _bare_year(match: re.Match[str], _: Moment) -> Fields | None:
    """2025 without 年 is a year where nothing is counted with it."""
    ahead, after = before(match), match.string[match.end() :]
    if _COUNTED_BEFORE.search(ahead) or _NUMBERED.search(ahead):
        return None
    if _COUNTED_AFTER.match(after) and not _YEAR_BEFORE.search(ahead):
        return None
    return Fields(year=int(match["y"]))


def _dotted(match: re.Match[str], _: Moment) -> Fields | None:
    """2025.03 is a month, 2025.13 and 2025.03元 are numbers."""
    ahead, after = before(match), match.string[match.end() :]
    counted = _COUNTED_BEFORE.search(ahead) or _COUNTED_AFTER.match(after)
    return None if counted or not 1 <= int(match["m"]) <= 12 else Fields(year=int(match["y"]), month=int(match["m"]))


def _day_first_or_last(match: re.Match[str], _: Moment) -> Fields:
    """13/05/2025 can only be read in one way; 03/05/2025 is not for us to decide."""
    left, right, year = int(match["a"]), int(match["b"]), full_year(match["y"])
    if left != right and left <= 12 and right <= 12:
        raise AmbiguousDate(
            f"「{match[0]}」可以是 {left}月{right}日，也可以是 {right}月{left}日 / {match[0]} can be read in two ways",
            hint=f"请写成 / Please write {year}-{left:02}-{right:02} or {year}-{right:02}-{left:02}.",
        )
    month, day = (right, left) if left > 12 else (left, right)
    return Fields(year=year, month=month, day=day)


def _ymd(match: re.Match[str], _: Moment) -> Fields:
    return Fields(year=int(match["y"]), month=int(match["m"]), day=int(match["d"]))


def _fiscal(match: re.Match[str], _: Moment) -> Fields:
    quarter, half = match["q"], match["h"]
    return Fields(
        fiscal_year=full_year(match["y"]),
        quarter=number(quarter) if quarter else None,
        half=number(half) if half else None,
    )


RULES: tuple[Rule, ...] = (
    rule(rf"{_EDGE}(?P<y>{_Y})(?P<s>[-/.])(?P<m>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}})(?![\d.])", _ymd),
    rule(r"(?<![\w.#/])(?<![a-z]-)(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)(?![\w.]*\d)", _compact),
    rule(
        rf"(?<![a-z0-9.#/-])(?P<y>{_Y})(?P<m>0[1-9]|1[0-2])(?![a-z0-9.])(?=月|\s*(?:$|的|到|至|-|~))",
        lambda m, _: Fields(year=int(m["y"]), month=int(m["m"])),
    ),
    rule(
        rf"{_EDGE}(?P<y>{_Y})[-/](?P<m>\d{{1,2}})(?![\d./]|-\d{{1,2}}(?!\d))",
        lambda m, _: Fields(year=int(m["y"]), month=int(m["m"])),
    ),
    rule(rf"{_EDGE}(?P<y>{_Y})\.(?P<m>\d{{2}})(?![\d.])", _dotted),
    rule(rf"{_FREE}(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})/(?P<y>{_Y})(?![\d/])", _day_first_or_last),
    rule(rf"{_EDGE}(?P<y>{_Y})(?!\d)", _bare_year),
    rule(
        rf"{_EDGE}(?P<y>{_Y}|\d\d)[-\s/.年]?q(?P<q>\d)(?![a-z0-9])",
        lambda m, _: Fields(year=full_year(m["y"]), quarter=int(m["q"])),
    ),
    rule(
        rf"{_EDGE}q(?P<q>\d)[-\s/]*'?(?P<y>{_Y}|(?<=')\d\d)(?![a-z0-9])",
        lambda m, _: Fields(year=full_year(m["y"]), quarter=int(m["q"])),
    ),
    rule(
        rf"{_EDGE}(?P<q>\d)q\s?'?(?P<y>{_Y}|\d\d)(?![a-z0-9])",
        lambda m, _: Fields(year=full_year(m["y"]), quarter=int(m["q"])),
    ),
    rule(rf"{_EDGE}q(?P<q>\d)(?![a-z0-9])", _quarter),
    rule(rf"{_EDGE}(?P<q>[1-4])q(?![a-z0-9])", lambda m, _: Fields(quarter=int(m["q"]))),
    rule(rf"{_EDGE}h(?P<h>[12])(?![a-z0-9])", lambda m, _: Fields(half=int(m["h"]))),
    rule(
        rf"{_EDGE}(?P<y>{_Y}|\d\d)[-\s/.]?h(?P<h>[12])(?![a-z0-9])",
        lambda m, _: Fields(year=full_year(m["y"]), half=int(m["h"])),
    ),
    rule(
        rf"{_EDGE}(?P<h>[12])h\s?'?(?P<y>{_Y}|\d\d)(?![a-z0-9])",
        lambda m, _: Fields(year=full_year(m["y"]), half=int(m["h"])),
    ),
    rule(
        rf"{_EDGE}(?P<y>{_Y})[-\s]?w(?P<w>\d\d?)(?![a-z0-9])", lambda m, _: Fields(year=int(m["y"]), week=int(m["w"]))
    ),
    rule(rf"{_EDGE}w(?P<w>\d\d?)(?![a-z0-9])", lambda m, _: Fields(week=int(m["w"]))),
    rule(rf"{_EDGE}fy\s?'?(?P<y>{_Y}|\d\d)(?!\d)(?:[-\s/]*(?:q(?P<q>\d)|h(?P<h>[12])))?(?![a-z0-9])", _fiscal),
)
