"""A reading: what we took the question to mean, part by part, so that it can be shown and disputed."""

from typing import Literal

from data_agent.domain.frozen import Frozen
from data_agent.domain.language import Language
from data_agent.domain.time import Grain, TimeRange

Operator = Literal[
    "=",
    "!=",
    "in",
    "not_in",
    ">",
    ">=",
    "<",
    "<=",
    "between",
    "like",
    "not_like",
    "is_null",
    "not_null",
    "has_rows",
    "no_rows",
]
Aggregate = Literal["sum", "avg", "count", "count_distinct", "min", "max"]
Comparison = Literal["yoy", "mom", "none"]
Scalar = str | int | float | bool


class ReadDimension(Frozen):
    """Group by this column (`table.column`); `grain` cuts a time column into periods.

    With a grain and an empty `column`, each metric is cut by its own time column. `hidden` ones tell groups apart and
    are not shown.
    """

    words: str
    column: str
    grain: Grain | None = None
    hidden: bool = False


class ReadMetric(Frozen):
    """A catalog metric by name, or an aggregate over one column.

    `column` is `table.column`; `table.*` with `count` counts rows. `per` asks for the average of the metric over the
    groups of that dimension ("average monthly sales": the metric for each month, then the mean of those). `hidden` ones
    only rank or limit and are not shown.
    `without` names columns whose conditions in the metric's own definition do not apply this time.
    """

    words: str
    metric: str | None = None
    aggregate: Aggregate | None = None
    column: str | None = None
    per: ReadDimension | None = None
    hidden: bool = False
    without: tuple[str, ...] = ()


class ReadFilter(Frozen):
    """A condition on a column (`table.column`), applied before aggregation. Values are as stored.

    `has_rows` / `no_rows` take `table.*` as the column: the entity has (no) row in that table. `is_null` on a text
    means empty: NULL or ''. `part` marks what a share is a share of: the whole is everything, without that condition.
    """

    words: str
    column: str
    operator: Operator = "="
    values: tuple[Scalar, ...] = ()
    part: bool = False


class ReadHaving(Frozen):
    """A condition on a metric of the reading (by position), applied after aggregation."""

    words: str
    metric: int
    operator: Operator
    values: tuple[float, ...]


class ReadTime(Frozen):
    """A time range and the column it restricts (None: the metric's own time column)."""

    range: TimeRange
    column: str | None = None


class ReadOrder(Frozen):
    """Sort by a metric (`metric` position), a dimension (`dimension` position), or a `column` that need not be shown.

    A column orders listed rows only: it means nothing where rows are grouped.
    """

    words: str = ""
    metric: int | None = None
    dimension: int | None = None
    column: str = ""
    descending: bool = True


class Choice(Frozen):
    """One candidate a person can choose: `id` is stable, `label` is for eyes, `count` is the rows behind it."""

    id: str
    label: str
    kind: Literal["column", "value", "metric", "path", "range", "warehouse"]
    detail: str = ""
    count: int | None = None


class Ambiguity(Frozen):
    """A word that fits several things about equally well."""

    words: str
    choices: tuple[Choice, ...]


class Unplaced(Frozen):
    """A content word with no place in the reading, and what is known near it."""

    words: str
    nearest: tuple[str, ...] = ()


class Reading(Frozen):
    """The question, explained.

    `limit` keeps the first N with ties; with `limit_per` (positions of dimensions) the first N inside each of those
    groups. `comparison` sets each number against its base: the same period a year before (`yoy`) or the period before
    (`mom`), as a growth rate or, with `difference`, as what is more or less; `base` is that range when the question has
    no time dimension. `share` adds each row's part of the total,
    `running` the running total over time, `fill` shows periods or members without data as 0. `unit` (万元, thousand)
    scales the numbers. `rows` lists one line for each row, not each different value once. `paths` names the
    relationships a person chose where several join paths exist. `carried` is the question of the thread that the parts
    not said anew were carried over from.
    """

    question: str
    language: Language
    metrics: tuple[ReadMetric, ...] = ()
    dimensions: tuple[ReadDimension, ...] = ()
    filters: tuple[ReadFilter, ...] = ()
    having: tuple[ReadHaving, ...] = ()
    times: tuple[ReadTime, ...] = ()
    order: tuple[ReadOrder, ...] = ()
    limit: int | None = None
    limit_per: tuple[int, ...] = ()
    comparison: Comparison = "none"
    base: TimeRange | None = None
    share: bool = False
    difference: bool = False
    running: bool = False
    fill: bool = False
    yes_no: bool = False
    rows: bool = False
    unit: str = ""
    paths: tuple[str, ...] = ()
    carried: str = ""
    ambiguities: tuple[Ambiguity, ...] = ()
    unplaced: tuple[Unplaced, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[str, ...]:
        """Tables named by its columns, in order; those of its metrics are not among them."""
        columns = [place.column for place in self.dimensions] + [condition.column for condition in self.filters]
        columns += [metric.column for metric in self.metrics if metric.column]
        columns += [time.column for time in self.times if time.column]
        return tuple(dict.fromkeys(column.rpartition(".")[0] for column in columns if column))

    @property
    def complete(self) -> bool:
        """Whether SQL may be composed from this reading alone."""
        return bool(self.metrics or self.dimensions) and not self.unplaced and not self.ambiguities

    @property
    def undecided(self) -> bool:
        """Whether nothing but a person's choice is missing."""
        return bool(self.ambiguities) and not self.unplaced
