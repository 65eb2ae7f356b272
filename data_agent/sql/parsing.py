"""From text to one query: what is checked on the text and its tokens, before and after the tree."""

import re
from itertools import pairwise

from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from data_agent.sql import grammar, nodes
from data_agent.sql.dialects.facts import Facts
from data_agent.sql.lexer import Piece, pieces
from data_agent.sql.reasons import refuse
from data_agent.sql.rewrites import joins_conditions, only_conditions

SERVERS = {"mysql": "MySQL", "mariadb": "MariaDB", "duckdb": "DuckDB"}
MAX_CHARS = 20_000
MAX_DEPTH = 32
MAX_OPERATORS = 500
MAX_OPEN_JOINS = 5

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_INVISIBLE = re.compile(r"[\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\u3000\ufeff]")
_INTO = re.compile(r"\bINTO\b", re.IGNORECASE)
_TOP = re.compile(r"\bSELECT\s+(?:DISTINCT\s+)?TOP\b", re.IGNORECASE)
# What the parser has no reading of, though a server has.
_VERBS = frozenset({"ANALYZE", "DO", "EXPLAIN", "DESCRIBE", "DESC", "HANDLER", "LOAD", "INSERT", "UPDATE", "DELETE"})
_UNARY = frozenset({TokenType.NOT, TokenType.DASH, TokenType.TILDE, TokenType.PLUS})
_OPERATORS = _UNARY | {
    TokenType.STAR,
    TokenType.SLASH,
    TokenType.DIV,
    TokenType.MOD,
    TokenType.DPIPE,
    TokenType.EQ,
    TokenType.NEQ,
    TokenType.LT,
    TokenType.GT,
    TokenType.LTE,
    TokenType.GTE,
    TokenType.UNION,
    TokenType.EXCEPT,
    TokenType.INTERSECT,
    TokenType.AMP,
    TokenType.PIPE,
    TokenType.CARET,
    TokenType.JOIN,
    TokenType.COLLATE,
    TokenType.ARROW,
    TokenType.DARROW,
    TokenType.DCOLON,
}
_JOINS = frozenset({TokenType.JOIN, TokenType.STRAIGHT_JOIN})
_OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
_SQUARE = frozenset({TokenType.L_BRACKET, TokenType.R_BRACKET})
_NO_BRACKETS = frozenset({TokenType.L_BRACKET, TokenType.L_BRACE})
_BEFORE_ARGUMENTS = frozenset({TokenType.L_PAREN, TokenType.COMMA})
_CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})
_COUNTED = _OPERATORS | _OPENING | _CLOSING | {TokenType.CASE, TokenType.END, TokenType.DOT}
_CONDITIONED = frozenset({TokenType.ON, TokenType.USING})
_ROOTS = (exp.Select, exp.SetOperation, exp.Subquery)
_LEFT_OVER = re.compile(r"[;@]|/\*|--|\b(?:INTO|OUTFILE|DUMPFILE)\b", re.IGNORECASE)
# Without one of these no piece of a text can be anything to complain about, so it need not be cut into pieces.
_WORTH_CUTTING = re.compile(rf"[#;@]|/\*|--|{_INVISIBLE.pattern}|\b(?:INTO|OUTFILE|DUMPFILE)\b", re.IGNORECASE)


def checked(sql: str, facts: Facts) -> str:
    """The text to run after a last look without the parser: no comment, second statement, variable or INTO is left.

    Raises:
        UnsafeSql: one is.
    """
    if "NOT (NOT (NOT" in sql or "NOT NOT NOT" in sql:  # written closer together than they came
        _check_depth(grammar.tokens(sql, facts.grammar))
    for piece in _pieces(sql, facts):
        if piece.kind == "comment" or (piece.kind == "code" and _LEFT_OVER.search(piece.text)):
            raise refuse("unstable")
    return sql


def _pieces(sql: str, facts: Facts) -> list[Piece]:
    return pieces(sql, facts.name) if _WORTH_CUTTING.search(sql) else []


def check_text(sql: str, facts: Facts) -> None:
    """Size, characters and comments, before anything is parsed.

    Raises:
        UnsafeSql: the text is too long, or hides something.
    """
    if len(sql) > MAX_CHARS:
        raise refuse("too_long", size=len(sql), most=MAX_CHARS)
    if bad := _CONTROL.search(sql):
        raise refuse("bad_character", what=f"U+{ord(bad.group()):04X}")
    for piece in _pieces(sql, facts):
        if piece.kind == "comment" and re.match(r"/\*M?!", piece.text):
            raise refuse("executable_comment")
        if piece.kind == "comment" and piece.text.startswith("/*+"):
            raise refuse("hint", what="/*+ ... */")
        if piece.kind != "code":
            continue
        if "/*" in piece.text:
            raise refuse("executable_comment" if "/*!" in piece.text else "unparsable", dialect=facts.name, what="/*")
        if facts.name == "duckdb" and "@" in piece.text:  # its absolute value, which is rendered as something else
            raise refuse("variable", what="@")
        if bad := _INVISIBLE.search(piece.text):
            raise refuse("bad_character", what=f"U+{ord(bad.group()):04X}")


