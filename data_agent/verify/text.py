"""From text to one query the verifier knows every part of."""

import logging

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.dialects.mysql import MySQL
from sqlglot.errors import ErrorLevel
from sqlglot.tokenizer_core import Token, TokenType

from data_agent.verify.known import ANONYMOUS, CARRIES, CLASSES
from data_agent.verify.unproven import Unproven

# Its warnings quote the statement, and with it values that no log may hold.
logging.getLogger("sqlglot").disabled = True

DIALECTS: dict[str, Dialect] = {"mysql": MySQL(), "mariadb": MySQL(), "duckdb": DuckDB()}
MAX_CHARS = 200_000
MAX_DEPTH = 120
MAX_TOKENS = 30_000
_NEVER = frozenset({TokenType.SEMICOLON, TokenType.HINT})
_UNARY = frozenset({TokenType.NOT, TokenType.DASH, TokenType.TILDE})
_NEVER_IN_MYSQL = _NEVER | {TokenType.DPIPE}
_DEPTH = {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1, TokenType.CASE: 1, TokenType.END: -1}


def parse(sql: str, dialect: str) -> tuple[exp.Expr, int]:
    """The one query of a text, and how many tables and columns it names.

    Raises:
        Unproven: it is not one plain query, or holds something not known.
        SqlglotError: it does not parse.
    """
    if dialect not in DIALECTS:
        raise Unproven("dialect")
    if len(sql) > MAX_CHARS:
        raise Unproven("depth")
    grammar = DIALECTS[dialect]
    tokens = list(grammar.tokenize(sql))
    _check_tokens(sql, tokens, mysql=dialect != "duckdb")
    trees = grammar.parser(error_level=ErrorLevel.IMMEDIATE).parse(tokens, sql)
    if len(trees) != 1 or not isinstance(trees[0], exp.Select | exp.SetOperation | exp.Subquery):
        raise Unproven("query")
    return trees[0], check_nodes(trees[0], dialect)


def _check_tokens(sql: str, tokens: list[Token], *, mysql: bool) -> None:
    """Nothing but blanks between the tokens: no comment, whatever its kind, that a server could read differently.

    What MySQL reads by its settings is refused too: "..." is a text or a name, || is OR or text put together. And the
    parser recurses, so what is too deep must not reach it.
    """
    never, double_quotes = (_NEVER_IN_MYSQL, '"' in sql) if mysql else (_NEVER, False)
    at = depth = run = 0
    for token in tokens:
        kind, start = token.token_type, token.start
        if kind in never or (double_quotes and sql[start] == '"'):
            raise Unproven("text")
        if start > at and sql[at:start] != " " and not sql[at:start].isspace():
            raise Unproven("text")
        at = token.end + 1
        if kind in _UNARY:
            run += 1
        else:
            run = 0
            depth += _DEPTH.get(kind, 0)
        if depth + run > MAX_DEPTH:
            raise Unproven("depth")
    if sql[at:].strip() or len(tokens) > MAX_TOKENS:
        raise Unproven("text")


def check_nodes(tree: exp.Expr, dialect: str) -> int:
    """Every node is of a class on the list and carries only what is known of that class, every function without a
    class is on the list by name. Returns how many tables and columns there are.

    Raises:
        Unproven: something is not known.
    """
    known, functions, count = CLASSES[dialect], ANONYMOUS[dialect], 0
    for node in tree.walk():
        name = type(node).__name__
        if name not in known:
            raise Unproven("query" if isinstance(node, exp.DML | exp.DDL | exp.Into | exp.Lock) else "construct")
        if name in CARRIES:
            carries = CARRIES[name]
            for key, value in node.args.items():
                if value and key not in carries:
                    raise Unproven("construct")
            count += name in ("Table", "Column")
        elif name == "Anonymous" and str(node.this).upper() not in functions:
            raise Unproven("construct")
    return count
