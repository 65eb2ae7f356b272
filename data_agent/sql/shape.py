"""The form of a statement: its size, its characters, one query, and only syntax from the allow-list."""

import re

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from data_agent.errors import UnsafeSql
from data_agent.sql import grammar, nodes
from data_agent.sql.dialects import version_of
from data_agent.sql.dialects.facts import Facts
from data_agent.sql.lexer import pieces
from data_agent.sql.reasons import refuse
from data_agent.sql.rewrites import rewrite

MAX_CHARS = 20_000
MAX_DEPTH = 32

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_INVISIBLE = re.compile(r"[\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\u3000\ufeff]")
_PUNCTUATION = re.compile(r"[，；。：！？、“”‘’]")
_BRACKETS = re.compile(r"[（）％]")
_INTO = re.compile(r"\bINTO\b", re.IGNORECASE)
_TOP = re.compile(r"\bSELECT\s+(?:DISTINCT\s+)?TOP\b", re.IGNORECASE)
_ROOTS = (exp.Select, exp.SetOperation, exp.Subquery)
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
_LEFT_OVER = re.compile(r"[;@]|/\*|--|\b(?:INTO|OUTFILE|DUMPFILE)\b", re.IGNORECASE)
_SERVERS = {"mysql": "MySQL", "mariadb": "MariaDB", "duckdb": "DuckDB"}


def read(sql: str, facts: Facts, version: str = "") -> tuple[exp.Expression, list[str]]:
    """One read-only query as a tree that holds nothing but allowed syntax, and what was rewritten on the way.

    Raises:
        UnsafeSql: it is anything else.
    """
    _check_text(sql, facts)
    written, repairs = _from_tsql(sql, facts)
    tree, found = _parse(written, facts)
    tree, more = rewrite(tree, found, facts)
    _check_nodes(tree, facts, version)
    return tree, repairs + more


def check_rendered(sql: str, facts: Facts) -> None:
    """A last look at the text to run, without the parser: no comment, second statement, variable or INTO is left.

    Raises:
        UnsafeSql: one is.
    """
    for piece in pieces(sql, facts.name):
        if piece.kind == "comment" or (piece.kind == "code" and _LEFT_OVER.search(piece.text)):
            raise refuse("unstable")


def _check_text(sql: str, facts: Facts) -> None:
    if len(sql) > MAX_CHARS:
        raise refuse("too_long", size=len(sql), most=MAX_CHARS)
    if bad := _CONTROL.search(sql):
        raise refuse("bad_character", what=f"U+{ord(bad.group()):04X}")
    for piece in pieces(sql, facts.name):
        if piece.kind == "comment" and re.match(r"/\*M?!", piece.text):
            raise refuse("executable_comment")
        if piece.kind == "comment" and piece.text.startswith("/*+"):
            raise refuse("hint", what="/*+ ... */")
        if piece.kind != "code":
            continue
        if "/*" in piece.text:
            raise refuse("executable_comment" if "/*!" in piece.text else "unparsable", dialect=facts.name, what="/*")
        if bad := _INVISIBLE.search(piece.text):
            raise refuse("bad_character", what=f"U+{ord(bad.group()):04X}")


def _check_depth(found: list[Token]) -> None:
    depth = case = 0
    for token in found:
        kind = token.token_type
        depth += (kind == TokenType.L_PAREN) - (kind == TokenType.R_PAREN)
        case += (kind == TokenType.CASE) - (kind == TokenType.END)
        if max(depth, case) > MAX_DEPTH:
            raise refuse("too_deep", most=MAX_DEPTH)


def _parse(sql: str, facts: Facts) -> tuple[exp.Expression, list[Token]]:
    try:
        found = grammar.tokens(sql, facts.grammar)
        _check_depth(found)
        trees = grammar.trees(found, sql, facts.grammar)
    except SqlglotError as error:
        if _INTO.search(sql):
            raise refuse("writes_file") from error
        raise refuse("unparsable", dialect=_SERVERS[facts.name], what=_complaint(error)) from error
    statements = [tree for tree in trees if tree is not None and not isinstance(tree, exp.Semicolon)]
    if not statements:
        raise refuse("empty")
    if len(statements) > 1:
        raise refuse("many_statements")
    if not isinstance(statements[0], _ROOTS):
        raise refuse("not_a_query", what=_called(statements[0]))
    return statements[0], found


