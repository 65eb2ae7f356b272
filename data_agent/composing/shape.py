"""What the output columns are called and how they are shown."""

from typing import Literal

from data_agent.composing.measures import Value, label_of_dimension
from data_agent.composing.scope import Scope
from data_agent.domain.answer import ResultColumn
from data_agent.domain.reading import ReadDimension

_FACTORS = {
    "十": 10,
    "百": 100,
    "千": 1_000,
    "万": 10_000,
    "百万": 1_000_000,
    "千万": 10_000_000,
    "亿": 100_000_000,
    "hundred": 100,
    "thousand": 1_000,
    "k": 1_000,
    "million": 1_000_000,
    "m": 1_000_000,
    "billion": 1_000_000_000,
    "b": 1_000_000_000,
}
_MONEY = ("元", "圆", "块", "人民币")


def scale_of(unit: str) -> int:
    """How many of the base unit one of this unit is: 10,000 for 万元; 1 for a unit that scales nothing."""
    words = unit.strip().casefold()
    best = max((word for word in _FACTORS if words.startswith(word)), key=len, default="")
    if best.isascii() and best != words.split(" ")[0].rstrip("s"):
        return 1
    return _FACTORS.get(best, 1)


def scales(value: Value, unit: str, values: tuple[Value, ...]) -> bool:
    """Whether this unit is meant for this number: money units for money, never for percentages."""
    if value.format == "percent":
        return False
    money = [each for each in values if each.format == "currency" or _money(each.unit)]
    return not (_money(unit) and money) or value in money


def _money(unit: str) -> bool:
    return any(word in unit for word in _MONEY)


def dimension_column(scope: Scope, asked: ReadDimension) -> ResultColumn:
    """How a dimension comes out."""
    label = label_of_dimension(scope, asked)
    unit = scope.column(asked.column).unit if asked.column and not asked.grain else ""
    return ResultColumn(name=label, label=label, unit=unit)


def value_column(value: Value, label: str, unit: str) -> ResultColumn:
    """How a number comes out."""
    return ResultColumn(name=label, label=label, kind=_kind(value), unit=unit, format=value.format)


def rate_column(label: str) -> ResultColumn:
    """How a share or a growth rate comes out: a fraction, shown in percent."""
    return ResultColumn(name=label, label=label, kind="decimal", format="percent")


def _kind(value: Value) -> Literal["integer", "decimal"]:
    return "integer" if value.format == "integer" else "decimal"
