"""Cut candidates down to what was chosen; only names and numbers that were offered select anything."""

import re
from collections.abc import Iterable, Sequence

from data_agent.domain.metric import Metric
from data_agent.domain.schema import Relationship, Table

_KEYS = {"primary_key", "foreign_key"}
_QUALIFIED = re.compile(r"`?(\w+)`?\.`?(\w+)`?")


def named(choice: str, names: Sequence[str]) -> str | None:
    """The offered name a choice means: its number, the name in any letter case, or with a schema in front."""
    text = choice.strip().strip("`\"'").rstrip(".")
    if text.isdecimal() and 1 <= int(text) <= len(names):
        return names[int(text) - 1]
    folded = {name.casefold(): name for name in names}
    return folded.get(text.casefold()) or folded.get(text.rpartition(".")[2].casefold())


def chosen_tables(
    tables: Sequence[Table],
    choices: Iterable[str],
    columns: Iterable[str],
    joins: Sequence[Relationship],
    metrics: Sequence[Metric],
) -> tuple[Table, ...]:
    """The chosen tables and the ones that join them, cut to the chosen columns where any were chosen of a table.

    Keys, join columns, time columns and columns of metrics are never cut. Empty when nothing offered was chosen.
    """
    names = [table.name for table in tables]
    kept = {name for choice in choices if (name := named(choice, names))}
    picked = _picked(tables, columns)
    kept |= {column_id.partition(".")[0] for column_id in picked}
    if not kept:
        return ()
    kept |= _between(kept, joins)
    needed = picked | _metric_columns(metrics) | _join_columns(joins)
    return tuple(_cut(table, needed, picked) for table in tables if table.name in kept)


def chosen_metrics(metrics: Sequence[Metric], choices: Iterable[str]) -> tuple[Metric, ...]:
    """The chosen metrics and those they are computed from; empty when nothing offered was chosen."""
    names = [metric.name for metric in metrics]
    kept = {name for choice in choices if (name := named(choice, names))}
    parts = {part for metric in metrics if metric.name in kept for part in re.findall(r"\{(\w+)\}", metric.expression)}
    return tuple(metric for metric in metrics if metric.name in kept | parts)


def _picked(tables: Sequence[Table], columns: Iterable[str]) -> set[str]:
    offered = {column.id.casefold(): column.id for table in tables for column in table.columns}
    wanted = (".".join(choice.strip("` ").replace("`", "").split(".")[-2:]).casefold() for choice in columns)
    return {offered[column_id] for column_id in wanted if column_id in offered}


def _between(kept: set[str], joins: Sequence[Relationship]) -> set[str]:
    """Tables on the joins between kept ones: leaves of the join tree that nobody chose fall away."""
    links = [{link.from_table, link.to_table} for link in joins]
    needed = set().union(*links) | kept if links else set(kept)
    while loose := {name for name in needed - kept if sum(name in link and link <= needed for link in links) <= 1}:
        needed -= loose
    return needed


def _metric_columns(metrics: Sequence[Metric]) -> set[str]:
    texts = (text for metric in metrics for text in (metric.expression, *metric.filters, metric.time_column or ""))
    return {f"{table}.{column}" for text in texts for table, column in _QUALIFIED.findall(text)}


def _join_columns(joins: Sequence[Relationship]) -> set[str]:
    left = {f"{link.from_table}.{column}" for link in joins for column in link.from_columns}
    return left | {f"{link.to_table}.{column}" for link in joins for column in link.to_columns}


def _cut(table: Table, needed: set[str], picked: set[str]) -> Table:
    if not any(column.id in picked for column in table.columns):
        return table
    return table.keeping(
        {c.name for c in table.columns if c.id in needed or c.role in _KEYS or c.name == table.time_column}
    )
