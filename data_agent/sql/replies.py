"""One SQL statement out of what a model wrote around it."""

import json
import re
from collections.abc import Callable

from data_agent.errors import NoSql, ReplyTruncated
from data_agent.sql.lexer import Piece, pieces

_THINK = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_THINK_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_THINK_START = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_JSON_SQL = re.compile(r'"(?:sql|sql_query|query|statement|final_sql)"\s*:\s*', re.IGNORECASE)
_JSON_REASON = re.compile(
    r'"(?:reason|error|message|explanation|thoughts|answer)"\s*:\s*"((?:[^"\\]|\\.)*)"', re.IGNORECASE
)
_FENCE = re.compile(r"```[ \t]*([\w+-]*)[ \t]*\r?\n?(.*?)```", re.DOTALL)
_OPEN_FENCE = re.compile(r"```[ \t]*[\w+-]*[ \t]*\r?\n?(.*)\Z", re.DOTALL)
_NAME = r"[\w`\"\u4e00-\u9fff]+"
_QUERY = rf"(?:SELECT\b|WITH\s+(?:RECURSIVE\s+)?{_NAME}\s*(?:\([^)]*\)\s*)?AS\s*[(（]|\(\s*SELECT\b)"
_VERB = re.compile(
    rf"\s*(?:{_QUERY}|(?:INSERT|REPLACE|DELETE|UPDATE|DROP|ALTER|CREATE|TRUNCATE|GRANT|REVOKE|CALL|EXPLAIN|DESCRIBE|DESC"
    r"|SHOW|SET|USE|LOAD|LOCK|KILL|HANDLER|DO|EXEC|EXECUTE|PREPARE|RENAME|ANALYZE|TABLE|VALUES|COPY|ATTACH|PRAGMA|START"
    r"|BEGIN)\s+[\w`@(*])",
    re.IGNORECASE,
)
_AT_LINE_START = re.compile(rf"(?im)^[ \t>]*({_QUERY})")
_AFTER_COLON = re.compile(rf"(?i)[:：]\s*({_QUERY})")
_SHOUTED = re.compile(rf"({_QUERY})")
_CLAUSE = re.compile(
    r"\s*(?:FROM|WHERE|GROUP|ORDER|HAVING|LIMIT|OFFSET|UNION|INTERSECT|EXCEPT|JOIN|LEFT|RIGHT|INNER|CROSS|FULL|NATURAL"
    r"|SELECT|WITH|AND|OR|ON|WHEN|ELSE|END|CASE|AS|WINDOW|QUALIFY|[,()`*/+=<>-]|[\w`]+\s*(?:\(|,|AS\b))",
    re.IGNORECASE,
)
_REMARK = re.compile(r"(?im)^\s*(?:explanation|note|sqlresult|result|answer|说明|解释|注意|注|结果|备注)\s*[:：]")
_BRACKET_ALIAS = re.compile(r"(\bAS\s+)((?:\w|（[^（）\s]*）)*（[^（）\s]*）)", re.IGNORECASE)
_UNFINISHED = re.compile(
    r"(?:[,(=<>+*/-]|\b(?:SELECT|FROM|WHERE|AND|OR|ON|BY|JOIN|AS|IN|LIKE|HAVING|LIMIT|NOT))\s*\Z", re.IGNORECASE
)
_FOLDED = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x3000: 0x20,
    0xA0: 0x20,
    ord("。"): ord(" "),
    ord("、"): ord(","),
}
_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "「": '"', "」": '"'})
_LONGEST_REASON = 500


def clean(reply: str, dialect: str = "mysql") -> str:
    """The one statement a reply holds, without fences, prose, full-width punctuation or a closing mark.

    The last complete fenced statement wins. Text inside string literals and quoted names is left as it is.

    Raises:
        NoSql: there is none; the message is what the model said instead.
        ReplyTruncated: the reply was cut in the middle of it.
    """
    text = _without_thoughts(reply.replace("\ufeff", "").strip())
    found = _from_json(text)
    if found is None:
        found = _from_fences(text)
    if found is None:
        found = _from_prose(text)
    statement = _tidy(found, dialect)
    if not statement:
        raise _nothing(text)
    return statement


def _nothing(text: str) -> NoSql:
    reason = " ".join(re.sub(r"```\w*", " ", text).split())[:_LONGEST_REASON]
    return NoSql(reason or "The model's reply is empty.")


def _without_thoughts(text: str) -> str:
    text = _THINK.sub("", text)
    if ends := list(_THINK_END.finditer(text)):
        text = text[ends[-1].end() :]
    if start := _THINK_START.search(text):
        text = text[: start.start()]
        if not text.strip():
            raise NoSql("The model's reply ended before it finished thinking.")
    return text.strip()


