"""When two results are the same: the same rows, numbers within 1e-6, columns in any order."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

TOLERANCE = 1e-6
TRIES = 200
NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d+)?")
MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d)[ T]00:00:00(\.0+)?")
BIT_ON = b"\x01"

Cell = tuple[int, float | str]
"""Kind and value: 0 nothing, 1 a number, 2 a text."""
Row = Sequence[Any]


def same_result(
    gold: Sequence[Row], found: Sequence[Row], *, ordered: bool, labels: Mapping[str, str] | None = None
) -> bool:
    """Whether both hold the same rows; in their order only when `ordered`.

    Columns may come in any order. `labels` gives the code behind a label, so that either may stand for the other.
    """
    if len(gold) != len(found):
        return False
    if not gold:
        return True
    if len(gold[0]) != len(found[0]):
        return False
    left, right = _table(gold, labels or {}), _table(found, labels or {})
    return any(_same_rows(left, picked, ordered) for picked in _matchings(left, right))


def plain(value: Any) -> Cell:
    """A cell as it is compared: '5' is 5, '007' is text, midnight is its day, true is 1."""
    if value is None:
        return (0, "")
    if isinstance(value, bytes | bytearray):
        if len(value) == 1 and bytes(value) <= BIT_ON:
            return (1, float(value[0]))
        value = bytes(value).decode("utf-8", "replace")
    if isinstance(value, bool | int | float | Decimal):
        return (1, float(value))
    if isinstance(value, datetime):
        value = value.isoformat(" ")
    elif isinstance(value, date):
        value = value.isoformat()
    text = str(value).strip()
    if NUMBER.fullmatch(text):
        return (1, float(text))
    day = MIDNIGHT.fullmatch(text)
    return (2, day[1] if day else text)


def _table(rows: Sequence[Row], labels: Mapping[str, str]) -> list[list[Cell]]:
    return [[plain(labels.get(value, value) if isinstance(value, str) else value) for value in row] for row in rows]


def _matchings(gold: list[list[Cell]], found: list[list[Cell]]) -> Iterator[list[list[Cell]]]:
    """`found` with its columns in every order in which each column holds what the gold's column holds."""
    width = len(gold[0])
    held = [_sorted_column(found, at) for at in range(width)]
    fitting = [
        sorted((at for at in range(width) if _same_columns(column, held[at])), key=own.__ne__)
        for own, column in enumerate(_sorted_column(gold, at) for at in range(width))
    ]
    for order, _ in zip(_orders(fitting, ()), range(TRIES), strict=False):
        yield [[row[at] for at in order] for row in found]


def _orders(fitting: Sequence[Sequence[int]], taken: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if len(taken) == len(fitting):
        yield taken
        return
    for at in fitting[len(taken)]:
        if at not in taken:
            yield from _orders(fitting, (*taken, at))


def _sorted_column(rows: list[list[Cell]], at: int) -> list[Cell]:
    return sorted((row[at] for row in rows), key=_rank)


def _same_columns(left: Sequence[Cell], right: Sequence[Cell]) -> bool:
    return all(map(_same_cell, left, right))


def _same_rows(gold: list[list[Cell]], found: list[list[Cell]], ordered: bool) -> bool:
    if not ordered:
        gold, found = sorted(gold, key=_row_rank), sorted(found, key=_row_rank)
    return all(all(map(_same_cell, left, right)) for left, right in zip(gold, found, strict=True))


def _row_rank(row: list[Cell]) -> list[tuple[int, float, str]]:
    return [_rank(cell) for cell in row]


def _rank(cell: Cell) -> tuple[int, float, str]:
    """Sorts alike what counts as equal, nearly always: numbers by six digits."""
    kind, value = cell
    return (kind, 0.0, str(value)) if isinstance(value, str) else (kind, float(f"{value:.6g}"), "")


def _same_cell(left: Cell, right: Cell) -> bool:
    if left[0] == right[0] == 1:
        return math.isclose(float(left[1]), float(right[1]), rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return left == right
