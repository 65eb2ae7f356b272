"""Other dialects' habits turned into MySQL where the meaning is certain; each change is told in `repairs`."""

import re

from sqlglot import exp
from sqlglot.dialects.mysql import MySQL
from sqlglot.tokenizer_core import Token, TokenType

from data_agent.sql.dialects.facts import Facts
from data_agent.sql.reasons import refuse

Tree = exp.Expression
_FRACTION = re.compile(r"\s*-?\d*\.\d+\s*")


def rewrite(tree: Tree, found: list[Token], facts: Facts) -> tuple[Tree, list[str]]:
    """The tree with what only other dialects have rewritten, and what was done.

    Raises:
        UnsafeSql: something has no certain meaning in this dialect.
    """
    repairs: list[str] = []
    kinds = {token.token_type for token in found}
    if TokenType.FETCH in kinds:
        _fetch_to_limit(tree, repairs)
    nodes = list(tree.walk())
    selects = [node for node in nodes if isinstance(node, exp.Select)]
    if TokenType.JOIN in kinds:
        _explicit_cross_joins(selects)
    if facts.grammar != "mysql":
        return tree, repairs
    if TokenType.DCOLON in kinds:
        repairs.append("x::type -> CAST(x AS type)")
    if TokenType.ILIKE in kinds:
        repairs.append("ILIKE -> LOWER(..) LIKE LOWER(..)")
    for node in nodes:
        _mend(node, repairs)
    if TokenType.DPIPE in kinds:
        _pipes_to_concat(tree, repairs)
    if TokenType.STRING in kinds:
        _quoted_aliases(selects, repairs)
    return _full_joins(tree, repairs) if TokenType.FULL in kinds else tree, repairs


def _mend(node: exp.Expr, repairs: list[str]) -> None:
    if isinstance(node, exp.ToChar):
        _to_date_format(node, repairs)
    elif isinstance(node, exp.Lambda):
        _to_json_path(node)
    elif isinstance(node, exp.Interval | exp.DateAdd | exp.DateSub):
        _check_parts_of_a_unit(node)


def _explicit_cross_joins(selects: list[exp.Select]) -> None:
    """`a JOIN b JOIN c ON ...` must not be written as `a, b JOIN c ON ...`: there the ON no longer sees a.

    Before a RIGHT or FULL join the comma stays, for it means something else than CROSS JOIN there; so does one that was
    written before USING or NATURAL, which join to what stands behind it only.
    """
    for select in selects:
        joins = select.args.get("joins") or []
        if any(join.args.get("side") in {"RIGHT", "FULL"} for join in joins):
            continue
        last = max((at for at, join in enumerate(joins) if not is_comma(join)), default=0)
        by_name = any(join.args.get("using") or join.args.get("method") for join in joins)
        for join in joins[:last]:
            written = "pivots" not in join.args  # the parser sets it behind the word JOIN only
            if is_comma(join) and not isinstance(join.this, exp.Lateral) and not (by_name and written):
                join.set("kind", "CROSS")


def is_comma(join: exp.Expression) -> bool:
    """Whether it is a table behind a comma, and no join by name."""
    return not any(join.args.get(part) for part in ("on", "using", "side", "kind", "method"))


_DATE_PARTS = {"YYYY": "%Y", "YY": "%y", "MM": "%m", "DD": "%d", "HH24": "%H", "HH12": "%h", "MI": "%i", "SS": "%s"}


def _to_date_format(node: exp.ToChar, repairs: list[str]) -> None:
    """TO_CHAR(d, 'YYYY-MM') as DATE_FORMAT(d, '%Y-%m'), when every letter of the pattern is known."""
    pattern = node.args.get("format")
    if not isinstance(pattern, exp.Literal):
        return
    ours = re.sub("|".join(_DATE_PARTS), lambda part: _DATE_PARTS[part.group()], pattern.name.upper())
    if re.search(r"(?<!%)[A-Z]", ours, re.IGNORECASE):
        return
    arguments = [node.this, exp.Literal.string(ours)]
    node.replace(exp.Anonymous(this="DATE_FORMAT", expressions=arguments))
    repairs.append("TO_CHAR -> DATE_FORMAT")


def _to_json_path(node: exp.Lambda) -> None:
    """`f(doc->'$.a')`: inside a function the parser takes the arrow for a function of its own."""
    path, (column, *more) = node.this, node.expressions
    if isinstance(path, exp.Literal) and path.is_string and isinstance(column, exp.Identifier) and not more:
        found = MySQL().to_json_path(path)
        node.replace(exp.JSONExtract(this=exp.Column(this=column), expression=found))


def _check_parts_of_a_unit(node: exp.Expr) -> None:
    """1.5 hours are 2 to MySQL and '1.5' hours 1, and the parser no longer knows which of the two was written."""
    unit, amount = node.args.get("unit"), node.this if isinstance(node, exp.Interval) else node.expression
    if unit is None or "_" in unit.name or unit.name.upper() == "SECOND":
        return
    if isinstance(amount, exp.Literal) and amount.is_string and _FRACTION.fullmatch(amount.name):
        raise refuse("fraction", what=f"{amount.name} {unit.name.upper()}")


