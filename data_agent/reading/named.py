"""A reading put together from names instead of words: metrics, dimensions, conditions and a time, each spelled out."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, get_args

from pydantic import Field

from data_agent.dates import resolve
from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.domain.language import Language
from data_agent.domain.reading import (
    Ambiguity,
    Operator,
    ReadDimension,
    ReadFilter,
    ReadHaving,
    Reading,
    ReadMetric,
    ReadOrder,
    ReadTime,
    Scalar,
)
from data_agent.domain.time import CalendarSettings, Grain
from data_agent.errors import UnknownName
from data_agent.reading.ambiguity import choice_of
from data_agent.reading.lexicon import Kind, Lexicon, Thing
from data_agent.reading.nearest import nearest

_CONDITION = re.compile(r"\s*(.+?)\s*(!=|<>|>=|<=|=|>|<|!~|~)\s*(.*?)\s*", re.DOTALL)
_SEVERAL = re.compile(r"\s*[|｜]\s*")
_OPERATORS: dict[str, Operator] = {"<>": "!=", "~": "like", "!~": "not_like"}
_GRAINS: dict[str, Grain] = {"日": "day", "天": "day", "周": "week", "月": "month", "季度": "quarter", "年": "year"}
_NUMERIC = ("int", "dec", "num", "float", "double", "real", "bigint", "smallint", "tinyint", "hugeint")
_DOWN = ("desc", "降序")
_UP = ("asc", "升序")


class Named(Frozen):
    """What to measure, by name: labels, aliases, metric names or `table.column`.

    `where` holds conditions such as `渠道=天猫|京东`, `amount>=100`, `sales>1000` (a metric: after aggregation).
    `time` is any time the calendar knows (2025-Q1, 上个月). `order` takes names, with ` desc` or ` asc` behind them.
    """

    metrics: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    time: str = ""
    order: tuple[str, ...] = ()
    limit: Annotated[int | None, Field(ge=1)] = None
    language: Language = "zh"
    choices: dict[str, str] = Field(default_factory=dict)


class _Names:
    """Names looked up one after the other; those of several meanings are kept to be asked about."""

    def __init__(self, lexicon: Lexicon, language: Language, choices: Mapping[str, str]) -> None:
        self.lexicon, self.language, self.choices = lexicon, language, choices
        self.ambiguities: list[Ambiguity] = []

    def find(self, name: str, *kinds: Kind) -> Thing:
        """The one thing of these kinds called so.

        Raises:
            UnknownName: there is none; the message names the nearest.
        """
        exact = self._spelled(name, kinds)
        things = [exact] if exact else [thing for thing in self.lexicon.lookup(name) if thing.kind in kinds]
        things = list({thing.id: thing for thing in things}.values())
        if not things:
            near = ", ".join(nearest(name, self.lexicon))
            raise UnknownName(
                f"没有这个名字 / no such name: {name}", hint=f"相近的有 / near it: {near}" if near else ""
            )
        chosen = next((thing for thing in things if thing.id == self.choices.get(name)), None)
        if chosen is None and len(things) > 1:
            choices = tuple(choice_of(thing, self.lexicon, self.language) for thing in things)
            self.ambiguities.append(Ambiguity(words=name, choices=choices))
        return chosen or things[0]

    def _spelled(self, name: str, kinds: tuple[Kind, ...]) -> Thing | None:
        """A metric name or `table.column`, letter for letter."""
        if "metric" in kinds and self.lexicon.catalog.metric(name):
            return Thing("metric", name)
        column = self.lexicon.catalog.column(name) if "column" in kinds and "." in name else None
        return Thing("column", column.id) if column else None


def reading_of(named: Named, *, lexicon: Lexicon, now: datetime, calendar: CalendarSettings) -> Reading:
    """The reading these names spell; incomplete when one of them has several meanings.

    Raises:
        UnknownName: a name, a condition or a time that means nothing here; the hint names the nearest.
        ImpossibleDate, AmbiguousDate: the time cannot be.
    """
    names = _Names(lexicon, named.language, named.choices)
    metrics = [ReadMetric(words=name, metric=names.find(name, "metric").name) for name in named.metrics]
    dimensions = [_dimension(names, name) for name in named.by]
    filters, having = [], []
    for text in named.where:
        left, operator, values = _split(text)
        place = next((number for number, metric in enumerate(metrics) if left in {metric.words, metric.metric}), None)
        if place is None:
            filters.append(_filter(names, text, left, operator, values))
        else:
            having.append(ReadHaving(words=text, metric=place, operator=operator, values=(_number(text, values),)))
    times = tuple(ReadTime(range=found) for found in resolve(named.time, now, calendar)) if named.time else ()
    if named.time and not times:
        raise UnknownName(f"没有看懂时间 / no such time: {named.time}", hint="2025-Q1, 2025-03, 上个月, last month")
    return Reading(
        question=_question(named),
        language=named.language,
        metrics=tuple(metrics),
        dimensions=tuple(dimensions),
        filters=tuple(filters),
        having=tuple(having),
        times=times,
        order=tuple(_order(name, metrics, dimensions) for name in named.order),
        limit=named.limit,
        ambiguities=tuple(names.ambiguities),
    )


def _question(named: Named) -> str:
    parts = [", ".join(named.metrics), *(f"{word} {', '.join(texts)}" for word, texts in _said(named) if texts)]
    return " ".join(part for part in parts if part)


def _said(named: Named) -> list[tuple[str, tuple[str, ...]]]:
    times = (named.time,) if named.time else ()
    return [("by", named.by), ("where", named.where), ("time", times), ("order", named.order)]


def _dimension(names: _Names, name: str) -> ReadDimension:
    grain = next((grain for grain in get_args(Grain) if grain == name.casefold()), _GRAINS.get(name))
    if grain:
        return ReadDimension(words=name, column="", grain=grain)
    return ReadDimension(words=name, column=names.find(name, "column").name)


def _split(text: str) -> tuple[str, Operator, list[str]]:
    found = _CONDITION.fullmatch(text)
    if found is None:
        raise UnknownName(f"没有看懂条件 / no condition: {text}", hint="渠道=天猫, amount>=100, 大区!=华东, name~%Pro%")
    operator = _OPERATORS.get(found[2], found[2])
    return found[1], operator, _SEVERAL.split(found[3])  # type: ignore[return-value]


def _filter(names: _Names, text: str, left: str, operator: Operator, values: list[str]) -> ReadFilter:
    column = names.find(left, "column").name
    if operator in {"=", "!="}:
        column, values = _as_stored(names.lexicon, column, values)
    numeric = names.lexicon.columns[column].type.casefold().startswith(_NUMERIC)
    stored: list[Scalar] = [_number(text, [value]) if numeric else value for value in values]
    if len(stored) > 1:
        if operator not in {"=", "!="}:
            raise UnknownName(f"没有看懂条件 / no condition: {text}", hint="several values go with = and != only")
        operator = "in" if operator == "=" else "not_in"
    return ReadFilter(words=text, column=column, operator=operator, values=tuple(stored))


def _as_stored(lexicon: Lexicon, column: str, values: list[str]) -> tuple[str, list[str]]:
    """Values as stored; where all of them stand in another column of the same table, that column (渠道=线上)."""
    table = column.rpartition(".")[0]
    known = [[thing for thing in lexicon.lookup(value) if thing.kind == "value"] for value in values]
    for place in [column, *dict.fromkeys(thing.name for things in known for thing in things if thing.table == table)]:
        stored = [next((thing.texts[0] for thing in things if thing.name == place), "") for things in known]
        if all(stored):
            return place, stored
    own = ((thing.texts[0] for thing in things if thing.name == column) for things in known)
    return column, [next(found, value) for found, value in zip(own, values, strict=True)]


def _number(text: str, values: list[str]) -> int | float:
    try:
        number = float(values[0])
    except ValueError:
        raise UnknownName(f"这里要一个数 / a number is needed: {text}", hint="amount>=100") from None
    return int(number) if number.is_integer() else number


def _order(name: str, metrics: list[ReadMetric], dimensions: list[ReadDimension]) -> ReadOrder:
    plain, _, way = name.strip().rpartition(" ")
    if not plain or way.casefold() not in {*_DOWN, *_UP}:
        plain, way = name.strip(), "desc"
    down = way.casefold() in _DOWN
    for number, metric in enumerate(metrics):
        if plain in {metric.words, metric.metric}:
            return ReadOrder(words=name, metric=number, descending=down)
    for number, dimension in enumerate(dimensions):
        if plain in {dimension.words, dimension.column}:
            return ReadOrder(words=name, dimension=number, descending=down)
    asked = ", ".join([*(metric.words for metric in metrics), *(place.words for place in dimensions)])
    raise UnknownName(f"只能按所查的列排序 / sort by what is asked for: {name}", hint=asked)


def sound(reading: Reading, catalog: Catalog) -> Reading:
    """The reading, when its parts name each other truly and it lists nothing personal.

    Raises:
        UnknownName: one names a part that is not there, or a condition lacks its values.
    """
    metrics, dimensions = range(len(reading.metrics)), range(len(reading.dimensions))
    wrong = [having.words for having in reading.having if having.metric not in metrics or not _filled(having)]
    wrong += [order.words for order in reading.order if order.metric is not None and order.metric not in metrics]
    wrong += [
        order.words for order in reading.order if order.dimension is not None and order.dimension not in dimensions
    ]
    wrong += [str(place) for place in reading.limit_per if place not in dimensions]
    wrong += [name for name in _told(reading) if (column := catalog.column(name)) and column.personal]
    wrong += ["limit"] if reading.limit is not None and reading.limit < 1 else []
    if wrong:
        raise UnknownName(f"这个理解不成立 / the reading does not hold together: {', '.join(wrong)}")
    return reading


def _filled(having: ReadHaving) -> bool:
    return len(having.values) == (2 if having.operator == "between" else 1)


def _told(reading: Reading) -> list[str]:
    """The columns whose values an answer would show."""
    shown = [metric.column or "" for metric in reading.metrics if metric.aggregate in {"min", "max"}]
    return [*shown, *(place.column for place in reading.dimensions)]
