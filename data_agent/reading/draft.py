"""A reading while it is being made: marks, what was placed so far, how a word of several meanings is settled."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from data_agent.domain.language import Language
from data_agent.domain.reading import (
    Ambiguity,
    Comparison,
    Operator,
    ReadDimension,
    ReadFilter,
    Reading,
    ReadMetric,
    ReadOrder,
    ReadTime,
)
from data_agent.domain.schema import Column
from data_agent.domain.time import CalendarSettings, Grain, TimeRange
from data_agent.reading.ambiguity import as_chosen, choice_of, rank
from data_agent.reading.lexicon import Kind, Lexicon, Thing
from data_agent.reading.marks import Mark
from data_agent.reading.text import fold

_TOTAL_OF = re.compile(r"SUM\(\s*(?:`?(\w+)`?\.)?`?(\w+)`?\s*\)", re.IGNORECASE)
_TRANSLATED = re.compile(r"_(?:en|zh|cn|eng|english|chinese)$")
NUMERIC = ("int", "dec", "num", "float", "double", "real", "bigint", "smallint", "tinyint", "hugeint", "money")


@dataclass(slots=True)
class Threshold:
    """A condition on a metric whose position is not known yet."""

    words: str
    metric: ReadMetric
    operator: Operator
    values: tuple[float, ...]


@dataclass(slots=True)
class Ranked:
    """Sort by this metric, or by a `column` of the rows that are listed; the first `limit` of the dimension."""

    words: str
    metric: ReadMetric | None
    descending: bool
    limit: int | None = None
    dimension: ReadDimension | None = None
    column: str = ""


def _one_spelling(ranked: list[tuple[float, Thing]]) -> list[tuple[float, Thing]]:
    """Spellings of one stored value that differ in letter case only (Nike, NIKE) are one meaning."""
    merged: dict[tuple[str, str], tuple[float, Thing]] = {}
    for score, thing in ranked:
        key = (thing.id, "") if thing.kind != "value" else (thing.name, fold(thing.texts[0]))
        if key in merged:
            best, known = merged[key]
            merged[key] = (best, known._replace(texts=tuple(dict.fromkeys((*known.texts, *thing.texts)))))
        else:
            merged[key] = (score, thing)
    return _one_language(list(merged.values()))


def _one_language(ranked: list[tuple[float, Thing]]) -> list[tuple[float, Thing]]:
    """A value that stands in a column and in its translation (name, name_en) is meant in the column itself."""
    names = {thing.name for _, thing in ranked if thing.kind == "value"}
    return [
        pair
        for pair in ranked
        if pair[1].kind != "value" or _TRANSLATED.sub("", pair[1].name) not in names - {pair[1].name}
    ]


@dataclass
class Draft:
    """What the rules write to. `metrics` and `dimensions` keep their places in the question."""

    question: str
    language: Language
    lexicon: Lexicon
    marks: list[Mark]
    now: datetime
    calendar: CalendarSettings
    margin: float
    choices: Mapping[str, str]
    homes: frozenset[str] = frozenset()
    previous: Reading | None = None
    carried: str = ""
    metrics: list[tuple[int, ReadMetric]] = field(default_factory=list)
    dimensions: list[tuple[int, ReadDimension]] = field(default_factory=list)
    each: list[ReadDimension] = field(default_factory=list)
    asked: list[ReadMetric] = field(default_factory=list)
    included: set[str] = field(default_factory=set)
    difference: bool = False
    holders: list[ReadFilter] = field(default_factory=list)
    late: list[tuple[int, str]] = field(default_factory=list)
    filters: list[ReadFilter] = field(default_factory=list)
    listed: set[str] = field(default_factory=set)
    thresholds: list[Threshold] = field(default_factory=list)
    times: list[ReadTime] = field(default_factory=list)
    ranges_apart: bool = False
    ranked: Ranked | None = None
    order: list[ReadOrder] = field(default_factory=list)
    comparison: Comparison = "none"
    base: TimeRange | None = None
    share: bool = False
    running: bool = False
    fill: bool = False
    yes_no: bool = False
    rows: bool = False
    whole_rows: bool = False
    unit: str = ""
    ambiguities: list[Ambiguity] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def column(self, name: str) -> Column | None:
        """The column called `table.column`."""
        return self.lexicon.columns.get(name)

    def neighbour(self, index: int, step: int, *skipped: str) -> int | None:
        """The next mark in a direction, passing those whose role is one of `skipped`; None at the end."""
        index += step
        while 0 <= index < len(self.marks):
            mark = self.marks[index]
            if mark.things or mark.time or not mark.says(*skipped):
                return index
            index += step
        return None

    def used_with_value(self, index: int) -> bool:
        """Whether a word stands before a value, which it then speaks of."""
        after = self.at(self.neighbour(index, 1, "cmp", "of"))
        return after is None or bool(after.of("value"))

    def at(self, index: int | None) -> Mark | None:
        """The mark at an index that may not exist."""
        return self.marks[index] if index is not None and 0 <= index < len(self.marks) else None

    def settle(self, mark: Mark, *kinds: Kind, among: Sequence[Thing] | None = None) -> Thing | None:
        """The one thing a mark means; asks when several fit about equally well, and goes on with the first."""
        things = tuple(among) if among is not None else mark.of(*kinds)
        ranked = _one_spelling(rank(things, self.lexicon, self.homes))
        if not ranked:
            return None
        chosen = next((thing for _, thing in ranked if thing.id == self.choices.get(mark.text)), None)
        if chosen is not None:
            self.notes.append(as_chosen(mark.text, chosen, self.lexicon, self.language))
            return chosen
        best = ranked[0][0]
        rivals = [thing for score, thing in ranked if best - score <= self.margin]
        rivals = self._as_before(rivals)
        if len(rivals) > 1:
            self.ask(mark.text, rivals)
        return rivals[0]

    def _as_before(self, rivals: list[Thing]) -> list[Thing]:
        """The meanings in columns the question before spoke of, when this one goes on from it."""
        spoken = {condition.column for condition in self.previous.filters} if self.previous else set()
        return [thing for thing in rivals if thing.kind == "value" and thing.name in spoken] or rivals

    def new_times(self, before: Reading) -> bool:
        """Whether the time ranges are others than before."""
        return tuple(self.times) != before.times

    def ask(self, words: str, rivals: Sequence[Thing]) -> None:
        """Note that these words need a person's choice."""
        if all(known.words != words for known in self.ambiguities):
            options = tuple(choice_of(thing, self.lexicon, self.language) for thing in rivals)
            self.ambiguities.append(Ambiguity(words=words, choices=options))

    def add_metric(self, mark: Mark, metric: ReadMetric, *, asked: bool = True) -> ReadMetric:
        """Place a metric once, however often it is named; `asked`: to be seen, not only to rank or to limit by."""
        mark.used = True
        if asked:
            self.asked.append(metric.model_copy(update={"words": ""}))
        for _, known in self.metrics:
            if known.model_copy(update={"words": ""}) == metric.model_copy(update={"words": ""}):
                return known
            if known.per == metric.per and self._sums(known) and self._sums(known) == self._sums(metric):
                return known
        self.metrics.append((mark.start, metric))
        return metric

    def _sums(self, metric: ReadMetric) -> str:
        """The column that a number is the plain total of: total_amount of the catalog is the total of `amount`."""
        known = self.lexicon.catalog.metric(metric.metric) if metric.metric else None
        if known is None:
            return metric.column or "" if metric.aggregate == "sum" else ""
        found = _TOTAL_OF.fullmatch(known.expression) if not known.filters else None
        return f"{found[1] or known.table}.{found[2]}" if found else ""

    def add_dimension(self, mark: Mark, column: str = "", grain: Grain | None = None) -> ReadDimension:
        """Place a dimension once."""
        mark.used = True
        for _, known in self.dimensions:
            if (known.column, known.grain) == (column, grain):
                return known
        dimension = ReadDimension(words=mark.text, column=column, grain=grain)
        self.dimensions.append((mark.start, dimension))
        return dimension

    def dimension_column(self, mark: Mark) -> str | None:
        """The column a mark groups by: a column it names, else what names the rows of a table."""
        columns = [thing for thing in mark.of("column") if self.groupable(thing.name)]
        if not columns and not mark.of("table"):
            return None
        thing = self.settle(mark, among=columns or mark.of("table"))
        if thing is None:
            return None
        return thing.name if thing.kind == "column" else self.row_name(thing.name)

    def tables_of(self, metric: ReadMetric) -> frozenset[str]:
        """The tables a number is measured on."""
        if metric.metric:
            return self.lexicon.homes.get(metric.metric, frozenset())
        return frozenset({(metric.column or "").rpartition(".")[0]})

    def original(self, name: str) -> str:
        """The column that a translated one (`province_en`) is a translation of, when the catalog has it."""
        plain = _TRANSLATED.sub("", name)
        return plain if plain in self.lexicon.columns else name

    def groupable(self, name: str) -> bool:
        """Whether groups of this column's values make sense."""
        column = self.column(name)
        return column is not None and column.role != "measure" and not column.personal

    def row_name(self, table_name: str) -> str | None:
        """What names a row of a table to people: its label column, else its single primary key."""
        table = self.lexicon.catalog.table(table_name)
        if table is None:
            return None
        if table.label_column:
            return f"{table.name}.{table.label_column}"
        return f"{table.name}.{table.primary_key[0]}" if len(table.primary_key) == 1 else None

    def numeric(self, name: str) -> bool:
        """Whether a column holds numbers that can be compared and aggregated."""
        column = self.column(name)
        return column is not None and (column.role == "measure" or column.type.casefold().startswith(NUMERIC))
