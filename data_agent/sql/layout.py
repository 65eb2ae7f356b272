"""An admitted statement laid out for reading; what runs stays as it was admitted."""

from sqlglot import exp
from sqlglot.errors import SqlglotError

from data_agent.sql import grammar


def laid_out(sql: str, dialect: str) -> str:
    """One clause a line; a text that cannot be laid out comes back as it is."""
    try:
        (tree,) = grammar.foreign(sql, dialect)
    except (SqlglotError, ValueError):
        return sql
    return tree.sql(dialect=dialect, pretty=True) if isinstance(tree, exp.Expression) else sql
