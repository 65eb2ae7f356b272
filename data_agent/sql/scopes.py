"""The names one SELECT can see: its sources, its aliases, and the query around it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Table
from data_agent.errors import UnsafeSql
from data_agent.sql.nearest import nearest
from data_agent.sql.reasons import refuse


@dataclass
class Source:
    """One entry of FROM: what it is called, its columns (case-folded → as spelled), its table when it is a base one.

    `unchecked` means that the columns are not known, so every name is taken to be there.
    """

    name: str
    columns: dict[str, str]
    table: str | None = None
    unchecked: bool = False

    def has(self, column: str) -> bool:
        """Whether the column is in here, letter case ignored."""
        return self.unchecked or column.casefold() in self.columns

    def spelled(self, column: str) -> str:
        """The column as the catalog spells it."""
        return self.columns.get(column.casefold(), column)

    @property
    def shown(self) -> str:
        """`o (orders)`, or just the name."""
        return f"{self.name} ({self.table})" if self.table and self.table != self.name else self.name


@dataclass
class Scope:
    """What the expressions of one SELECT can see; `outer` is the query it stands in.

    `items` is what stands behind the aliases of the select list; `aliases` are the names of all that comes out, as far
    as they can be used already, `places` where they stand.

    `merged` are the columns that joins by USING made one of, with the sources they came from, `padded` those of them
    that the left one may lack; `chained` is where the sources since the last comma begin: it binds less than a join.
    """

    outer: "Scope | None" = None
    sources: list[Source] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)
    items: dict[str, exp.Expression] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    merged: dict[str, list[Source]] = field(default_factory=dict)
    padded: set[str] = field(default_factory=set)
    chained: int = 0

    def add(self, source: Source) -> None:
        """Take one more source in.

        Raises:
            UnsafeSql: its name is taken.
        """
        if self.named(source.name):
            raise refuse("duplicate_alias", what=source.name, unknown=source.name)
        self.sources.append(source)

    def bases(self) -> list[Source]:
        """The tables of the database that are read right here."""
        return [source for source in self.sources if source.table]

    def select(self, node: exp.Select, names: list[str]) -> None:
        """Take in what the select list calls its items; `names` are those of all columns that come out."""
        self.aliases = {name.casefold(): name for name in names}
        self.items = {item.alias.casefold(): item.unalias() for item in node.expressions if item.alias}
        self.places = {} if "*" in names else {name.casefold(): at for at, name in enumerate(names, 1)}

    def is_merged(self, name: str, found: list[Source]) -> bool:
        """Whether these sources of a column have been made one by USING, so that its bare name is certain."""
        return name in self.merged and all(source in self.merged[name] for source in found)

    def named(self, name: str) -> Source | None:
        """The source of that name in this very scope."""
        wanted = name.casefold()
        return next((source for source in self.sources if source.name.casefold() == wanted), None)

    def outward(self) -> "Iterator[Scope]":
        """This scope, then those around it."""
        scope: Scope | None = self
        while scope:
            yield scope
            scope = scope.outer

    def visible(self) -> list[Source]:
        """Every source that can be named here."""
        return [source for scope in self.outward() for source in scope.sources]


@dataclass(frozen=True)
class Guide:
    """Writes the text for names that are not there, from what the caller may see and nothing else."""

    tables: tuple[Table, ...]

    @classmethod
    def of(cls, catalog: Catalog, allowed: frozenset[str] | None) -> "Guide":
        """The guide for a catalog cut to the allowed tables."""
        kept = {name.casefold() for name in allowed} if allowed is not None else None
        return cls(tuple(t for t in catalog.tables if not t.retired and (kept is None or t.name.casefold() in kept)))

    def owners(self, column: str) -> tuple[str, ...]:
        """`table.column` of every table that has it."""
        return tuple(found.id for table in self.tables if (found := table.column(column)))[:5]

    def unknown_table(self, name: str) -> UnsafeSql:
        """No such table."""
        close = nearest(name, [table.name for table in self.tables])
        english, chinese = _tell_nearest(
            close or tuple(table.name for table in self.tables[:12]), bool(close), "Tables"
        )
        return refuse("unknown_table", what=name, unknown=name, nearest=close, **_texts(english, chinese))

    def unknown_alias(self, name: str, column: str, scope: Scope) -> UnsafeSql:
        """No such table or alias in this FROM."""
        shown = ", ".join(source.shown for source in scope.visible()) or "none"
        owners = self.owners(column)
        english, chinese = _tell_owners(column, owners)
        real = tuple(s.name for s in scope.visible() if s.table and s.table.casefold() == name.casefold())
        return refuse(
            "unknown_alias",
            what=name,
            unknown=f"{name}.{column}",
            nearest=real or owners or nearest(name, [source.name for source in scope.visible()]),
            scope=f"FROM has: {shown}.",
            owner=english,
            zh={"scope": f"FROM 中有：{shown}。", "owner": chinese},
        )

    def unknown_column(self, column: str, sources: list[Source], qualifier: str = "") -> UnsafeSql:
        """No such column in these sources."""
        names = [name for source in sources for name in source.columns.values()]
        close = nearest(column, names)
        listed = close or tuple(dict.fromkeys(names))[:20]
        english, chinese = _tell_nearest(listed, bool(close), "Columns")
        owner = _tell_owners(column, self.owners(column))
        if not qualifier and len(sources) == 1 and sources[0].name:
            qualifier = sources[0].name
        what = f"{qualifier}.{column}" if qualifier else column
        texts = _texts(english, chinese, *owner)
        return refuse("unknown_column", what=what, unknown=what, nearest=close, **texts)


def _texts(english: str, chinese: str, owner: str = "", owner_zh: str = "") -> dict[str, Any]:
    return {"listed": english, "owner": owner, "zh": {"listed": chinese, "owner": owner_zh}}


def _tell_nearest(names: tuple[str, ...], close: bool, kind: str) -> tuple[str, str]:
    if not names:
        return "", ""
    text = ", ".join(names)
    kind_zh = {"Tables": "可用的表", "Columns": "可用的字段"}[kind]
    return (f"Nearest: {text}.", f"最接近的是：{text}。") if close else (f"{kind}: {text}.", f"{kind_zh}：{text}。")


def _tell_owners(column: str, owners: tuple[str, ...]) -> tuple[str, str]:
    if not owners:
        return "", ""
    text = ", ".join(owners)
    return f'The column "{column}" is in: {text}.', f"字段「{column}」在：{text}。"
