"""Tables, metrics and joins written down for a model to read, and how many tokens that takes."""

from collections.abc import Sequence

from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Relationship, Table

_CHARS_PER_TOKEN = 4
_WIDE_TOKENS = 0.8
_EXAMPLES = 3
_CELL = 40


def estimated_tokens(text: str) -> int:
    """A tokenizer-free estimate: about 4 letters or 1.25 Han characters a token, measured high rather than low."""
    wide = sum(1 for char in text if char >= "\u2e80")
    return round(wide * _WIDE_TOKENS + (len(text) - wide) / _CHARS_PER_TOKEN) + 1


def one_line(text: str, limit: int = 200) -> str:
    """Text from the catalog or the warehouse as data: no line breaks, no fences, bounded."""
    flat = " ".join(text.replace("`", "'").split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def column_line(column: Column) -> str:
    """`name type — description (aliases) e.g. examples`."""
    parts = [f"  {column.name} {column.type}"]
    if column.role in {"primary_key", "foreign_key"}:
        parts.append({"primary_key": "[PK]", "foreign_key": "[FK]"}[column.role])
    words = "; ".join(filter(None, [one_line(column.description), ", ".join(column.aliases[:4])]))
    if words:
        parts.append(f"— {words}")
    if column.labels:
        parts.append("codes: " + ", ".join(f"{code}={label}" for code, label in list(column.labels.items())[:12]))
    elif column.examples and not column.personal:
        parts.append("e.g. " + ", ".join(repr(one_line(value, _CELL)) for value in column.examples[:_EXAMPLES]))
    return " ".join(parts)


def table_text(table: Table) -> str:
    """A table with its columns, one a line."""
    words = "; ".join(filter(None, [one_line(table.description), ", ".join(table.aliases[:4])]))
    head = f"{table.name} ({table.role})" + (f" — {words}" if words else "")
    return "\n".join([head, *(column_line(column) for column in table.columns)])


def tables_text(tables: Sequence[Table]) -> str:
    """All tables, numbered, so that a model can choose by number or name."""
    return "\n".join(f"{number}. {table_text(table)}" for number, table in enumerate(tables, 1))


def metrics_text(metrics: Sequence[Metric]) -> str:
    """All metrics, numbered, with the expression and the filters that always apply."""
    return "\n".join(f"{number}. {metric_line(metric)}" for number, metric in enumerate(metrics, 1))


def metric_line(metric: Metric) -> str:
    """`name = expression WHERE filters — description (aliases)`."""
    filters = f" WHERE {' AND '.join(metric.filters)}" if metric.filters else ""
    time = f" [time: {metric.time_column}]" if metric.time_column else ""
    words = "; ".join(filter(None, [one_line(metric.description), ", ".join(metric.aliases[:4])]))
    return f"{metric.name} = {metric.expression}{filters}{time}" + (f" — {words}" if words else "")


def joins_text(joins: Sequence[Relationship]) -> str:
    """One join condition a line."""
    return "\n".join(
        " AND ".join(
            f"{link.from_table}.{left} = {link.to_table}.{right}"
            for left, right in zip(link.from_columns, link.to_columns, strict=True)
        )
        for link in joins
    )


def schema_text(tables: Sequence[Table], metrics: Sequence[Metric], joins: Sequence[Relationship]) -> str:
    """Everything a model may use to write SQL: tables, joins between them, metrics."""
    names = {table.name for table in tables}
    held = [link for link in joins if {link.from_table, link.to_table} <= names]
    parts = [tables_text(tables)]
    if held:
        parts.append("JOINS\n" + joins_text(held))
    if metrics:
        parts.append("METRICS\n" + metrics_text(metrics))
    return "\n\n".join(parts)


def fits(tables: Sequence[Table], metrics: Sequence[Metric], token_budget: int) -> bool:
    """Whether the candidates fit the budget as they are, so that nobody has to choose."""
    return estimated_tokens(tables_text(tables)) + estimated_tokens(metrics_text(metrics)) <= token_budget


def within_budget(tables: Sequence[Table], ranks: dict[str, int], token_budget: int) -> tuple[Table, ...]:
    """Drop the lowest ranked columns until the text fits; keys, time columns and the best ones stay.

    `ranks` maps `table.column` to its rank (0 is best). Tables themselves are never dropped here.
    """
    kept = list(tables)
    if estimated_tokens(tables_text(kept)) <= token_budget:
        return tuple(kept)
    last = max(len(ranks), _ALWAYS_KEPT)
    loose = sorted(
        (column for table in kept for column in table.columns if column.role not in _KEPT_ROLES),
        key=lambda column: ranks.get(column.id, last),
    )
    spent = estimated_tokens(tables_text([_without(table, {c.id for c in loose}) for table in kept]))
    dropped: set[str] = set()
    for column in loose:
        cost = estimated_tokens(column_line(column))
        if spent + cost > token_budget and ranks.get(column.id, last) >= _ALWAYS_KEPT:
            dropped.add(column.id)
        else:
            spent += cost
    return tuple(_without(table, dropped) for table in kept)


_KEPT_ROLES = {"primary_key", "foreign_key", "time"}
_ALWAYS_KEPT = 10


def _without(table: Table, dropped: set[str]) -> Table:
    return table.keeping({column.name for column in table.columns if column.id not in dropped})
