"""Which tables of a query nothing joins to the others, so that every row of theirs meets every other row.

The graph of one SELECT: its sources are the points; a condition that must hold and names columns of several of them
is an edge. A source of at most one row (an aggregate without GROUP BY, LIMIT 1, a SELECT without FROM) multiplies
nothing and is left out.
"""

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from data_agent.sql.nodes import is_bracket

_LINKS = (exp.EQ, exp.NullSafeEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In, exp.Like, exp.Or, exp.Is)


def unjoined(tree: exp.Expr) -> tuple[str, ...]:
    """Names of sources that no condition joins to the first of their SELECT, in the order they stand; usually none."""
    found: dict[str, None] = {}
    for select in tree.find_all(exp.Select):
        found.update(dict.fromkeys(_apart(select)))
    return tuple(found)


def _apart(select: exp.Select) -> list[str]:
    from_ = select.args.get("from_")
    if from_ is None or (isinstance(from_.this, exp.Table) and not _joins(select) and not _joins(from_.this)):
        return []
    sources = {_named(node): node for node in _sources(select) if not _one_row(node)}
    if len(sources) < 2:
        return []
    names = list(sources)
    groups = {name: {name} for name in names}
    for node in sources.values():
        if isinstance(node, exp.Lateral):
            _join(groups, {_named(node), *_tables_in(node, names)})
    for link in _links(select, names):
        _join(groups, link)
    first = groups[names[0]]
    return [name for name in names if name not in first]


def _joins(node: exp.Expr) -> bool:
    return bool(node.args.get("joins"))


def _join(groups: dict[str, set[str]], link: set[str]) -> None:
    merged = set().union(*(groups[name] for name in link))
    for name in merged:
        groups[name] = merged


def _links(select: exp.Select, names: list[str]) -> Iterator[set[str]]:
    """Sets of sources that one condition joins; a name that cannot be told from its alias joins everything."""
    before: list[str] = []
    for node, join in _entries(select):
        name = _named(node)
        if join is not None and (join.args.get("using") or join.args.get("method")):
            yield {each for each in (*before, name) if each in names}
        if join is not None and (on := join.args.get("on")):
            yield from _conditions(on, names)
        before.append(name)
    if where := select.args.get("where"):
        yield from _conditions(where.this, names)


def _conditions(condition: exp.Expr, names: list[str]) -> Iterator[set[str]]:
    stack = [condition]
    while stack:
        node = stack.pop()
        if isinstance(node, exp.And):
            stack += [node.left, node.right]
        elif isinstance(node, exp.Paren):
            stack.append(node.this)
        elif isinstance(node, _LINKS) and len(link := _tables_in(node, names)) > 1:
            yield link


def _tables_in(node: exp.Expr, names: list[str]) -> set[str]:
    tables = {column.table.casefold() for column in node.find_all(exp.Column)}
    return set(names) if "" in tables else tables & set(names)


def _entries(select: exp.Select) -> Iterator[tuple[exp.Expr, exp.Expr | None]]:
    """Every source with the join that brings it in; sources in brackets come flat."""
    from_ = select.args.get("from_")
    stack: list[tuple[exp.Expr, exp.Expr | None]] = [(from_.this, None)] if from_ else []
    stack += [(join.this, join) for join in select.args.get("joins") or ()]
    while stack:
        node, join = stack.pop(0)
        stack = [(inner.this, inner) for inner in node.args.get("joins") or ()] + stack
        if is_bracket(node):
            stack.insert(0, (node.this, join))
        else:
            yield node, join


def _sources(select: exp.Select) -> Iterator[exp.Expr]:
    return (node for node, _ in _entries(select))


def _named(node: exp.Expr) -> str:
    return (node.alias or node.name).casefold()


def _one_row(node: exp.Expr) -> bool:
    query = node.this if isinstance(node, exp.Subquery | exp.Lateral) else _with_query(node)
    while isinstance(query, exp.Subquery):
        query = query.this
    if not isinstance(query, exp.Select):
        return False
    limit = query.args.get("limit")
    if query.args.get("from_") is None or (limit is not None and limit.expression.name in {"0", "1"}):
        return True
    grouped = query.args.get("group") is not None
    return not grouped and all(_aggregates(item) for item in query.expressions)


def _with_query(node: exp.Expr) -> exp.Expr | None:
    """The query of the WITH name that a table stands for, looked up outward."""
    if not isinstance(node, exp.Table) or node.db:
        return None
    around: Any = node.parent
    while around is not None:
        with_ = around.args.get("with_")
        for cte in with_.expressions if with_ else ():
            if cte.alias.casefold() == node.name.casefold():
                return None if with_.args.get("recursive") else cte.this
        around = around.parent
    return None


def _aggregates(item: exp.Expr) -> bool:
    return any(not isinstance(found.parent, exp.Window) for found in item.find_all(exp.AggFunc))