def _from_tsql(sql: str, facts: Facts) -> tuple[str, list[str]]:
    """`SELECT TOP 5 ...` read as T-SQL and written in our dialect; a backslash means another thing there."""
    if "\\" in sql or facts.grammar != "warehouse_mysql" or not _TOP.search(sql):
        return sql, []
    try:
        found = [tree for tree in grammar.foreign(sql, "tsql") if isinstance(tree, _ROOTS)]
        return (grammar.render(found[0], facts.grammar), ["TOP n -> LIMIT n"]) if len(found) == 1 else (sql, [])
    except SqlglotError:
        return sql, []


def _complaint(error: SqlglotError) -> str:
    plain = re.sub(r"\x1b\[\d*m", "", str(error)).split("\n")[0]
    return plain[:200]


def _called(node: exp.Expr) -> str:
    name = type(node).__name__
    return nodes.NAMES.get(name, name.upper())


def _check_nodes(tree: exp.Expression, facts: Facts, version: str) -> None:
    for node in tree.walk():
        name = type(node).__name__
        if name == "Anonymous":
            _check_name(node, facts)
        elif name not in nodes.STRUCTURE and name not in nodes.FUNCTIONS and name not in facts.classes:
            raise _refused(node, name)
        if name in nodes.CLAUSES or isinstance(node, exp.SetOperation):
            _check_clauses(node, name)
        if name in _GATES:
            _check_gate(*_GATES[name], facts, version)
        if name in _CHECKS:
            _CHECKS[name](node, facts)


def _refused(node: exp.Expr, name: str) -> UnsafeSql:
    code = _NODE_CODES.get(name)
    if code is None and isinstance(node, exp.Func):
        return refuse("function", what=node.sql_name(), unknown=node.sql_name())
    return refuse(code or "construct", what=_called(node) if code is None else node.name or _called(node))


def _check_name(node: exp.Expr, facts: Facts) -> None:
    function = node.name.upper()
    if function not in facts.functions or function in facts.absent:
        raise refuse("function", what=function, unknown=function)


def _check_clauses(node: exp.Expr, name: str) -> None:
    allowed = nodes.CLAUSES.get(name, nodes.SET_OPERATION_CLAUSES)
    for clause, value in node.args.items():
        if clause not in allowed and value not in (None, False, [], ""):
            code = _CLAUSE_CODES.get(clause, "construct")
            what = clause.rstrip("_").replace("_", " ").upper()
            raise refuse(code, what=f"{what} in {name.upper()}" if code == "construct" else what)


def _check_gate(feature: str, what: str, facts: Facts, version: str) -> None:
    since = facts.lacks(feature, version_of(version))
    if since is True:
        raise refuse("construct", what=f"{what} (unknown to {_SERVERS[facts.name]})")
    if since:
        server = f"{_SERVERS[facts.name]} {'.'.join(map(str, since)).removesuffix('.0')}"
        raise refuse("needs_version", what=what, server=server, version=version)


def _check_table(node: exp.Expr, facts: Facts) -> None:
    inner = node.this
    if isinstance(inner, exp.Identifier) and inner.name:
        return
    if type(inner).__name__ not in facts.table_functions:
        what = inner.name if isinstance(inner, exp.Anonymous) else _called(inner) if inner else "nothing"
        raise refuse("table_function", what=f"{what}(...)")


def _check_join(node: exp.Expr, _facts: Facts) -> None:
    side, kind, method = (str(node.args.get(key) or "").upper() for key in ("side", "kind", "method"))
    if side not in nodes.JOIN_SIDES or kind not in nodes.JOIN_KINDS or method not in {"", "NATURAL"}:
        raise refuse("construct", what=" ".join(filter(None, (method, side, kind, "JOIN"))))


def _check_identifier(node: exp.Expr, _facts: Facts) -> None:
    if node.args.get("quoted"):
        return
    if bad := _PUNCTUATION.search(node.name):
        raise refuse("bad_character", what=bad.group())
    if bad := _BRACKETS.search(node.name):
        if not isinstance(node.parent, exp.Alias | exp.TableAlias):
            raise refuse("bad_character", what=bad.group())
        node.set("quoted", True)


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
    "With": _check_with,
    "Table": _check_table,
    "Join": _check_join,
    "Identifier": _check_identifier,
    "Lateral": _check_lateral,
    "RegexpLike": _check_regexp,
}