def _from_json(text: str) -> str | None:
    """The SQL of a JSON reply, raw line breaks inside the string forgiven; None when the reply is no JSON."""
    bare = re.sub(r"\A```\w*\s*", "", text)
    if not bare.startswith("{"):
        return None
    key = _JSON_SQL.search(bare)
    if key is None:
        _check_whole(bare)
        raise NoSql(_reason(bare) or bare[:_LONGEST_REASON])
    rest = bare[key.end() :]
    if not rest.startswith('"'):
        raise NoSql(_reason(bare) or bare[:_LONGEST_REASON])
    string = re.match(r'"((?:[^"\\]|\\.)*)"', rest, re.DOTALL)
    if string is None:
        raise ReplyTruncated("The model's reply was cut inside its SQL.")
    statement = _unescaped(string.group())
    if not statement.strip():
        raise NoSql(_reason(bare) or bare[:_LONGEST_REASON])
    return statement


def _check_whole(text: str) -> None:
    try:
        json.JSONDecoder(strict=False).raw_decode(text)
    except ValueError:
        raise ReplyTruncated("The model's reply was cut inside its JSON.") from None


def _unescaped(string: str) -> str:
    try:
        return str(json.JSONDecoder(strict=False).decode(string))
    except ValueError:
        return string[1:-1].replace('\\"', '"').replace("\\n", "\n")


def _reason(text: str) -> str:
    found = _JSON_REASON.search(text)
    return _unescaped(f'"{found.group(1)}"') if found else ""


def _from_fences(text: str) -> str | None:
    blocks = [match.group(2) for match in _FENCE.finditer(text)]
    for block in reversed(blocks):
        if _VERB.match(_uncommented(block)):
            return block
    rest = _FENCE.sub("", text)
    if (opened := _OPEN_FENCE.search(rest)) and _VERB.match(_uncommented(opened.group(1))):
        _check_finished(opened.group(1))
        return opened.group(1)
    return None


def _check_finished(statement: str) -> None:
    """A fence that never closes: fine when the statement is whole, a cut reply otherwise."""
    code = "".join(piece.text for piece in pieces(statement) if piece.kind == "code")
    if code.count("(") > code.count(")") or re.search(r"['\"`]", code) or _UNFINISHED.search(code):
        raise ReplyTruncated("The model's reply was cut inside its SQL.")


def _uncommented(text: str) -> str:
    return "".join(" " if piece.kind == "comment" else piece.text for piece in pieces(text)).lstrip()


def _from_prose(text: str) -> str:
    if _VERB.match(_uncommented(text)):
        return _without_remarks(text)
    for pattern in (_AT_LINE_START, _AFTER_COLON, _SHOUTED):
        if found := pattern.search(text):
            return _without_remarks(text[found.start(1) :])
    raise _nothing(text)


def _without_remarks(text: str) -> str:
    """The statement up to its end: a closing mark with prose behind it, a remark, or a paragraph that is no SQL."""
    text = _up_to_mark(text)
    if remark := _REMARK.search(text):
        text = text[: remark.start()]
    kept: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        if kept and not _CLAUSE.match(paragraph):
            break
        kept.append(paragraph)
    return "\n\n".join(kept)


def _up_to_mark(text: str) -> str:
    at = 0
    for piece in pieces(text):
        mark = re.search(r"[;；]", piece.text) if piece.kind == "code" else None
        if mark and not _VERB.match(_uncommented(text[at + mark.end() :])):
            return text[: at + mark.start()]
        at += len(piece.text)
    return text


def _tidy(text: str, dialect: str) -> str:
    if "`" in text and text.count("\\`") == text.count("`"):
        text = text.replace("\\`", "`")
    text = _code_only(text, lambda code: code.translate(_QUOTES), dialect)
    text = _code_only(text, _fold, dialect).strip()
    text = re.sub(r"\\[Gg]\s*;?\s*\Z", "", text)
    return re.sub(r"[;\s]+\Z", "", text).strip()


def _fold(code: str) -> str:
    # An alias such as 销售额（元） needs quotes, not ASCII brackets.
    cut = _BRACKET_ALIAS.split(code)
    parts = [f"`{part}`" if at % 3 == 2 else part.translate(_FOLDED) for at, part in enumerate(cut)]
    return "".join(parts)


def _code_only(text: str, change: Callable[[str], str], dialect: str) -> str:
    done: list[Piece] = [
        Piece(piece.kind, change(piece.text)) if piece.kind == "code" else piece for piece in pieces(text, dialect)
    ]
    return "".join(piece.text for piece in done)
