"""What a sample says of each column: how many different values, of what shape."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from data_agent.catalog.kinds import kind_of
from data_agent.ports.inspector import ColumnFacts, Counts, Sample, TableFacts

NUMERIC = frozenset({"integer", "decimal", "float"})
DATED = frozenset({"date", "datetime"})
SHOWN = 5
DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)([ T]\d\d:\d\d(:\d\d)?.*)?")


class Profile(NamedTuple):
    """One column with its sample. `values` are the different ones that are not null, in order of appearance."""

    facts: ColumnFacts
    kind: str
    rows: int
    nulls: int
    values: tuple[Any, ...]
    complete: bool
    distinct: int
    counted: int

    @property
    def unique(self) -> bool:
        """Whether no value repeats in what was read, and none is missing."""
        return self.counted > 0 and self.nulls == 0 and self.distinct == self.counted

    @property
    def texts(self) -> list[str]:
        """The values as texts."""
        return [str(value) for value in self.values]

    @property
    def dated_text(self) -> bool:
        """Whether it is text that holds nothing but ISO days."""
        return self.kind == "text" and bool(self.values) and all(_is_day(text) for text in self.texts if text)

    @property
    def mean_length(self) -> float:
        """Mean length of the values."""
        return sum(map(len, self.texts)) / len(self.values) if self.values else 0.0


@dataclass(frozen=True)
class Profiled:
    """A table with the profiles of its columns; `rows` is how many were read."""

    facts: TableFacts
    columns: tuple[Profile, ...]
    rows: int = 0
    sample: Sample | None = None

    @property
    def complete(self) -> bool:
        """Whether every row was read."""
        return self.sample is not None and self.sample.complete

    @property
    def size(self) -> int:
        """How many rows the table has, as far as known."""
        return self.rows if self.complete else max(self.rows, self.facts.rows or 0)

    def tuples(self, names: Sequence[str]) -> list[tuple[Any, ...]]:
        """The sampled values of several columns, row by row; rows with a null are left out."""
        if self.sample is None or not set(names) <= set(self.sample.columns):
            return []
        places = [self.sample.columns.index(name) for name in names]
        found = (tuple(row[place] for place in places) for row in self.sample.rows)
        return [row for row in found if None not in row]

    @cached_property
    def by_name(self) -> dict[str, Profile]:
        """Profiles by name."""
        return {column.facts.name: column for column in self.columns}


def profiled(facts: TableFacts, sample: Sample | None, counts: Counts | None = None) -> Profiled:
    """Put declaration and sample together; without a sample every profile is empty."""
    columns = [_profile(column, sample, counts) for column in facts.columns]
    rows = max(len(sample.rows) if sample else 0, counts.rows if counts else 0)
    return Profiled(facts=facts, columns=tuple(columns), rows=rows, sample=sample)


def _profile(facts: ColumnFacts, sample: Sample | None, counts: Counts | None) -> Profile:
    kind = kind_of(facts.type) or "text"
    if sample is None or facts.name not in sample.columns:
        return Profile(facts, kind, 0, 0, (), complete=False, distinct=0, counted=0)
    at = sample.columns.index(facts.name)
    cells = [row[at] for row in sample.rows]
    values = different(cells)
    distinct, counted = len(values), len(cells)
    if counts and facts.name in counts.distinct:
        distinct, counted = counts.distinct[facts.name], counts.rows
    nulls = sum(cell is None for cell in cells)
    return Profile(facts, kind, len(cells), nulls, values, sample.complete, distinct, counted)


def different(cells: Sequence[Any]) -> tuple[Any, ...]:
    """Each value once, nulls and blanks left out."""
    return tuple(dict.fromkeys(cell for cell in cells if cell is not None and cell != ""))


def _is_day(text: str) -> bool:
    found = DAY.fullmatch(text)
    if not found:
        return False
    try:
        date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return False
    return True
