"""Masks: what stands in a statement in place of a masked column, per dialect."""

from functools import lru_cache

from sqlglot import exp

from data_agent.domain.policy import Mask
from data_agent.errors import NotPermitted
from data_agent.sql import grammar
from data_agent.sql.copies import bare

# `x` is the column, `:name` a number or text that the mask brings.
_MYSQL = {
    "null": "NULL",
    "hash": "SHA2(CONCAT(:salt, x), 256)",
    "partial": "CASE WHEN CHAR_LENGTH(x) > :kept THEN CONCAT(LEFT(x, :first), '****', RIGHT(x, :last)) "
    "WHEN NOT x IS NULL THEN '****' END",
    "size": "x - MOD(MOD(x, :size) + :size, :size)",
    "day": "DATE(x)",
    "week": "DATE(x) - INTERVAL WEEKDAY(x) DAY",
    "month": "DATE(x) - INTERVAL (DAYOFMONTH(x) - 1) DAY",
    "quarter": "STR_TO_DATE(CONCAT(YEAR(x), '-', QUARTER(x) * 3 - 2, '-1'), '%Y-%c-%e')",
    "year": "DATE(x) - INTERVAL (DAYOFYEAR(x) - 1) DAY",
}
_DUCKDB = {
    "null": "NULL",
    "hash": "SHA256(:salt || CAST(x AS TEXT))",
    "partial": "CASE WHEN LENGTH(CAST(x AS TEXT)) > :kept THEN LEFT(CAST(x AS TEXT), :first) || '****' || "
    "RIGHT(CAST(x AS TEXT), :last) WHEN NOT x IS NULL THEN '****' END",
    "size": "x - (((x % :size) + :size) % :size)",
    **{grain: f"CAST(DATE_TRUNC('{grain}', x) AS DATE)" for grain in ("day", "week", "month", "quarter", "year")},
}


def given(mask: Mask | None, table: str, name: str, salt: str, dialect: str) -> exp.Expression:
    """What the role gets for a column of the one table of a query, called like the column: itself, or its mask.

    Raises:
        NotPermitted: this dialect has no such mask.
    """
    if mask is None:
        return exp.Column(this=exp.Identifier(this=name, quoted=True))
    return bare(_given(mask, table, name, salt, dialect))


@lru_cache(maxsize=4096)
def _given(mask: Mask, table: str, name: str, salt: str, dialect: str) -> exp.Expression:
    real = exp.column(name, table=table, quoted=True)
    return exp.Alias(this=masked(mask, real, salt, dialect), alias=exp.to_identifier(name, quoted=True))


def masked(mask: Mask, column: exp.Column, salt: str, dialect: str) -> exp.Expression:
    """The expression that the role gets in place of `column`.

    Raises:
        NotPermitted: this dialect has no such mask.
    """
    kind = mask.kind if mask.kind != "bucket" else mask.by or "size"
    brings: dict[str, exp.Expression] = {
        "salt": exp.Literal.string(salt),
        "kept": exp.Literal.number(mask.keep_first + mask.keep_last),
        "first": exp.Literal.number(mask.keep_first),
        "last": exp.Literal.number(mask.keep_last),
        "size": exp.Literal.number(mask.size or 0),
    }
    tree = exp.Paren(this=_template(kind, dialect).copy())
    for node in list(tree.find_all(exp.Column, exp.Placeholder)):
        node.replace((column if isinstance(node, exp.Column) else brings[node.name]).copy())
    inner: exp.Expression = tree.this
    return inner


@lru_cache(maxsize=64)
def _template(kind: str, dialect: str) -> exp.Expression:
    templates = {"mysql": _MYSQL, "duckdb": _DUCKDB}.get(dialect)
    if templates is None:
        raise NotPermitted(f"masks are not known for the dialect {dialect}")
    text = f"SELECT {templates[kind]}"
    (tree,) = grammar.trees(grammar.tokens(text, dialect), text, dialect)
    if not isinstance(tree, exp.Select):
        raise NotPermitted(f"masks are not known for the dialect {dialect}")
    first: exp.Expression = tree.expressions[0]
    return bare(first)
