"""The golden questions as values, and when two results count as the same."""

import math
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import sqlglot
import yaml
from pydantic import Field

from data_agent.domain.frozen import Frozen
from data_agent.domain.language import Language

FILE = Path(__file__).with_name("demo.yaml")
NOW = "2026-07-01T09:00:00+08:00"


class GoldenCase(Frozen):
    """One question, and the statement whose rows are its answer, or the reason why it has none."""

    id: str
    question: str = Field(min_length=1)
    lang: Language
    sql: str | None = None
    sql_duckdb: str | None = None
    ordered: bool = False
    expect: Literal["answer", "clarify", "decline"] = "answer"
    reason: str = ""
    tags: tuple[str, ...] = ()

    def statement(self, dialect: str) -> str:
        """The gold statement in that dialect."""
        assert self.sql, f"{self.id} has no statement"
        if dialect == "mysql":
            return self.sql
        return self.sql_duckdb or sqlglot.transpile(self.sql, read="mysql", write=dialect)[0]


def load_cases(path: Path = FILE) -> tuple[GoldenCase, ...]:
    """All cases of a file."""
    return tuple(GoldenCase(**case) for case in yaml.safe_load(path.read_text(encoding="utf-8")))


def same_rows(left: Iterable[Sequence[Any]], right: Iterable[Sequence[Any]], *, ordered: bool) -> bool:
    """Same rows, numbers within rounding (MySQL divides to four more digits); the order counts only where asked for."""
    ours, theirs = ([tuple(map(plain, row)) for row in rows] for rows in (left, right))
    if not ordered:
        ours, theirs = sorted(ours, key=sort_key), sorted(theirs, key=sort_key)
    return len(ours) == len(theirs) and all(_same_row(a, b) for a, b in zip(ours, theirs, strict=True))


def plain(cell: Any) -> Any:
    """Numbers (booleans too) as floats, dates as text."""
    if isinstance(cell, bool | int | Decimal):
        return float(cell)
    return str(cell) if isinstance(cell, date) else cell


def sort_key(row: tuple[Any, ...]) -> tuple[str, ...]:
    """Texts first: they tell rows apart, and numbers may differ by rounding."""
    texts = [str(cell) for cell in row if not isinstance(cell, float)]
    return (*texts, *(f"{cell:030.2f}" for cell in row if isinstance(cell, float)))


def _same_row(left: tuple[Any, ...], right: tuple[Any, ...]) -> bool:
    return len(left) == len(right) and all(_same_cell(a, b) for a, b in zip(left, right, strict=True))


def _same_cell(left: Any, right: Any) -> bool:
    if isinstance(left, float) and isinstance(right, float):
        return math.isclose(left, right, rel_tol=1e-4, abs_tol=5e-5)
    return bool(left == right)
