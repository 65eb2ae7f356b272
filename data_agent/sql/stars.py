"""What comes out of a SELECT: the names of its columns, and `*` written out as catalog columns."""

import re
from collections.abc import Mapping

from sqlglot import exp

from data_agent.sql.dialects.facts import Facts
from data_agent.sql.grammar import identifier
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


def expand(node: exp.Select, scope: Scope, facts: Facts) -> None:
    """Write `*` and `t.*` out as known columns; a source whose columns have no plain names keeps `t.*`.

    What USING made one comes once, from the left: first of all in MySQL, in its place in DuckDB.

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
            written.extend(_columns(source, facts, {}) if source else [item])
        else:
            written.extend(_everything(scope, facts))
    node.set("expressions", written)


def _everything(scope: Scope, facts: Facts) -> list[exp.Expression]:
    if not scope.sources:
        raise refuse("construct", what="* without FROM")
    in_place = facts.merged_in_place
    merged = {
        name: _merged(scope, name, facts) for source in scope.sources for name in source.columns if name in scope.merged
    }
    first: list[exp.Expression] = [] if in_place else [column.copy() for column in merged.values()]
    for source in scope.sources:
        own = {name: column for name, column in merged.items() if source in scope.merged[name]}
        shown = {name for name in own if in_place and source is scope.merged[name][0]}
        first += _columns(source, facts, {name: column if name in shown else None for name, column in own.items()})
    return first


def _merged(scope: Scope, name: str, facts: Facts) -> exp.Column:
    """The one column of several, by its bare name when nothing else has it; else as the left one calls it.

    Raises:
        UnsafeSql: it cannot be told from another, and the left one may be missing.
    """
    parts = scope.merged[name]
    spelled = identifier(parts[0].spelled(name), facts.grammar)
    others = [source for source in scope.sources if source.has(name) and source not in parts]
    if not others:
        return exp.Column(this=spelled)
    if name in scope.padded:
        options = tuple(f"{source.name}.{source.spelled(name)}" for source in (*parts, *others))
        raise refuse("ambiguous_column", what=name, unknown=name, nearest=options, listed=", ".join(options))
    return exp.Column(this=spelled, table=identifier(parts[0].name, facts.grammar))


def _columns(source: Source, facts: Facts, merged: Mapping[str, exp.Column | None]) -> list[exp.Expression]:
    """The columns of one source; of those that were merged what stands in their place, if anything."""
    table = identifier(source.name, facts.grammar) if source.name else None
    plain = all(re.fullmatch(r"\w+", name) for name in source.columns)
    if source.unchecked or not (plain or merged):
        return [exp.Column(this=exp.Star(), table=table)] if table else [exp.Star()]
    written: list[exp.Expression] = []
    for folded, name in source.columns.items():
        if folded not in merged:
            written.append(exp.Column(this=identifier(name, facts.grammar), table=table.copy() if table else None))
        elif (column := merged[folded]) is not None:
            written.append(column.copy())
    return written
