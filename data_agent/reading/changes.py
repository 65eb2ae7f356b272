"""How numbers relate: share, growth, running total, trend, units, yes or no."""

import re

from data_agent.domain.reading import Comparison, ReadDimension
from data_agent.domain.time import Grain
from data_agent.reading.draft import Draft
from data_agent.reading.marks import Mark

_TOTAL = re.compile(
    r"合计|一共|总共|总计|总和|加起来|共计|\b(?:combined|total|together|altogether|sum)\b", re.IGNORECASE
)
_STEPS: dict[str, Grain] = {
    "month over month": "month",
    "month on month": "month",
    "mom": "month",
    "月环比": "month",
    "quarter over quarter": "quarter",
    "qoq": "quarter",
    "week over week": "week",
    "wow": "week",
}
_DAYS: dict[Grain, int] = {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 366}
_LONG = 92
_MONTHS = 800


def place_changes(draft: Draft) -> None:
    """Each word sets one switch of the reading, where the rest of the question gives it something to work on."""
    for mark in draft.marks:
        if mark.used or mark.things:
            continue
        for name, rule in _RULES.items():
            if mark.says(name) and not mark.used:
                rule(draft, mark)
    _side_by_side(draft)


def _side_by_side(draft: Draft) -> None:
    """北京和上海的销售额 is two numbers; 北京或上海, or a word of totalling, makes it one. Likewise for time ranges."""
    if not draft.metrics or draft.thresholds or _TOTAL.search(draft.question):
        return
    grouped = bool(draft.dimensions)
    for condition in draft.filters:
        if not grouped and condition.column in draft.listed and condition.operator == "in":
            draft.dimensions.append((0, ReadDimension(words=condition.words, column=draft.original(condition.column))))
    _periods_apart(draft)


def _periods_apart(draft: Draft) -> None:
    """2024 vs 2025 by channel is a number for each period, never their sum; the best of two periods is not defined."""
    if not draft.ranges_apart or len(draft.times) < 2 or any(place.grain for _, place in draft.dimensions):
        return
    if draft.ranked and draft.ranked.limit is not None:
        for mark in draft.marks:
            mark.used = mark.used and mark.time is None
        return
    draft.dimensions.append((-1, ReadDimension(words=draft.times[0].range.words, column="")))


def _share(draft: Draft, mark: Mark) -> None:
    """A share needs parts: without groups the only part would be the whole."""
    if not any(place.column for _, place in draft.dimensions):
        _share_of_one(draft, mark)
        return
    parts = {place.column for _, place in draft.dimensions}
    if _between_group_and_number(draft, mark):
        return
    kept = any(condition.column in parts and condition.operator in {"=", "in"} for condition in draft.filters)
    if draft.dimensions and draft.metrics and not kept:
        draft.share = mark.used = True


def _between_group_and_number(draft: Draft, mark: Mark) -> bool:
    """各大区天猫的销售额占比: the share of Tmall in each region, or of each region in Tmall's sales?"""
    groups = [place for place, each in draft.dimensions if each.column]
    values = [m.start for m in draft.marks if m.used and m.of("value") and m.start < mark.start]
    numbers = [place for place, _ in draft.metrics]
    return bool(groups and numbers) and any(min(groups) < value < max(numbers) for value in values)


def _share_of_one(draft: Draft, mark: Mark) -> None:
    """天猫占销售额的百分之多少: the part is the only value that is named."""
    named = [place for place, c in enumerate(draft.filters) if c.words and c.operator in {"=", "in"}]
    listed = any(draft.filters[place].column in draft.listed for place in named)
    if len(named) != 1 or not draft.metrics or draft.thresholds or listed or len(draft.filters) > len(named):
        return
    draft.filters[named[0]] = draft.filters[named[0]].model_copy(update={"part": True})
    draft.share = mark.used = True
    for other in draft.marks:
        other.used = other.used or (other.says("part") and not other.things)


def _rose(draft: Draft, mark: Mark) -> None:
    """比去年同期多了多少: the difference, not the rate."""
    if any(other.says("yoy", "mom") and other.used for other in draft.marks):
        draft.difference = mark.used = True


def _growth(draft: Draft, mark: Mark) -> None:
    kind: Comparison = "yoy" if mark.says("yoy") else "mom"
    if draft.comparison in {"none", kind}:
        draft.comparison = kind
        mark.used = True
        _step(draft, mark)


