"""Cut SQL text into code, strings, quoted names and comments, without understanding any of it."""

import re
from typing import Literal, NamedTuple

Kind = Literal["code", "string", "name", "comment"]


class Piece(NamedTuple):
    """One stretch of the text; joined together the pieces are the text again."""

    kind: Kind
    text: str


_MYSQL = re.compile(
    r"""(?P<string>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*")"""
    r"""|(?P<name>`(?:[^`]|``)*`)"""
    r"""|(?P<comment>/\*.*?\*/|--(?=\s|\Z)[^\n]*|\#[^\n]*)""",
    re.DOTALL,
)
_STANDARD = re.compile(
    r"""(?P<string>'(?:[^']|'')*')"""
    r"""|(?P<name>"(?:[^"]|"")*"|`(?:[^`]|``)*`)"""
    r"""|(?P<comment>/\*.*?\*/|--[^\n]*)""",
    re.DOTALL,
)
_KINDS: dict[str, Kind] = {"string": "string", "name": "name", "comment": "comment"}


def pieces(text: str, dialect: str = "mysql") -> list[Piece]:
    """The text as a list of pieces in order; an unclosed quote or comment stays code."""
    pattern = _STANDARD if dialect == "duckdb" else _MYSQL
    found: list[Piece] = []
    at = 0
    for match in pattern.finditer(text):
        if match.start() > at:
            found.append(Piece("code", text[at : match.start()]))
        found.append(Piece(_KINDS[match.lastgroup or "comment"], match.group()))
        at = match.end()
    if at < len(text):
        found.append(Piece("code", text[at:]))
    return found
