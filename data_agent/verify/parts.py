"""The parts of a query one by one: what a join is, what a source is called."""

from dataclasses import replace

from sqlglot import exp

from data_agent.verify.known import JOIN_WORDS
from data_agent.verify.unproven import Unproven
from data_agent.verify.visible import Source

Ctes = dict[str, Source]


def joined(join: exp.Expr) -> str:
    """`comma`, `natural` or `join`.

    Raises:
        Unproven: it is a join of another kind.
    """
    words = [str(join.args.get(part) or "").upper() for part in ("method", "side", "kind")]
    if not set(words) <= JOIN_WORDS:
        raise Unproven("construct")
    if words[0] == "NATURAL":
        return "natural"
    return "join" if any(words) or join.args.get("on") or join.args.get("using") else "comma"


def renamed(source: Source, alias: exp.Expr | None) -> Source:
    """The source as its alias calls it and its columns."""
    if alias is None:
        return source
    columns = frozenset(column.name.lower() for column in alias.args.get("columns") or ())
    if not columns:
        return replace(source, name=alias.name)
    return Source(alias.name, columns)


def everything(sources: list[Source]) -> set[str] | None:
    """The columns that `*` stands for, None when they are not all known.

    Raises:
        Unproven: it stands for a table's own columns, and the table may have some that no catalog knows.
    """
    if not sources or any(source.base for source in sources):
        raise Unproven("star")
    if any(source.open for source in sources):
        return None
    return {column for source in sources for column in source.columns}


def reads(query: exp.Expr, name: str) -> bool:
    """Whether anything in the query reads a table of that name, letter case ignored."""
    return any(not table.db and table.name.casefold() == name.casefold() for table in query.find_all(exp.Table))