def _step(draft: Draft, mark: Mark) -> None:
    """Month over month within a longer range compares its months with each other."""
    grain = next((grain for word, grain in _STEPS.items() if word in mark.text.casefold()), None)
    limits = draft.times[0].range if draft.times else None
    if grain is None or any(place.grain for _, place in draft.dimensions) or limits is None:
        return
    if limits.start and limits.end and (limits.end - limits.start).days > _DAYS[grain]:
        draft.dimensions.append((mark.start, ReadDimension(words=mark.text, column="", grain=grain)))


def _rate(draft: Draft, mark: Mark) -> None:
    """增长率 belongs to the 同比 or 环比 that is also there; alone it does not say against what."""
    if any(other.says("yoy", "mom") for other in draft.marks):
        mark.used = True


def _running(draft: Draft, mark: Mark) -> None:
    """累计 runs along time when there are periods, else it is the plain total."""
    if any(place.grain for _, place in draft.dimensions):
        draft.running = mark.used = True
    elif mark.payload("agg") == "sum" and draft.metrics:
        mark.used = True


def _trend(draft: Draft, mark: Mark) -> None:
    """A trend needs periods; when none is named the length of the range chooses it."""
    if not draft.metrics:
        return
    mark.used = draft.fill = True
    if not any(place.grain for _, place in draft.dimensions):
        grain = _natural_grain(draft)
        draft.dimensions.append((mark.start, ReadDimension(words=mark.text, column="", grain=grain)))
        draft.notes.append(f"{mark.text}: {'按' if draft.language == 'zh' else 'by '}{grain}")


def _natural_grain(draft: Draft) -> Grain:
    limits = draft.times[0].range if draft.times else None
    if limits is None or limits.start is None or limits.end is None:
        return "month"
    days = (limits.end - limits.start).days
    return "day" if days <= _LONG else "month" if days <= _MONTHS else "quarter"


def _fill(draft: Draft, mark: Mark) -> None:
    draft.fill = mark.used = True


def _now(draft: Draft, mark: Mark) -> None:
    """当前库存 is the last snapshot; 目前有多少客户 says nothing more than the count; the latest order is a ranking."""
    names = [metric.metric for _, metric in draft.metrics]
    metrics = [draft.lexicon.catalog.metric(name) for name in names if name]
    snapshot = any(metric and metric.additivity == "semi_additive" for metric in metrics)
    mark.used = not draft.times and (
        snapshot or mark.text.casefold() in {"目前", "当前", "现在", "现有", "currently", "now"}
    )


def _unit(draft: Draft, mark: Mark) -> None:
    if draft.metrics:
        draft.unit = mark.payload("unit") or ""
        mark.used = True


def _yes_no(draft: Draft, mark: Mark) -> None:
    """A question for yes or no begins with it in English; "how many are there" does not."""
    if draft.metrics or draft.dimensions or draft.filters:
        mark.used = True
        draft.yes_no = draft.yes_no or mark is draft.marks[0] or draft.language == "zh"


def _apart(draft: Draft, mark: Mark) -> None:
    """分别 and "compare" ask for a row per value, or per period where several are named."""
    several = [condition for condition in draft.filters if condition.operator == "in"]
    known = {place.column for _, place in draft.dimensions}
    for condition in several:
        if condition.column not in known:
            draft.dimensions.append((0, ReadDimension(words=condition.words, column=draft.original(condition.column))))
    mark.used = bool(several or draft.dimensions or draft.ranges_apart or len(draft.metrics) > 1)


def _spare(draft: Draft, mark: Mark) -> None:
    """A grouping word that has its column elsewhere, a total that is one already."""
    mark.used = bool(draft.dimensions) if mark.says("dist") else mark.used


def _each(draft: Draft, mark: Mark) -> None:
    """各种退款原因各退了多少笔: the second 各 says the groups again."""
    place = draft.marks.index(mark)
    before, after = draft.at(place - 1), draft.at(place + 1)
    if mark.text == "分" and before and before.used and before.of("column", "table") and draft.dimensions:
        mark.used = True
        return
    mark.used = mark.text == "各" and bool(draft.dimensions) and bool(after and after.of("metric"))


_RULES = {
    "yoy": _growth,
    "mom": _growth,
    "growth": _rate,
    "rose": _rose,
    "trend": _trend,
    "share": _share,
    "running": _running,
    "fill": _fill,
    "now": _now,
    "unit": _unit,
    "yesno": _yes_no,
    "apart": _apart,
    "dist": _spare,
    "each": _each,
}