def _fetch_to_limit(tree: Tree, repairs: list[str]) -> None:
    for fetch in list(tree.find_all(exp.Fetch)):
        options = fetch.args.get("limit_options")
        if options and (options.args.get("percent") or options.args.get("with_ties")):
            raise refuse("limit", what="FETCH FIRST ... PERCENT or WITH TIES")
        count = fetch.args.get("count") or exp.Literal.number(1)
        fetch.replace(exp.Limit(expression=count))
        repairs.append("FETCH FIRST n ROWS -> LIMIT n")


_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.In, exp.Between, exp.NullSafeEQ)


def joins_conditions(tree: exp.Expr) -> bool:
    """Whether `||` was read inside a comparison of a comparison: `a = 1 || b = 2` means OR."""
    return any(
        isinstance(node.this, _COMPARISONS) and node.find(exp.BitwiseOr) for node in tree.find_all(*_COMPARISONS)
    )


def only_conditions(tree: exp.Expr) -> bool:
    """Whether every OR stands between conditions."""
    return all(_is_condition(node.this) and _is_condition(node.expression) for node in tree.find_all(exp.Or))


def _is_condition(node: exp.Expr) -> bool:
    return isinstance(node.unnest(), exp.Predicate | exp.Connector | exp.Not | exp.Boolean)


def _pipes_to_concat(tree: Tree, repairs: list[str]) -> None:
    # Innermost first, so that a || b || c is already CONCAT(a, b) when its right half is seen.
    for node in reversed(list(tree.find_all(exp.BitwiseOr, bfs=False))):
        sides = [_is_condition(node.this), _is_condition(node.expression)]
        if all(sides):
            node.replace(exp.Paren(this=exp.Or(this=node.this, expression=node.expression)))
        elif any(sides):
            raise refuse("pipes")
        else:
            left = node.this.expressions if isinstance(node.this, exp.Concat) else [node.this]
            node.replace(exp.Concat(expressions=[*left, node.expression], safe=False, coalesce=False))
            repairs.append("|| -> CONCAT")


def _quoted_aliases(selects: list[exp.Select], repairs: list[str]) -> None:
    """GROUP BY "x" where x is an alias: a constant to MySQL, the alias to whoever wrote it."""
    for select in selects:
        aliases = {item.alias.casefold(): item.alias for item in select.expressions if item.alias}
        for literal in _bare_strings(select):
            if alias := aliases.get(literal.name.casefold()):
                literal.replace(exp.column(exp.to_identifier(alias, quoted=True)))
                repairs.append(f'"{alias}" -> `{alias}`')


def _bare_strings(select: exp.Select) -> list[exp.Literal]:
    """String constants that stand as a whole item of GROUP BY or ORDER BY, or on one side of a HAVING comparison."""
    group, order, having = (select.args.get(name) for name in ("group", "order", "having"))
    items = [*(group.expressions if group else ()), *(item.this for item in (order.expressions if order else ()))]
    if having and isinstance(having.this, exp.Predicate):
        items.append(having.this.this)
    return [item for item in items if isinstance(item, exp.Literal) and item.is_string]


def _full_joins(tree: Tree, repairs: list[str]) -> Tree:
    for join in list(tree.find_all(exp.Join)):
        if str(join.args.get("side") or "").upper() != "FULL":
            continue
        select = join.parent
        if not isinstance(select, exp.Select) or not _splittable(select, join):
            raise refuse("full_join")
        union = _both_sides(select, join)
        repairs.append("FULL OUTER JOIN -> LEFT JOIN UNION ALL the rows without partner")
        if select is tree:
            return union
        select.replace(exp.Subquery(this=union) if isinstance(select.parent, exp.SetOperation) else union)
    return tree


def _splittable(select: exp.Select, join: exp.Join) -> bool:
    """Whether each arm can be asked on its own: a plain list of columns from exactly two tables."""
    clauses = ("group", "having", "order", "limit", "offset", "distinct", "windows", "with_", "qualify")
    plain = not any(select.args.get(clause) for clause in clauses)
    two = len(select.args.get("joins") or ()) == 1 and isinstance(select.args["from_"].this, exp.Table)
    whole = not any(item.find(exp.AggFunc, exp.Window) for item in select.expressions)
    return bool(plain and two and whole and join.args.get("on") and isinstance(join.this, exp.Table))


def _both_sides(select: exp.Select, join: exp.Join) -> exp.Union:
    left = select.copy()
    left.args["joins"][0].set("side", "LEFT")
    left.args["joins"][0].set("kind", None)
    right = select.copy()
    right.args["joins"][0].set("side", "RIGHT")
    right.args["joins"][0].set("kind", None)
    partner = exp.Select(expressions=[exp.Literal.number(1)], from_=select.args["from_"].copy())
    partner.set("where", exp.Where(this=join.args["on"].copy()))
    alone: exp.Expression = exp.Not(this=exp.Exists(this=partner))
    if where := right.args.get("where"):
        alone = exp.And(this=exp.Paren(this=where.this), expression=alone)
    right.set("where", exp.Where(this=alone))
    return exp.Union(this=left, expression=right, distinct=False)
