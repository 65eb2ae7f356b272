"""What a metric already says about itself: its tables, and the values its default filters let through."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from data_agent.domain.metric import Metric

_PART = re.compile(r"\{(\w+)\}")
_COLUMN = re.compile(r"`?(\w+)`?\.`?(\w+)`?")
_CONDITION = re.compile(
    r"^\s*(?:COALESCE\(\s*)?`?(?P<table>\w+)`?\.`?(?P<column>\w+)`?(?:\s*,\s*'?(?P<default>[^)']+)'?\s*\))?\s*"
    r"(?P<operator>=|!=|<>|NOT\s+IN|IN)\s*(?P<values>\(.*\)|'[^']*'|[\w.\-]+)\s*$",
    re.IGNORECASE,
)
_VALUE = re.compile(r"'([^']*)'|([\w.\-]+)")


class Allowed(NamedTuple):
    """Values of a column that a default filter keeps (or, `negated`, drops); None: a condition we do not analyse."""

    values: frozenset[str] | None
    negated: bool = False
    keeps_empty: bool = False

    def admits(self, values: frozenset[str]) -> bool:
        """Whether rows with all of these values can be in the metric at all."""
        if self.values is None:
            return False
        return not (values & self.values) if self.negated else values <= self.values


def parts(metric: Metric) -> tuple[str, ...]:
    """The metrics a derived one is computed from."""
    return tuple(_PART.findall(metric.expression))


def leaves(metric: Metric, metrics: Mapping[str, Metric], depth: int = 8) -> set[str]:
    """The plain metrics a derived one comes down to."""
    if not metric.derived or not depth:
        return {metric.name}
    return {leaf for name in parts(metric) if name in metrics for leaf in leaves(metrics[name], metrics, depth - 1)}


def metric_tables(metric: Metric, metrics: Mapping[str, Metric], depth: int = 8) -> frozenset[str]:
    """Every table the number is measured on, through derived and finer metrics."""
    found = {metric.table} if metric.table else set()
    if not metric.derived and not metric.table:
        found = {table for table, _ in _COLUMN.findall(metric.expression)}
    inner = [*parts(metric), *([metric.finer] if metric.finer else [])] if depth else []
    for name in inner:
        if name in metrics:
            found |= metric_tables(metrics[name], metrics, depth - 1)
    return frozenset(found)


def metric_rules(metric: Metric, metrics: Mapping[str, Metric], depth: int = 8) -> dict[str, Allowed]:
    """Default filters by `table.column`, through derived metrics."""
    found: dict[str, Allowed] = {}
    for condition in metric.filters:
        found.update(_rule(condition))
    for name in parts(metric) if depth else ():
        if name in metrics:
            found.update(metric_rules(metrics[name], metrics, depth - 1))
    return found


def _rule(condition: str) -> dict[str, Allowed]:
    match = _CONDITION.match(condition)
    if match is None:
        return {f"{table}.{column}": Allowed(None) for table, column in _COLUMN.findall(condition)}
    values = frozenset(quoted or bare for quoted, bare in _VALUE.findall(match["values"]))
    negated = match["operator"].upper() not in {"=", "IN"}
    keeps_empty = bool(match["default"]) and (match["default"] in values) != negated
    return {f"{match['table']}.{match['column']}": Allowed(values, negated, keeps_empty)}
