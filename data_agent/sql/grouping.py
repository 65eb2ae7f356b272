"""GROUP BY as MySQL wants it: every plain column that is shown or sorted by beside an aggregate."""

from sqlglot import exp


def complete_groups(tree: exp.Expression) -> list[str]:
    """Complete the GROUP BY of every SELECT in place; says which columns were added.

    A SELECT without GROUP BY gets one only when it shows plain columns and counts or sums beside them.
    """
    told: list[str] = []
    for select in tree.find_all(exp.Select):
        shown, sorted_by = _shown(select), _sorted(select)
        if not any(_aggregates(part) for part in (*shown, *sorted_by)):
            continue
        group = select.args.get("group")
        if group and any(isinstance(key, exp.Literal) for key in group.expressions):
            continue
        present = {key.sql() for key in group.expressions} if group else set()
        aliases = {item.alias for item in select.expressions if item.alias}
        missing = [c for part in shown for c in _plain(part) if c.sql() not in present and c.name not in present]
        for column in dict.fromkeys(missing):
            if column.name in aliases & present:
                continue
            select.group_by(column.copy(), copy=False)
            told.append(f"GROUP BY {column.sql()}")
    return told


def _shown(select: exp.Select) -> list[exp.Expr]:
    return [item.this if isinstance(item, exp.Alias) else item for item in select.expressions]


def _sorted(select: exp.Select) -> list[exp.Expr]:
    order = select.args.get("order")
    return [item.this for item in order.expressions] if order else []


def _aggregates(node: exp.Expr) -> bool:
    """Whether an aggregate stands in it that is neither a window function nor of a query inside."""
    if isinstance(node, exp.Window | exp.Query):
        return False
    return isinstance(node, exp.AggFunc) or any(_aggregates(child) for child in node.iter_expressions())


def _plain(node: exp.Expr) -> list[exp.Column]:
    """The columns outside every aggregate, window and inner query."""
    if isinstance(node, exp.AggFunc | exp.Window | exp.Query):
        return []
    if isinstance(node, exp.Column):
        return [] if isinstance(node.this, exp.Star) else [node]
    return [column for child in node.iter_expressions() for column in _plain(child)]
