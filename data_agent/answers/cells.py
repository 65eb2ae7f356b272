"""Raw driver values become cells that JSON holds exactly; a sheet collects them until a limit is reached.

A cell is None, bool, int, float or str. What JSON or a browser would bend travels as text: decimals digit by digit,
integers beyond 2^53-1, dates and times as the database writes them, bytes in base64. NaN and infinity become None.
"""

import json
import math
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import singledispatch
from typing import Any, Literal

from data_agent.domain.answer import ResultColumn, Rows
from data_agent.errors import ResultTooLarge
from data_agent.options import Limits

Cell = None | bool | int | float | str
Kind = Literal[
    "text", "integer", "big_integer", "decimal", "float", "date", "datetime", "time", "bool", "bytes", "json", "null"
]

SAFE_INTEGER = 2**53 - 1
"""The largest integer that every JSON reader keeps (ECMAScript's Number.MAX_SAFE_INTEGER)."""


@singledispatch
def cell(value: object) -> Cell:
    """The JSON-safe form of one value; a type we do not know is shown as its text."""
    return str(value)


@cell.register
def _(value: None) -> Cell:
    return value


@cell.register(bool)
@cell.register(str)
def _(value: bool | str) -> Cell:
    return value


@cell.register
def _(value: int) -> Cell:
    return value if abs(value) <= SAFE_INTEGER else str(value)


@cell.register
def _(value: float) -> Cell:
    return value if math.isfinite(value) else None


@cell.register
def _(value: Decimal) -> Cell:
    return format(value, "f") if value.is_finite() else None


@cell.register
def _(value: datetime) -> Cell:
    return value.isoformat(sep=" ")


@cell.register(date)
@cell.register(time)
def _(value: date | time) -> Cell:
    return value.isoformat()


@cell.register
def _(value: timedelta) -> Cell:
    seconds, micros = divmod(abs(value) // timedelta(microseconds=1), 1_000_000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    fraction = f".{micros:06d}" if micros else ""
    return f"{'-' if value < timedelta(0) else ''}{hour:02d}:{minute:02d}:{second:02d}{fraction}"


@cell.register(bytes)
@cell.register(bytearray)
@cell.register(memoryview)
def _(value: bytes | bytearray | memoryview) -> Cell:
    return b64encode(value).decode("ascii")


@cell.register(dict)
@cell.register(list)
@cell.register(tuple)
@cell.register(set)
def _(value: Any) -> Cell:
    return json.dumps(nested(value), ensure_ascii=False)


def nested(value: Any) -> Any:
    """The same tree with JSON-safe leaves."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(cell(key)): nested(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set):
        return [nested(inner) for inner in value]
    return cell(value)


KINDS: tuple[tuple[type | tuple[type, ...], Kind], ...] = (
    (bool, "bool"),
    (int, "integer"),
    (Decimal, "decimal"),
    (float, "float"),
    (datetime, "datetime"),
    (date, "date"),
    ((time, timedelta), "time"),
    ((bytes, bytearray, memoryview), "bytes"),
    ((dict, list, tuple, set), "json"),
)


def kind_of(value: object) -> Kind:
    """What a value is, when the driver did not say."""
    if value is None:
        return "null"
    return next((kind for types, kind in KINDS if isinstance(value, types)), "text")


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """Names that tell columns apart: a repeated one gets `_2`, `_3`; an empty one becomes `column`."""
    names = [name or "column" for name in names]
    taken: set[str] = set()
    for position, name in enumerate(names):
        chosen, count = name, 1
        while chosen in taken or (count > 1 and chosen in names):
            count += 1
            chosen = f"{name}_{count}"
        names[position] = chosen
        taken.add(chosen)
    return tuple(names)


@dataclass(frozen=True)
class RawColumn:
    """A column as the driver described it. `kind` None: told by the first value; `convert` makes its cells."""

    name: str
    kind: Kind | None = None
    convert: Callable[[Any], Cell] = cell


def weight(value: Cell) -> int:
    """About how many bytes a cell takes in a JSON array."""
    return len(value.encode()) + 3 if isinstance(value, str) else len(str(value)) + 1


class Sheet:
    """Fills up with rows until `limits` are reached."""

    def __init__(self, columns: Sequence[RawColumn], limits: Limits) -> None:
        self._columns = columns
        self._kinds: list[Kind] = [column.kind or "null" for column in columns]
        self._limits = limits
        self._rows: list[tuple[Cell, ...]] = []
        self._bytes = 0
        self.truncated = False

    def add(self, raw: Sequence[Any]) -> bool:
        """Take a row; False when a limit leaves it out, and reading should stop.

        Raises:
            ResultTooLarge: the first row alone is over the byte limit.
        """
        row = tuple(column.convert(value) for column, value in zip(self._columns, raw, strict=True))
        size = sum(map(weight, row)) + 2
        if not self._rows and size > self._limits.max_bytes:
            hint = "select fewer or shorter columns · 请减少列数，或不要取很长的列"
            raise ResultTooLarge(f"one row takes {size} bytes, more than {self._limits.max_bytes}", hint=hint)
        if len(self._rows) >= self._limits.max_rows or self._bytes + size > self._limits.max_bytes:
            self.truncated = True
            return False
        self._rows.append(row)
        self._bytes += size
        self._learn(raw, row)
        return True

    def _learn(self, raw: Sequence[Any], row: tuple[Cell, ...]) -> None:
        for position, (value, shown) in enumerate(zip(raw, row, strict=True)):
            if self._kinds[position] == "null":
                self._kinds[position] = kind_of(value)
            if self._kinds[position] == "integer" and isinstance(shown, str):
                self._kinds[position] = "big_integer"

    def rows(self, notices: Iterable[str] = ()) -> Rows:
        """Everything taken so far."""
        names = unique(column.name for column in self._columns)
        columns = tuple(ResultColumn(name=name, kind=kind) for name, kind in zip(names, self._kinds, strict=True))
        return Rows(columns=columns, rows=tuple(self._rows), truncated=self.truncated, notices=tuple(notices))
