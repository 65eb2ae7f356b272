"""Recalled values under a policy: the index was built from every row, so a value may stand in hidden rows only."""

from collections.abc import Iterable, Iterator, Sequence

from sqlglot import exp

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.value import Value
from data_agent.options import Limits
from data_agent.policy.rights import Rights
from data_agent.sql.admit import admit

MOST = 50
"""Values of one column that are looked up at once; more than that were not meant."""


def certain(values: Iterable[Value], rights: Rights) -> list[Value]:
    """The values that hide nothing: of columns in the view that are not masked, in tables with all their rows."""
    return [v for v in values if _seen(v, rights) and not rights.cuts(v.table)]


def in_question(values: Iterable[Value], rights: Rights) -> dict[str, list[Value]]:
    """By column id the values that may stand in hidden rows only, so the warehouse has to be asked."""
    found: dict[str, list[Value]] = {}
    for value in values:
        if _seen(value, rights) and rights.cuts(value.table):
            found.setdefault(value.column_id, []).append(value)
    return {column: held[:MOST] for column, held in found.items()}


def existing(values: Sequence[Value], rights: Rights, dialect: str, version: str) -> AdmittedSql:
    """The statement that gives those values of one column that stand in rows the caller may see.

    Raises:
        Refused: it cannot be admitted, for example because the caller lacks an attribute.
    """
    table, column = values[0].table, values[0].column
    name = exp.column(column, quoted=True)
    source = exp.to_table(".".join(f'"{part}"' for part in table.split(".")), dialect="duckdb")
    texts = [exp.Literal.string(text) for text in dict.fromkeys(value.text for value in values)]
    query = exp.select(name).distinct().from_(source).where(exp.In(this=name.copy(), expressions=texts))
    return admit(
        query.sql(dialect=dialect),
        catalog=rights.view,
        dialect=dialect,
        limits=Limits(max_rows=2 * MOST),
        version=version,
        rewrite=rights.rewriting(dialect),
    )


def confirmed(values: Iterable[Value], rows: Iterable[Sequence[object]]) -> Iterator[Value]:
    """The values that came back exactly as they are stored."""
    stored = {str(row[0]) for row in rows}
    return (value for value in values if value.text in stored)


def _seen(value: Value, rights: Rights) -> bool:
    return rights.view.column(value.column_id) is not None and not rights.masks(value.column_id)
