"""The form of a statement: its size, its characters, one query, and only syntax from the allow-list."""

import re

from sqlglot import exp

from data_agent.errors import UnsafeSql
from data_agent.sql import grammar, nodes, parsing
from data_agent.sql.dialects import version_of
from data_agent.sql.dialects.facts import Facts
from data_agent.sql.reasons import refuse
from data_agent.sql.rewrites import rewrite

_PUNCTUATION = re.compile(r"[，；。：！？、“”‘’]")
_PLAIN_NAME = re.compile(r"[\w$]+")
_DOTTED_I = "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}"  # MySQL takes it for an i, and is the only one to
_NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
_WINDOWED = (exp.Func, exp.IgnoreNulls, exp.RespectNulls, exp.Filter, exp.WithinGroup)
_CLAUSE_CODES = {
    "locks": "locking_read",
    "into": "writes_file",
    "hint": "hint",
    "operation_modifiers": "hint",
    "hints": "hint",
}
_NODE_CODES = {
    "Into": "writes_file",
    "Hint": "hint",
    "IndexTableHint": "hint",
    "Lock": "locking_read",
    "Parameter": "variable",
    "SessionParameter": "variable",
    "PropertyEQ": "variable",
    "Placeholder": "placeholder",
    "Introducer": "introducer",
    "National": "introducer",
}
_GATES = {
    "With": ("with", "WITH"),
    "Window": ("window", "A window function"),
    "Lateral": ("lateral", "LATERAL"),
    "Intersect": ("intersect", "INTERSECT"),
    "Except": ("except", "EXCEPT"),
    "AnyValue": ("any_value", "ANY_VALUE"),
    "JSONExtractScalar": ("json_arrow", "->>"),
    "RegexpInstr": ("regexp_function", "REGEXP_INSTR"),
    "Qualify": ("qualify", "QUALIFY"),
    "Filter": ("filter", "FILTER (WHERE ...)"),
}


def read(sql: str, facts: Facts, version: str = "") -> tuple[exp.Expression, list[str]]:
    """One read-only query as a tree that holds nothing but allowed syntax, and what was rewritten on the way.

    Raises:
        UnsafeSql: it is anything else.
    """
    parsing.check_text(sql, facts)
    written, repairs = parsing.from_tsql(sql, facts)
    tree, found = parsing.parse(written, facts)
    tree, more = rewrite(tree, found, facts)
    _check_nodes(tree, facts, version)
    return tree, repairs + more


def _check_nodes(tree: exp.Expression, facts: Facts, version: str) -> None:
    numbers = version_of(version)
    for node in tree.walk():
        name = type(node).__name__
        if name == "Anonymous":
            _check_name(node, facts)
        elif name not in nodes.STRUCTURE and name not in nodes.FUNCTIONS and name not in facts.classes:
            raise _refused(node, name)
        if name in nodes.CLAUSES:
            _check_clauses(node, name)
        if name in _GATES:
            _check_gate(*_GATES[name], facts, version, numbers)
        if name in _CHECKS:
            _CHECKS[name](node, facts)
        unit = node.args.get("unit")
        if unit is not None and not isinstance(unit, exp.Var):  # it would be written as a word, whatever it is
            raise refuse("construct", what="a unit of time that is no word")


def _refused(node: exp.Expr, name: str) -> UnsafeSql:
    code = _NODE_CODES.get(name)
    if code is None and isinstance(node, exp.Func):
        return refuse("function", what=node.sql_name(), unknown=node.sql_name())
    return refuse(code or "construct", what=nodes.called(node) if code is None else node.name or nodes.called(node))


def _check_name(node: exp.Expr, facts: Facts) -> None:
    function = node.name.upper()
    if function not in facts.functions or function in facts.absent:
        raise refuse("function", what=function, unknown=function)


def _check_clauses(node: exp.Expr, name: str) -> None:
    allowed = nodes.CLAUSES[name]
    for clause, value in node.args.items():
        if clause not in allowed and value not in (None, False, [], ""):
            code = _CLAUSE_CODES.get(clause, "construct")
            what = clause.rstrip("_").replace("_", " ").upper()
            raise refuse(code, what=f"{what} in {name.upper()}" if code == "construct" else what)


def _check_gate(feature: str, what: str, facts: Facts, version: str, numbers: tuple[int, ...]) -> None:
    since = facts.lacks(feature, numbers)
    if since is True:
        raise refuse("construct", what=f"{what} (unknown to {parsing.SERVERS[facts.name]})")
    if since:
        server = f"{parsing.SERVERS[facts.name]} {'.'.join(map(str, since)).removesuffix('.0')}"
        raise refuse("needs_version", what=what, server=server, version=version)


def _check_table(node: exp.Expr, facts: Facts) -> None:
    inner = node.this
    if isinstance(inner, exp.Identifier) and inner.name:
        return
    if type(inner).__name__ not in facts.table_functions:
        what = inner.name if isinstance(inner, exp.Anonymous) else nodes.called(inner) if inner else "nothing"
        raise refuse("table_function", what=f"{what}(...)")


