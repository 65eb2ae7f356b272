"""Ossie's expressions as a catalog writes them: columns of real tables, one aggregate or parts in braces."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import sqlglot
from sqlglot import exp
from sqlglot.dialects.mysql import MySQL
from sqlglot.errors import SqlglotError

from data_agent.exchange.ossie.document import Written

PLAIN = re.compile(r"[A-Za-z_\u4e00-\u9fff][A-Za-z0-9_\u4e00-\u9fff]*")
RESERVED = frozenset(word for word in MySQL.Tokenizer.KEYWORDS if PLAIN.fullmatch(word))


class Impossible(ValueError):
    """Why an expression cannot be carried over."""


@dataclass(frozen=True)
class Dataset:
    """A logical dataset on its table: `fields` by name as MySQL expressions over columns of that table."""

    name: str
    table: str
    fields: Mapping[str, exp.Expr] = field(default_factory=dict)


@dataclass(frozen=True)
class Formula:
    """A metric's expression, its conditions, and the aggregates that have to be metrics of their own first.

    `table` is empty for arithmetic over other metrics.
    """

    expression: str
    table: str = ""
    filters: tuple[str, ...] = ()
    parts: dict[str, "Formula"] = field(default_factory=dict)


def parsed(written: Written) -> exp.Expr:
    """The tree of one expression.

    Raises:
        Impossible: it is no SQL expression.
    """
    try:
        tree = sqlglot.parse_one(f"SELECT {written.text}", read=written.dialect or None)
    except (SqlglotError, RecursionError) as error:
        raise Impossible(f"`{written.text}` is not valid SQL") from error
    if not isinstance(tree, exp.Select) or len(tree.expressions) != 1 or tree.args.get("from_"):
        raise Impossible("it is more than one expression")
    found: exp.Expr = tree.expressions[0].unalias().pop()
    if found.find(exp.Window):
        raise Impossible(
            "a window over rows is asked for in the question (running total, rank), not defined as a metric"
        )
    if found.find(exp.Subquery, exp.Select):
        raise Impossible("it holds a subquery")
    return found


def column(table: str, name: str) -> exp.Column:
    """A column, its names quoted only where they must be."""
    return exp.column(_name(name), table=_name(table))


def _name(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=not PLAIN.fullmatch(name) or name.upper() in RESERVED)


def text_of(tree: exp.Expr) -> str:
    """As a catalog writes it: MySQL's way."""
    return tree.sql(dialect="mysql")


class Formulas:
    """Reads metric expressions over these datasets; `metrics` are names that a bare word may mean."""

    def __init__(self, datasets: Iterable[Dataset], metrics: Iterable[str]) -> None:
        self.datasets = {each.name.casefold(): each for each in datasets}
        self.metrics = {name.casefold(): name for name in metrics}

    def read(self, name: str, written: Written) -> Formula:
        """The formula of the metric of that name.

        Raises:
            Impossible: a catalog cannot say it; the text says why.
        """
        tree = self._resolved(parsed(written), own=name)
        aggregates = [each for each in tree.find_all(exp.AggFunc) if not each.find_ancestor(exp.AggFunc)]
        named = any(isinstance(each, exp.Var) and "{" in each.name for each in tree.walk())
        if not aggregates and not named:
            raise Impossible("it has no aggregate such as SUM(…)")
        tables = {table for each in aggregates for table in _tables(each)}
        if not named and (len(tables) == 1 or tree in aggregates):
            return _plain(tree)
        return self._derived(tree, aggregates, name)

    def condition(self, written: Written) -> str:
        """A row condition over columns, as a filter writes it."""
        return text_of(self._resolved(parsed(written), own=""))

    def _derived(self, tree: exp.Expr, aggregates: list[exp.AggFunc], name: str) -> Formula:
        parts: dict[str, Formula] = {}
        for number, each in enumerate(aggregates, 1):
            part = f"{name}_part_{number}"
            parts[part] = _plain(each.copy())
            reference = exp.var(f"{{{part}}}")
            if each is tree:
                tree = reference
            else:
                each.replace(reference)
        if loose := next(tree.find_all(exp.Column), None):
            raise Impossible(f"`{text_of(loose)}` stands outside of every aggregate")
        return Formula(text_of(tree), parts=parts)

    def _resolved(self, tree: exp.Expr, own: str) -> exp.Expr:
        """The tree with fields as columns of tables, computed fields written out, metrics in braces."""

        def known(node: exp.Expr) -> exp.Expr:
            return self._meaning(node, own) if isinstance(node, exp.Column) else node

        # a star inside COUNT(*) is no column
        return tree.transform(known, copy=True)

    def _meaning(self, node: exp.Column, own: str) -> exp.Expr:
        if node.table:
            dataset = self.datasets.get(node.table.casefold())
            if dataset is None:
                raise Impossible(f"there is no dataset `{node.table}` to take `{node.name}` from")
            return self._field(dataset, node.name)
        found = [each for each in self.datasets.values() if node.name.casefold() in each.fields]
        if node.name.casefold() in self.metrics and node.name.casefold() != own.casefold():
            return exp.var(f"{{{self.metrics[node.name.casefold()]}}}")
        if len(found) != 1:
            raise Impossible(f"`{node.name}` is {'no field' if not found else 'a field of several datasets'}")
        return self._field(found[0], node.name)

    def _field(self, dataset: Dataset, name: str) -> exp.Expr:
        found = dataset.fields.get(name.casefold())
        if found is None:
            raise Impossible(f"dataset `{dataset.name}` has no field `{name}`")
        return found.copy() if isinstance(found, exp.Column) else exp.paren(found.copy())


def _tables(tree: exp.Expr) -> set[str]:
    return {each.table for each in tree.find_all(exp.Column)}


def _plain(tree: exp.Expr) -> Formula:
    """One metric over one table. `SUM(CASE WHEN condition THEN x END)` is `SUM(x)` with that condition as a filter."""
    inner = tree.this if isinstance(tree, exp.AggFunc) else None
    distinct = inner if isinstance(inner, exp.Distinct) and len(inner.expressions) == 1 else None
    case = distinct.expressions[0] if distinct else inner
    filters: list[exp.Expr] = []
    if isinstance(case, exp.Case) and _is_condition(case):
        branch = case.args["ifs"][0]
        filters = [each.unnest() for each in _conjuncts(branch.this)]
        value = branch.args["true"]
        case.replace(exp.Star() if isinstance(value, exp.Literal) and isinstance(tree, exp.Count) else value)
    tables = _tables(tree)
    if len(tables) > 1:
        raise Impossible(f"one aggregate takes columns of several tables ({', '.join(sorted(tables))})")
    tables = tables or {table for each in filters for table in _tables(each)}
    if len(tables) != 1:
        raise Impossible("it does not tell which dataset it counts; write COUNT(dataset.key)")
    return Formula(text_of(tree), tables.pop(), tuple(text_of(each) for each in filters))


def _is_condition(case: exp.Case) -> bool:
    return case.this is None and len(case.args["ifs"]) == 1 and case.args.get("default") is None


def _conjuncts(tree: exp.Expr) -> list[exp.Expr]:
    found = tree.unnest()
    return list(found.flatten()) if isinstance(found, exp.And) else [found]