def _check_open_joins(found: list[Token], kinds: set[TokenType]) -> None:
    """Each JOIN without ON or USING makes the parser read all that follows it twice; time doubles with every one."""
    if kinds.isdisjoint(_JOINS):
        return
    levels, ended, before = [0], 0, None
    for token in found:
        kind = token.token_type
        if kind == TokenType.L_PAREN:
            levels.append(0)
        elif kind == TokenType.R_PAREN and len(levels) > 1:
            ended += levels.pop()
        elif kind in _JOINS and before != TokenType.CROSS:
            levels[-1] += 1
            if ended + sum(levels) > MAX_OPEN_JOINS:
                raise refuse("open_joins", most=MAX_OPEN_JOINS)
        elif kind in _CONDITIONED:
            levels[-1] = max(0, levels[-1] - 1)
        before = kind


def _check_depth(found: list[Token]) -> None:
    """Before parsing: the parser recurses, and its compiled build would not even raise RecursionError."""
    _check_open_joins(found, {token.token_type for token in found})
    depth = case = run = operators = calls = 0
    before = None
    for token in found:
        kind = token.token_type
        if kind not in _COUNTED:
            run, before = 0, kind
            continue
        depth += (kind in _OPENING) - (kind in _CLOSING)
        case += (kind == TokenType.CASE) - (kind == TokenType.END)
        run = run + 1 if kind in _UNARY else 0
        operators += kind in _OPERATORS
        calls += kind == TokenType.DOT and before in _CLOSING
        before = kind
        if max(depth, case, run, calls) > MAX_DEPTH or operators > MAX_OPERATORS:
            raise refuse("too_deep", most=MAX_DEPTH)


def _check_brackets(found: list[Token]) -> None:
    """No dialect needs `[` or `{` for anything that is allowed, and the parser may take forever over them. A missing
    argument it passes over, and takes the next one in its place."""
    before = None
    for token in found:
        kind = token.token_type
        if kind in _NO_BRACKETS:
            raise refuse("construct", what=token.text)
        if kind == TokenType.COMMA and before in _BEFORE_ARGUMENTS:
            raise ParseError("an argument is missing before a comma")
        before = kind


def parse(sql: str, facts: Facts) -> tuple[exp.Expression, list[Token]]:
    """The one query of a text, and its tokens.

    Raises:
        UnsafeSql: it does not parse, is not a query, or holds more than one statement.
    """
    try:
        found = grammar.tokens(sql, facts.grammar)
        _check_depth(found)
        _check_brackets(found)
        trees = _trees(found, sql, facts)
    except SqlglotError as error:
        if (verb := "".join(sql.split(maxsplit=1)[:1]).upper()) in _VERBS:
            raise refuse("not_a_query", what=verb) from error
        if _INTO.search(sql):
            raise refuse("writes_file") from error
        raise refuse("unparsable", dialect=SERVERS[facts.name], what=_complaint(error)) from error
    statements = [tree for tree in trees if tree is not None and not isinstance(tree, exp.Semicolon)]
    if not statements:
        raise refuse("empty")
    if len(statements) > 1:
        raise refuse("many_statements")
    if not isinstance(statements[0], _ROOTS):
        raise refuse("not_a_query", what=nodes.called(statements[0]))
    return statements[0], found


def _trees(found: list[Token], sql: str, facts: Facts) -> list[exp.Expr | None]:
    """The statements. MySQL's `||` is OR, but people mean text put together: it is read as `|` first, which binds
    as they expect, and as OR only where that makes a comparison of a comparison, or nothing.
    """
    kinds = {token.token_type for token in found}
    if facts.grammar != "mysql" or TokenType.DPIPE not in kinds:
        return grammar.trees(found, sql, facts.grammar)
    if TokenType.PIPE in kinds:
        raise refuse("pipes")
    try:
        trees = grammar.trees([_as_pipe(token) for token in found], sql, facts.grammar)
        if not any(tree and joins_conditions(tree) for tree in trees):
            return trees
    except SqlglotError:
        pass
    trees = grammar.trees(found, sql, facts.grammar)
    if not all(only_conditions(tree) for tree in trees if tree):
        raise refuse("pipes")
    return trees


def _as_pipe(token: Token) -> Token:
    if token.token_type != TokenType.DPIPE:
        return token
    return Token(TokenType.PIPE, token.text, token.line, token.col, token.start, token.end)


def from_tsql(sql: str, facts: Facts) -> tuple[str, list[str]]:
    """`SELECT TOP 5 ...` read as T-SQL and written in our dialect; a backslash means another thing there."""
    if "\\" in sql or facts.grammar != "mysql" or not _TOP.search(sql):
        return sql, []
    try:
        tokens = grammar.tokens(sql, facts.grammar)
        _check_depth(tokens)
        if _nested_brackets(tokens):
            return sql, []
        found = grammar.foreign(sql, "tsql")
        if len(found) != 1 or not isinstance(found[0], exp.Select):
            return sql, []
        return grammar.render(found[0], facts.grammar), ["TOP n -> LIMIT n"]
    except SqlglotError:
        return sql, []


def _nested_brackets(found: list[Token]) -> bool:
    """T-SQL puts names into square brackets, and never one into another."""
    kinds = [token.token_type for token in found if token.token_type in _SQUARE]
    return any(one == other for one, other in pairwise(kinds))


def _complaint(error: SqlglotError) -> str:
    plain = re.sub(r"\x1b\[\d*m", "", str(error)).split("\n")[0]
    return plain[:200]
