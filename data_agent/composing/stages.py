"""The last steps of a statement: columns, HAVING, shares, running totals, ranks, order."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlglot import exp

from data_agent.composing.relation import Ctes
from data_agent.composing.tree import aliased, column, table
from data_agent.domain.answer import ResultColumn


@dataclass
class Out:
    """One column on its way out; `scale` divides it at the very end, hidden ones never come out."""

    column: ResultColumn
    expression: exp.Expr
    scale: int = 1
    hidden: bool = False


@dataclass
class Stages:
    """A SELECT that grows step by step; a step that needs the one before as a table nests it."""

    ctes: Ctes
    select: exp.Select
    outs: list[Out] = field(default_factory=list)
    grouped: bool = False
    distinct: bool = False
    dimensions: int = 0
    most: int | None = None

    def name(self, label: str) -> str:
        """A label that no other column has."""
        taken = {out.column.name.casefold() for out in self.outs}
        free, number = label, 2
        while free.casefold() in taken:
            free, number = f"{label}_{number}", number + 1
        return free

    def add(self, shown: ResultColumn, expression: exp.Expr, *, scale: int = 1, hidden: bool = False) -> Out:
        """One more column, under a name of its own."""
        name = self.name(shown.name)
        label = shown.label if name == shown.name else name
        out = Out(shown.model_copy(update={"name": name, "label": label}), expression, scale, hidden)
        self.outs.append(out)
        return out

    def nest(self, name: str) -> None:
        """Make what there is so far a named query, and go on from its columns."""
        held = self.ctes.add(name, self._closed([aliased(out.expression, out.column.name) for out in self.outs]))
        self.select = exp.Select().from_(table(held), copy=False)
        self.grouped = self.distinct = False
        for out in self.outs:
            out.expression = column("", out.column.name)

    def keep(self, condition: exp.Expr) -> None:
        """Only groups for which this holds."""
        keep = self.select.having if self.grouped else self.select.where
        keep(condition, copy=False)

    def finish(self, order: Iterable[exp.Ordered]) -> exp.Select:
        """The finished statement."""
        shown = [out for out in self.outs if not out.hidden]
        select = self._closed([aliased(_scaled(out), out.column.name) for out in shown])
        keys = list(order)
        select = select.order_by(*keys, copy=False) if keys else select
        return self.ctes.onto(select if self.most is None else select.limit(self.most, copy=False))

    def _closed(self, columns: list[exp.Expr]) -> exp.Select:
        select = self.select.select(*columns, copy=False)
        places = [
            number
            for number, out in enumerate(self.outs[: self.dimensions], 1)
            if not isinstance(out.expression, exp.Literal)
        ]
        if self.grouped and places:
            select = select.group_by(*(exp.Literal.number(place) for place in places), copy=False)
        return select.distinct(copy=False) if self.distinct else select


def _scaled(out: Out) -> exp.Expr:
    if out.scale == 1:
        return out.expression
    inner = exp.paren(out.expression, copy=False) if isinstance(out.expression, exp.Binary) else out.expression
    divided = exp.Div(this=inner, expression=exp.Literal.number(out.scale), typed=False, safe=False)
    return exp.Round(this=divided, decimals=exp.Literal.number(4))


def ordered(expression: exp.Expr, dialect: str, *, descending: bool) -> list[exp.Ordered]:
    """Sort keys with NULLs last, whichever way and engine: MySQL takes NULL for the smallest value."""
    key = exp.Ordered(this=expression, desc=descending, nulls_first=dialect == "mysql" and not descending)
    if dialect != "mysql" or descending:
        return [key]
    return [exp.Ordered(this=exp.Is(this=expression.copy(), expression=exp.Null()), nulls_first=True), key]


def window(function: exp.Expr, partition: list[exp.Expr], order: list[exp.Ordered]) -> exp.Window:
    """`function OVER (PARTITION BY … ORDER BY …)`."""
    by = exp.Order(expressions=order) if order else None
    return exp.Window(this=function, partition_by=partition, order=by)
