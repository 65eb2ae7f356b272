"""The names one SELECT can see: its sources, its aliases, and the query around it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

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
    """What the expressions of one SELECT can see; `outer` is the query it stands in."""

    outer: "Scope | None" = None
    sources: list[Source] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)
    coming: frozenset[str] = frozenset()
    merged: set[str] = field(default_factory=set)

    def add(self, source: Source) -> None:
        """Take one more source in.

        Raises:
            UnsafeSql: its name is taken.
        """
        if self.named(source.name):
            raise refuse("duplicate_alias", what=source.name, unknown=source.name)
        self.sources.append(source)

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
