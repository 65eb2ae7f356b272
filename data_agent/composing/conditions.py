"""Conditions of a reading as SQL: typed values, NULL-safe negation, dates as half-open days."""

import re
from datetime import date, timedelta

from sqlglot import exp

from data_agent.composing.periods import Stored, bound, stored
from data_agent.composing.scope import Scope
from data_agent.composing.tree import any_of, cast, data_type, literal
from data_agent.domain.reading import Operator, ReadFilter, Scalar
from data_agent.domain.schema import Column

NEGATIVE: dict[Operator, Operator] = {"!=": "=", "not_in": "in", "not_like": "like"}
"""Operators that say what may not be, with what they deny."""
_ORDERED: dict[str, type[exp.Binary]] = {">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE}
_NUMERIC = ("int", "decimal", "numeric", "double", "float", "real", "number", "bit")
_TEXTUAL = ("char", "text", "string", "enum", "set")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def condition(scope: Scope, asked: ReadFilter, value: exp.Column, column: Column) -> exp.Expr:
    """One condition on a column as it is called in the SELECT at hand.

    Raises:
        CannotAnswer: values are missing.
    """
    operator = asked.operator
    if operator in {"is_null", "not_null"}:
        empty: exp.Expr = exp.Is(this=value, expression=exp.Null())
        if any(word in column.type.lower() for word in ("char", "text", "string")):
            blank = exp.EQ(this=value.copy(), expression=exp.Literal.string(""))
            empty = any_of([empty, blank])
        return empty if operator == "is_null" else exp.Not(this=empty)
    needed = 2 if operator == "between" else 1
    if len(asked.values) < needed:
        raise scope.fail("bad_filter", words=asked.words or asked.column)
    if operator in NEGATIVE:
        return _or_empty(exp.Not(this=_positive(scope, NEGATIVE[operator], asked.values, value, column)), value, column)
    return _positive(scope, operator, asked.values, value, column)


def _or_empty(test: exp.Expr, value: exp.Column, column: Column) -> exp.Expr:
    """“Not X” keeps rows without a value: nobody who says “except X” means to drop those."""
    if not column.nullable and column.role == "primary_key":
        return test
    return any_of([test, exp.Is(this=value.copy(), expression=exp.Null())])


def _positive(
    scope: Scope, operator: Operator, values: tuple[Scalar, ...], value: exp.Column, column: Column
) -> exp.Expr:
    if operator in {"like", "not_like"}:
        return any_of([exp.Like(this=value.copy(), expression=literal(_pattern(str(each)))) for each in values])
    how = stored(column)
    if how.kind in {"datetime", "epoch_ms", "epoch_s"} and all(_DAY.fullmatch(str(each)) for each in values):
        return _days(scope, operator, [date.fromisoformat(str(each)) for each in values], value, how)
    if operator in {"=", "in"}:
        return _equal([typed(each, column) for each in values], value)
    ends = [_comparable(each, column) for each in values]
    ordered = _number_of(value, column, scope.dialect, ends)
    if operator == "between":
        return exp.Between(this=ordered, low=ends[0], high=ends[1])
    return _ORDERED[operator](this=ordered, expression=ends[0])


def _equal(values: list[exp.Expr], value: exp.Column) -> exp.Expr:
    if len(values) == 1:
        return exp.EQ(this=value, expression=values[0])
    return exp.In(this=value, expressions=values)


def _days(scope: Scope, operator: Operator, days: list[date], value: exp.Column, how: Stored) -> exp.Expr:
    """A whole day on a column that knows the time of day: `<= 5 March` includes the evening of 5 March."""

    def at(day: date) -> exp.Expr:
        return bound(day, how, scope.calendar)

    def between(first: date, last: date) -> exp.Expr:
        low = exp.GTE(this=value.copy(), expression=at(first))
        return exp.paren(exp.and_(low, exp.LT(this=value.copy(), expression=at(last + timedelta(days=1))), copy=False))

    if operator in {"=", "in"}:
        return any_of([between(day, day) for day in days])
    if operator == "between":
        return between(days[0], days[1])
    after = days[0] + timedelta(days=1) if operator in {">", "<="} else days[0]
    test = exp.GTE if operator in {">", ">="} else exp.LT
    return test(this=value, expression=at(after))


def _pattern(text: str) -> str:
    """What stands in LIKE: text without wildcards may stand anywhere in the value."""
    return text if "%" in text else f"%{text}%"


def typed(value: Scalar, column: Column) -> exp.Expr:
    """The value as this column's type writes it, so that no engine compares text with numbers."""
    kind = column.type.lower()
    if isinstance(value, bool):
        return exp.Literal.number(int(value)) if kind.startswith(_NUMERIC) or "int" in kind else literal(value)
    if isinstance(value, str) and _numeric(kind) and _reads_as_number(value):
        return exp.Literal.number(value)
    if isinstance(value, int | float) and any(word in kind for word in _TEXTUAL):
        return exp.Literal.string(str(value))
    return literal(value)


def _comparable(value: Scalar, column: Column) -> exp.Expr:
    """A bound of an ordered comparison; numbers stay numbers even on a text column."""
    return literal(value) if isinstance(value, int | float) else typed(value, column)


def _number_of(value: exp.Column, column: Column, dialect: str, ends: list[exp.Expr]) -> exp.Expr:
    """A text column that is compared with numbers is read as numbers ('9' is less than '10')."""
    numbers = all(isinstance(end, exp.Literal) and not end.is_string for end in ends)
    if not numbers or not any(word in column.type.lower() for word in _TEXTUAL):
        return value
    return (
        cast(value, "DECIMAL(38, 8)") if dialect == "mysql" else exp.TryCast(this=value, to=data_type("DECIMAL(38, 8)"))
    )


def _numeric(kind: str) -> bool:
    return "int" in kind or kind.startswith(_NUMERIC)


def _reads_as_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?", text) is not None


def merged(filters: tuple[ReadFilter, ...]) -> tuple[ReadFilter, ...]:
    """Several values asked of one column are alternatives: 天猫 and 京东 means either."""
    found: dict[tuple[str, str], ReadFilter] = {}
    for number, asked in enumerate(filters):
        kind = {"=": "in", "in": "in"}.get(asked.operator, str(number))
        before = found.get((asked.column, kind))
        if before is None:
            found[asked.column, kind] = asked
            continue
        values = tuple(dict.fromkeys((*before.values, *asked.values)))
        words = f"{before.words} {asked.words}".strip()
        found[asked.column, kind] = before.model_copy(update={"values": values, "operator": "in", "words": words})
    return tuple(found.values())
