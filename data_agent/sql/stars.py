"""What comes out of a SELECT: the names of its columns, and `*` written out as catalog columns."""

import re

from sqlglot import exp

from data_agent.sql.reasons import refuse
from data_agent.sql.scopes import Scope, Source


def source_of_names(name: str, names: list[str]) -> Source:
    """A source that has just these columns; `*` among them means that they are not all known."""
    known = {each.casefold(): each for each in names if each != "*"}
    return Source(name, known, unchecked="*" in names)


def output_names(node: exp.Expression, scope: Scope | None = None) -> list[str]:
    """The names of a query's columns, from its first arm; an unnamed expression is called by its text."""
    while not isinstance(node, exp.Select):
        node = node.this
    return [name for item in node.expressions for name in _names(item, scope)]


def _names(item: exp.Expression, scope: Scope | None) -> list[str]:
    if not item.is_star:
        return [item.alias or (item.name if isinstance(item, exp.Column) else item.sql(dialect="mysql"))]
    source = scope.named(item.args["table"].name) if scope and item.args.get("table") else None
    return list(source.columns.values()) if source and not source.unchecked else ["*"]


def expand(node: exp.Select, scope: Scope) -> None:
    """Write `*` and `t.*` out as known columns; a source whose columns have no plain names keeps `t.*`.

    Raises:
        UnsafeSql: there is nothing that the star could stand for.
    """
    if not any(item.is_star for item in node.expressions):
        return
    written: list[exp.Expression] = []
    for item in node.expressions:
        if not item.is_star:
            written.append(item)
        elif isinstance(item, exp.Column):
            source = next((found for each in scope.outward() if (found := each.named(item.table))), None)
            written.extend(_columns(source, set()) if source else [item])
        else:
            written.extend(_everything(scope))
    node.set("expressions", written)


def _everything(scope: Scope) -> list[exp.Expression]:
    if not scope.sources:
        raise refuse("construct", what="* without FROM")
    merged = list(dict.fromkeys(name for s in scope.sources for name in s.columns if name in scope.merged))
    written = [exp.column(_merged(scope, name)) for name in merged]
    return written + [column for source in scope.sources for column in _columns(source, set(merged))]


def _merged(scope: Scope, name: str) -> exp.Identifier:
    return exp.to_identifier(next(s.spelled(name) for s in scope.sources if name in s.columns))


def _columns(source: Source, without: set[str]) -> list[exp.Expression]:
    table = exp.to_identifier(source.name) if source.name else None
    plain = all(re.fullmatch(r"\w+", name) for name in source.columns)
    if source.unchecked or not (plain or without & source.columns.keys()):
        return [exp.Column(this=exp.Star(), table=table)] if table else [exp.Star()]
    return [
        exp.Column(this=exp.to_identifier(name), table=table.copy() if table else None)
        for folded, name in source.columns.items()
        if folded not in without
    ]