def _check_join(node: exp.Expr, _facts: Facts) -> None:
    side, kind, method = (str(node.args.get(key) or "").upper() for key in ("side", "kind", "method"))
    if side not in nodes.JOIN_SIDES or kind not in nodes.JOIN_KINDS or method not in {"", "NATURAL"}:
        raise refuse("construct", what=" ".join(filter(None, (method, side, kind, "JOIN"))))


def _check_identifier(node: exp.Expr, facts: Facts) -> None:
    if facts.grammar == "mysql" and _DOTTED_I in node.name:
        raise refuse("bad_character", what=_DOTTED_I)
    if facts.grammar == "mysql" and node.name.upper() in grammar.NEW_WORDS:
        node.set("quoted", True)
    if node.args.get("quoted") or _PLAIN_NAME.fullmatch(node.name):
        return
    bad = _PUNCTUATION.search(node.name)
    if bad or not isinstance(node.parent, exp.Alias | exp.TableAlias):
        raise refuse("bad_character", what=bad.group() if bad else node.name)
    node.set("quoted", True)


def _check_number(node: exp.Expr, _facts: Facts) -> None:
    """A number is written out as it is, and the parser takes 1.2.3 for one."""
    if not node.args.get("is_string") and not _NUMBER.fullmatch(node.name):
        raise refuse("construct", what=f"the number {node.name}")


def _check_word(node: exp.Expr, _facts: Facts) -> None:
    """A bare word (a unit, a collation) is written out as it is, so it must be one."""
    known = isinstance(node.parent, exp.Collate | exp.DataType) or node.name.upper() in nodes.WORDS
    if not known or not re.fullmatch(r"\w+", node.name, re.ASCII):
        raise refuse("construct", what=f"the word {node.name!r}")


def _check_group(node: exp.Expr, facts: Facts) -> None:
    if node.args.get("all") and facts.grammar == "mysql":
        raise refuse("construct", what=f"GROUP BY ALL (unknown to {parsing.SERVERS[facts.name]})")


def _check_type(node: exp.Expr, facts: Facts) -> None:
    foreign = node.this == exp.DType.CHARACTER_SET and facts.grammar != "mysql"
    if foreign or node.this == exp.DType.USERDEFINED:
        raise refuse("construct", what=f"the type {node.args.get('kind') or ''}".strip())


def _check_parts(node: exp.Expr, _facts: Facts) -> None:
    """What is put together, named or bracketed as a query must be one; the parser is content with any words there."""
    parts = [node.args.get("this"), *([node.args.get("expression")] if isinstance(node, exp.SetOperation) else ())]
    bracketed = isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table)
    if not bracketed and not all(isinstance(part, exp.Query) for part in parts):
        raise refuse("construct", what=f"{nodes.called(node)} of something that is no query")


def _check_alias(node: exp.Expr, _facts: Facts) -> None:
    if not isinstance(node.parent, exp.Select):
        raise refuse("construct", what=f"the alias {node.alias} inside an expression")


def _check_window(node: exp.Expr, _facts: Facts) -> None:
    named = node.arg_key == "windows" and isinstance(node.this, exp.Identifier)
    if not named and not isinstance(
        node.this, exp.Func | exp.IgnoreNulls | exp.RespectNulls | exp.Filter | exp.WithinGroup
    ):
        raise refuse("construct", what="OVER behind something that is no function")


def _check_star(node: exp.Expr, _facts: Facts) -> None:
    if not isinstance(node.parent, exp.Select | exp.Column | exp.Count):
        raise refuse("construct", what="* in an expression")


def _check_with(node: exp.Expr, _facts: Facts) -> None:
    """A recursive part that filters and joins nothing never ends."""
    for cte in node.expressions if node.args.get("recursive") else ():
        if not isinstance(cte.this, exp.SetOperation):
            continue
        again = cte.this.expression
        stops = isinstance(again, exp.Select) and (
            again.args.get("where") or again.args.get("joins") or again.args.get("limit")
        )
        if cte.alias.casefold() in {table.name.casefold() for table in again.find_all(exp.Table)} and not stops:
            raise refuse("endless", what=cte.alias)


def _check_lateral(node: exp.Expr, _facts: Facts) -> None:
    if not isinstance(node.this, exp.Subquery):
        raise refuse("table_function", what=f"LATERAL {node.this.name or ''}(...)")


def _check_regexp(node: exp.Expr, facts: Facts) -> None:
    if node.args.get("flag") and facts.name == "mariadb":
        raise refuse("function", what="REGEXP_LIKE", unknown="REGEXP_LIKE")


_CHECKS = {
    **dict.fromkeys(("Union", "Intersect", "Except", "CTE", "Subquery"), _check_parts),
    "Star": _check_star,
    "Alias": _check_alias,
    "Window": _check_window,
    "Group": _check_group,
    "Literal": _check_number,
    "With": _check_with,
    "Var": _check_word,
    "DataType": _check_type,
    "Table": _check_table,
    "Join": _check_join,
    "Identifier": _check_identifier,
    "Lateral": _check_lateral,
    "RegexpLike": _check_regexp,
}
