"""Why a result is empty: which single condition, taken away, brings rows back; said in plain words."""

from collections.abc import Iterator, Sequence
from typing import Any

from rapidfuzz import fuzz, process

from data_agent.domain.answer import Rows
from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.domain.language import Language
from data_agent.domain.reading import ReadDimension, ReadFilter, Reading, ReadOrder
from data_agent.reading.explain import explain

_SHOWN = 3
_TEXTS: dict[str, tuple[str, str]] = {
    "future": (
        "{range} 还没有数据：最新的数据到 {newest}。",
        "There is no data for {range} yet: the newest is of {newest}.",
    ),
    "time": (
        "去掉时间条件就有数据：{first} 至 {last}。",
        "Without the time range there is data, from {first} to {last}.",
    ),
    "value": (
        "没有满足「{condition}」的数据；相近且有数据的是：{near}。",
        "No data has {condition}; near it, with data: {near}.",
    ),
    "condition": ("去掉条件「{condition}」就有数据。", "Without the condition “{condition}” there is data."),
    "having": ("有数据，但没有一组达到所要求的数值。", "There is data, but no group of it reaches the asked number."),
    "together": (
        "单独去掉任何一个条件都没有数据：这些条件同时成立的行不存在。",
        "Taking away any single condition finds nothing: no row meets the others together.",
    ),
}


class Suspect(Frozen):
    """One condition, and the reading without it; `kind` says what its rows hold: days, values or just rows."""

    kind: str
    condition: str
    reading: Reading
    asked: str = ""


def is_empty(rows: Rows, dimensions: int) -> bool:
    """Whether a result says nothing: no rows, or no number in them that is not zero; groups come first in a row."""
    return all(is_empty_row(row[dimensions if dimensions < len(row) else 0 :]) for row in rows.rows)


def is_empty_row(numbers: Sequence[Any]) -> bool:
    """Whether every number of a row is missing or zero."""
    return all(_is_nothing(cell) for cell in numbers)


def _is_nothing(cell: Any) -> bool:
    if cell is None or isinstance(cell, bool):
        return cell is None
    try:
        return float(cell) == 0
    except ValueError:
        return False


def in_future(reading: Reading, newest: str) -> str:
    """Said when every asked range begins after the newest data; empty otherwise."""
    starts = [time.range.start for time in reading.times]
    if not newest or not starts or any(start is None or start.isoformat() <= newest[:10] for start in starts):
        return ""
    label = "、".join(time.range.label or time.range.words for time in reading.times)
    return said("future", reading.language, range=label, newest=newest)


def suspects(reading: Reading, catalog: Catalog) -> Iterator[Suspect]:
    """The conditions of a reading, each with the question that tells whether it removed the rows."""
    if reading.having:
        yield Suspect(kind="having", condition="", reading=_plain(reading))
    if reading.times:
        yield Suspect(kind="time", condition="", reading=_by_month(_plain(reading, times=())))
    for number, condition in enumerate(reading.filters):
        others = reading.filters[:number] + reading.filters[number + 1 :]
        told = explain(Reading(question="", language=reading.language, filters=(condition,)), catalog)
        freed, named = _plain(reading, filters=others), _names_a_value(condition)
        if named:
            freed = freed.model_copy(update={"dimensions": (ReadDimension(words="", column=condition.column),)})
        yield Suspect(
            kind="value" if named else "condition",
            condition=told.rstrip("。."),
            reading=freed,
            asked=str(condition.values[0]) if named else "",
        )


def _names_a_value(condition: ReadFilter) -> bool:
    return condition.operator == "=" and len(condition.values) == 1 and isinstance(condition.values[0], str)


def _plain(reading: Reading, **changes: object) -> Reading:
    """The same question without everything that only shapes its answer."""
    shape: dict[str, object] = {"having": (), "order": (), "limit": None, "limit_per": (), "comparison": "none"}
    shape |= {"base": None, "share": False, "running": False, "fill": False, "yes_no": False}
    if reading.metrics:
        shape["dimensions"] = ()
    else:
        shape["limit"] = 1
    return reading.model_copy(update={**shape, **changes})


def _by_month(reading: Reading) -> Reading:
    if not reading.metrics:
        return reading
    month = ReadDimension(words="", column="", grain="month")
    return reading.model_copy(update={"dimensions": (month,), "order": (ReadOrder(dimension=0),)})


def finding(suspect: Suspect, rows: Rows, language: Language) -> str:
    """What the reading without this condition shows; empty when it has no rows either."""
    grouped = len(suspect.reading.dimensions)
    if is_empty(rows, grouped if suspect.reading.metrics else 0):
        return ""
    if suspect.kind == "time" and suspect.reading.metrics:
        months = sorted(str(row[0])[:7] for row in rows.rows if row[0] is not None and not is_empty_row(row[1:]))
        return said("time", language, first=months[0], last=months[-1]) if months else ""
    if suspect.kind == "value":
        near = _nearest(
            suspect.asked,
            [str(row[0]) for row in rows.rows if row[0] is not None and (len(row) == 1 or not is_empty_row(row[1:]))],
        )
        return said(
            "value", language, condition=suspect.condition, near=("、" if language == "zh" else ", ").join(near)
        )
    return said("having" if suspect.kind == "having" else "condition", language, condition=suspect.condition or "t")


def _nearest(asked: str, known: list[str]) -> list[str]:
    found = process.extract(asked, list(dict.fromkeys(known)), scorer=fuzz.WRatio, limit=_SHOWN)
    return [text for text, _, _ in found]


def said(key: str, language: Language, **values: object) -> str:
    """A sentence about an empty result."""
    zh, en = _TEXTS[key]
    return (zh if language == "zh" else en).format(**values)
