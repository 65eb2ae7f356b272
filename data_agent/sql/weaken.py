"""A statement without one of its conditions: how to find the one that removed the rows."""

from collections.abc import Iterator

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError


def without_each(sql: str, dialect: str, most: int) -> Iterator[tuple[str, str]]:
    """Each condition of the outermost WHERE, up to `most` of them, and the statement without it, one row long.

    What comes out is text like what came in: it has to pass the guard.
    """
    try:
        tree = parse_one(sql, read=dialect)
    except SqlglotError:
        return
    where = tree.args.get("where") if isinstance(tree, exp.Select) else None
    if where is None:
        return
    conditions = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
    for number, condition in enumerate(conditions[:most]):
        others = [each.copy() for place, each in enumerate(conditions) if place != number]
        freed = tree.copy()
        freed.set("where", exp.Where(this=exp.and_(*others)) if others else None)
        freed.set("limit", exp.Limit(expression=exp.Literal.number(1)))
        yield condition.sql(dialect=dialect), freed.sql(dialect=dialect)
