"""Metrics as formulas over measures: each measure is one aggregate over the rows of its home table."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from sqlglot import exp

from data_agent.composing.scope import Scope
from data_agent.composing.tree import cast, column, parsed, safe_division
from data_agent.domain.metric import Metric
from data_agent.domain.reading import ReadDimension, ReadMetric

_BRACES = re.compile(r"\{([^{}]*)\}")
_AGGREGATES = {"sum": exp.Sum, "avg": exp.Avg, "min": exp.Min, "max": exp.Max}


@dataclass(frozen=True)
class Measure:
    """One aggregate. `key` names it in formulas; `counts` says that a missing row means 0, not unknown.

    `once` says that it stays right when every row of the home table counts once per group (counts, lowest, highest).
    """

    key: str
    label: str
    home: str
    aggregate: exp.Expr
    filters: tuple[str, ...] = ()
    time_column: str | None = None
    last: bool = False
    additive: bool = True
    counts: bool = False
    once: bool = False
    finer: str | None = None


@dataclass(frozen=True)
class Value:
    """One number of the reading: a formula whose placeholders are measure keys, and how to show it."""

    label: str
    formula: exp.Expr
    measures: tuple[Measure, ...]
    format: str = "number"
    unit: str = ""
    per: ReadDimension | None = None

    @property
    def additive(self) -> bool:
        """Whether groups may be added up: sums and differences of additive measures."""
        ratio = self.formula.find(exp.Div, exp.Mul) is not None
        return not ratio and self.per is None and all(measure.additive for measure in self.measures)

    @property
    def ratio(self) -> bool:
        """Whether it has no meaningful share of a total."""
        trees = (self.formula, *(measure.aggregate for measure in self.measures))
        return self.per is not None or any(tree.find(exp.Div, exp.Avg, exp.Min, exp.Max) for tree in trees)


def hole(key: str) -> exp.Placeholder:
    """Where a measure stands in a formula."""
    return exp.Placeholder(this=key)


def values_of(scope: Scope) -> tuple[Value, ...]:
    """What each metric of the reading means."""
    return tuple(_value(scope, read) for read in scope.reading.metrics)


def _value(scope: Scope, read: ReadMetric) -> Value:
    value = _catalog_value(scope, read.metric) if read.metric else _plain_value(scope, read)
    if read.without:
        kept = (replace(m, filters=tuple(f for f in m.filters if not _names(f, read.without))) for m in value.measures)
        value = replace(value, measures=tuple(kept))
    if read.per is None:
        return value
    per = label_of_dimension(scope, read.per)
    scope.note("per", per=per)
    return replace(value, per=read.per, label=scope.say("per_label", metric=value.label, per=per))


def _names(condition: str, columns: tuple[str, ...]) -> bool:
    """Whether a condition speaks of one of these columns."""
    return any(f"{node.table}.{node.name}" in columns for node in parsed(condition).find_all(exp.Column))


def label_of_dimension(scope: Scope, dimension: ReadDimension) -> str:
    """What the result calls this dimension."""
    if dimension.grain:
        return scope.say(dimension.grain)
    if not dimension.column:
        return scope.say("range")
    return scope.column(dimension.column).label(scope.reading.language)


def _catalog_value(scope: Scope, name: str) -> Value:
    metric = _metric(scope, name)
    measures: dict[str, Measure] = {}
    formula = _formula(scope, metric, measures, ())
    label = metric.label(scope.reading.language)
    return Value(label, formula, tuple(measures.values()), metric.format, metric.unit)


def _metric(scope: Scope, name: str) -> Metric:
    metric = scope.catalog.metric(name)
    if metric is None:
        raise scope.fail("no_metric", name=name)
    return metric


def _formula(scope: Scope, metric: Metric, measures: dict[str, Measure], above: tuple[str, ...]) -> exp.Expr:
    """The metric with every part in braces replaced by what it means."""
    if metric.name in above:
        raise scope.fail("circular", name=metric.name)
    if not metric.derived:
        measure = measure_of(scope, metric)
        measures[measure.key] = measure
        return hole(measure.key)
    parts: list[exp.Expr] = []

    def part(found: re.Match[str]) -> str:
        parts.append(_formula(scope, _metric(scope, found[1].strip()), measures, (*above, metric.name)))
        return f"__part{len(parts) - 1}"

    tree = exp.Paren(this=parsed(_BRACES.sub(part, metric.expression)))
    for node in list(tree.find_all(exp.Column)):
        if node.name.startswith("__part"):
            inner = parts[int(node.name[6:])].copy()
            node.replace(exp.Paren(this=inner) if isinstance(inner, exp.Binary) else inner)
    return safe_division(_nothing_is_zero(tree, measures), scope.dialect)


def _nothing_is_zero(tree: exp.Paren, measures: dict[str, Measure]) -> exp.Expr:
    """No refunds are refunds of 0: a fact without rows in a group adds nothing, and only where all have none is NULL.

    That holds between facts only; inside one fact a missing number is an unknown one.
    """
    for node in reversed(list(tree.find_all(exp.Add, exp.Sub, exp.Div))):
        left, right = node.this, node.expression
        if (
            not _homes(left, measures)
            or not _homes(right, measures)
            or _homes(left, measures) == _homes(right, measures)
        ):
            continue
        zero = exp.Literal.number(0)
        if isinstance(node, exp.Div):
            node.set("this", exp.Coalesce(this=left.copy(), expressions=[zero]))
            continue
        alone = right.copy() if isinstance(node, exp.Add) else exp.Neg(this=right.copy())
        node.replace(exp.Coalesce(this=node.copy(), expressions=[left.copy(), alone]))
    inner: exp.Expr = tree.this
    return inner


def _homes(tree: exp.Expr, measures: dict[str, Measure]) -> set[str]:
    return {measures[node.name].home for node in tree.find_all(exp.Placeholder)}


def measure_of(scope: Scope, metric: Metric) -> Measure:
    """A metric that is one aggregate expression over its own table."""
    if not metric.table or not metric.expression:
        raise scope.fail("bad_metric", name=metric.name)
    table = scope.table(metric.table)
    aggregate = qualified(parsed(metric.expression), table.name)
    counts = isinstance(aggregate, exp.Count)
    return Measure(
        key=metric.name,
        label=metric.label(scope.reading.language),
        home=table.name,
        aggregate=widened(scope, safe_division(aggregate, scope.dialect)),
        filters=tuple(_qualified_text(text, table.name) for text in metric.filters),
        time_column=metric.time_column or default_time(scope, table.name),
        last=metric.additivity == "semi_additive",
        additive=metric.additivity == "additive" and _adds_up(aggregate),
        counts=counts,
        once=counts or isinstance(aggregate, exp.Min | exp.Max),
        finer=metric.finer,
    )


def widened(scope: Scope, tree: exp.Expr) -> exp.Expr:
    """Averages with enough decimals: MySQL keeps only four more than the averaged numbers have."""
    if scope.dialect == "mysql":
        for node in tree.find_all(exp.Avg):
            field = node.this
            kind = scope.column(f"{field.table}.{field.name}").type.lower() if isinstance(field, exp.Column) else "int"
            if "int" in kind or re.fullmatch(r"(decimal|numeric)(\(\d+(, *[01])?\))?", kind):
                node.set("this", cast(field, "DECIMAL(38, 8)"))
    return tree


def _adds_up(aggregate: exp.Expr) -> bool:
    distinct = aggregate.find(exp.Distinct) is not None
    return not distinct and isinstance(aggregate, exp.Sum | exp.Count)


def qualified(tree: exp.Expr, home: str) -> exp.Expr:
    """Every bare column of a catalog expression belongs to the metric's own table."""
    for node in tree.find_all(exp.Column):
        if not node.table and not isinstance(node.this, exp.Star):
            node.set("table", exp.to_identifier(home))
    return tree


