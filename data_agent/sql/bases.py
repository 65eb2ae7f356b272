"""Which catalog table a name in FROM stands for, and whether it may be read."""

from dataclasses import dataclass, field
from functools import cached_property

from sqlglot import exp

from data_agent.domain.catalog import Catalog
from data_agent.sql.dialects.facts import Facts
from data_agent.sql.reasons import refuse
from data_agent.sql.scopes import Guide, Source
from data_agent.sql.stars import source_of_names

Ctes = dict[str, Source]


@dataclass
class Bases:
    """Finds base tables; `tables` are those found so far, as the catalog spells them."""

    catalog: Catalog
    facts: Facts
    allowed: frozenset[str] | None = None
    tables: dict[str, None] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.permitted: dict[str, str] | None = None
        if self.allowed is not None:
            own = f"{self.catalog.name}.".casefold() if self.catalog.tables else ""
            self.permitted = {name.casefold().removeprefix(own): name for name in self.allowed}

    @cached_property
    def guide(self) -> Guide:
        """Writes what is told of names that are not there."""
        return Guide.of(self.catalog, self.allowed)

    def source(self, node: exp.Table, ctes: Ctes) -> Source:
        """What one entry of FROM is: a WITH query of that name, else a table of the catalog.

        Raises:
            UnsafeSql: there is no such table, or it may not be read.
        """
        self.seen.add(id(node))
        alias = node.args.get("alias")
        shown = alias.name if alias and alias.name else node.name
        if not isinstance(node.this, exp.Identifier):
            renamed = [column.name for column in alias.args.get("columns") or ()] if alias else []
            source = source_of_names(shown or "t", renamed)
            source.unchecked = not renamed
            return source
        if alias and alias.args.get("columns"):
            raise refuse("construct", what=f"{shown}(...), a table with its columns renamed,")
        if not node.db and (cte := ctes.get(node.name.casefold())):
            respell(node.this, cte.name)
            return Source(shown, cte.columns, unchecked=cte.unchecked)
        return self._base_table(node, shown, ctes)

    def _base_table(self, node: exp.Table, shown: str, ctes: Ctes) -> Source:
        name = f"{node.db}.{node.name}" if node.db else node.name
        if node.catalog or (node.db and node.db.casefold() in self.facts.system_schemas):
            raise refuse("system_schema", what=name, unknown=name)
        trusted = not self.catalog.tables and self.permitted is not None
        table = self.catalog.table(name)
        if table is None and node.db and self._own_schema(node, ctes, trusted):
            node.set("db", None)
            name = node.name
            table = self.catalog.table(name)
        if trusted and self.permitted is not None and name.casefold() in self.permitted:
            return self._trusted(node, self.permitted[name.casefold()], shown)
        if table is None or table.retired:
            raise refuse("other_schema", what=name, unknown=name) if node.db else self._no_table(name)
        if self.permitted is not None and table.name.casefold() not in self.permitted:
            raise refuse("table_not_allowed", what=name, unknown=name)
        real = table.name.rpartition(".")[2] if node.db else table.name
        if shown == node.name:
            shown = real
        respell(node.this, real)
        node.meta["table"] = table.name
        self.tables[table.name] = None
        return Source(shown, table.spellings, table.name)

    def _own_schema(self, node: exp.Table, ctes: Ctes, trusted: bool) -> bool:
        return self._is_own(node.db, trusted) and node.name.casefold() not in ctes

    def _is_own(self, schema: str, trusted: bool) -> bool:
        own = {self.facts.default_schema, "" if trusted else self.catalog.name.casefold()} - {""}
        return schema.casefold() in own

    def is_named(self, source: Source, schema: str, table: str) -> bool:
        """Whether `schema.table` in front of a column can mean this source."""
        whole = (source.table or "").casefold() == f"{schema}.{table}".casefold()
        bare = (source.table or "").casefold() == table.casefold()
        return whole or (bare and self._is_own(schema, trusted=False))

    def _no_table(self, name: str) -> Exception:
        if self.permitted is not None and not self.catalog.tables:
            return refuse("table_not_allowed", what=name, unknown=name)
        return self.guide.unknown_table(name)

    def _trusted(self, node: exp.Table, real: str, shown: str) -> Source:
        bare = real.rpartition(".")[2]
        if shown == node.name:
            shown = bare
        respell(node.this, bare)
        node.meta["table"] = real
        self.tables[real] = None
        return Source(shown, {}, real, unchecked=True)


def respell(node: exp.Expression, name: str) -> None:
    """Write a name as the catalog has it, quoted when it is not a plain word."""
    if node.args.get("this") != name:
        node.set("this", name)
        if not name.isidentifier():
            node.set("quoted", True)
