"""What a metric's expression or filter is made of, by its syntax tree."""

import re
from typing import NamedTuple

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

DIALECT = "mysql"
BRACES = re.compile(r"\{([^{}]*)\}")


class Formula(NamedTuple):
    """Columns named (`table.column`, or bare), whether it aggregates, or why it cannot be read."""

    columns: tuple[str, ...] = ()
    aggregates: bool = False
    complaint: str = ""


def parts_of(expression: str) -> tuple[str, ...]:
    """The metrics in braces, each once, in order."""
    return tuple(dict.fromkeys(name.strip() for name in BRACES.findall(expression)))


def read_formula(text: str) -> Formula:
    """Parse one expression or condition, as MySQL writes it; braces count as numbers."""
    try:
        tree = sqlglot.parse_one(f"SELECT {BRACES.sub('1', text)}", read=DIALECT)
    except (SqlglotError, RecursionError) as error:
        return Formula(complaint=f"not valid SQL: {_first_line(error)}")
    if not isinstance(tree, exp.Select) or set(_written(tree)) != {"expressions"} or len(tree.expressions) != 1:
        return Formula(complaint="must be one expression, not a statement or a list")
    if tree.expressions[0].find(exp.Subquery, exp.Select, exp.Star) and not _counts_rows(tree.expressions[0]):
        return Formula(complaint="must not hold a subquery or `*`")
    columns = dict.fromkeys(_column_id(column) for column in tree.find_all(exp.Column))
    return Formula(tuple(columns), tree.expressions[0].find(exp.AggFunc) is not None)


def _written(tree: exp.Select) -> list[str]:
    return [key for key, value in tree.args.items() if value]


def _counts_rows(tree: exp.Expression) -> bool:
    stars = list(tree.find_all(exp.Star))
    return not tree.find(exp.Subquery, exp.Select) and all(isinstance(star.parent, exp.Count) for star in stars)


def _column_id(column: exp.Column) -> str:
    return f"{column.table}.{column.name}" if column.table else column.name


def _first_line(error: Exception) -> str:
    return re.sub(r"\x1b\[\d+m", "", str(error)).splitlines()[0].split(". Line")[0]