@lru_cache(maxsize=4096)
def _qualified_text(text: str, home: str) -> str:
    return qualified(parsed(text), home).sql(dialect="mysql")


def _plain_value(scope: Scope, read: ReadMetric) -> Value:
    """An aggregate over one column, or the number of rows of a table."""
    owner, _, name = (read.column or "").rpartition(".")
    table, how = scope.table(owner), read.aggregate or "sum"
    rows = name == "*"
    if rows:
        label = scope.say("row_count", table=table.label(scope.reading.language))
        aggregate: exp.Expr = exp.Count(this=exp.Star())
    else:
        field = scope.column(f"{owner}.{name}")
        label = scope.say(how, column=field.label(scope.reading.language))
        aggregate = widened(scope, _aggregate(how, column(table.name, field.name)))
    counts = how in {"count", "count_distinct"} or rows
    measure = Measure(
        key=f"{how}:{owner}.{name}",
        label=label,
        home=table.name,
        aggregate=aggregate,
        time_column=default_time(scope, table.name),
        additive=how in {"sum", "count"},
        counts=counts,
        once=counts or how in {"min", "max"},
    )
    unit = "" if counts else scope.column(f"{owner}.{name}").unit
    return Value(label, hole(measure.key), (measure,), "integer" if counts else "number", unit)


def _aggregate(how: str, field: exp.Expr) -> exp.Expr:
    if how == "count_distinct":
        return exp.Count(this=exp.Distinct(expressions=[field]))
    return exp.Count(this=field) if how == "count" else _AGGREGATES[how](this=field)


def default_time(scope: Scope, table: str) -> str | None:
    """The column that dates the rows of a table: the one named, else the only one of role time."""
    found = scope.table(table)
    if found.time_column:
        return found.time_column if "." in found.time_column else f"{found.name}.{found.time_column}"
    times = [field.id for field in found.columns if field.role == "time"]
    return times[0] if len(times) == 1 else None
