"""Every name of a statement looked up by scope: tables and columns in the catalog, aliases where they may be used.

Names are written back as the catalog spells them. For the policy that comes after, each base table carries its
catalog name in `node.meta["table"]` and each column of one its `table.column` in `node.meta["column"]`.
"""

from dataclasses import dataclass, field
from typing import cast

from sqlglot import exp

from data_agent.domain.catalog import Catalog
from data_agent.sql.bare import BareNames
from data_agent.sql.bases import Bases, Ctes, respell
from data_agent.sql.dialects.facts import Facts
from data_agent.sql.nodes import is_bracket
from data_agent.sql.reasons import refuse
from data_agent.sql.rewrites import is_comma
from data_agent.sql.scopes import Scope, Source
from data_agent.sql.stars import expand, output_names, source_of_names


@dataclass
class Resolver:
    """Walks a statement once; `columns` (and `bases.tables`) are what it was found to read."""

    catalog: Catalog
    facts: Facts
    allowed: frozenset[str] | None = None
    columns: dict[str, None] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.bases = Bases(self.catalog, self.facts, self.allowed)
        listed = bool(self.catalog.tables)
        self.bare = BareNames(self.bases.guide, self.facts, listed, self._found, self._again)

    def statement(self, tree: exp.Expression) -> None:
        """Resolve a whole statement, and make sure that no name in it was passed over.

        Raises:
            UnsafeSql: a name is not there, not allowed, or ambiguous.
        """
        self.query(tree, None, {})
        for node in tree.find_all(exp.Table, exp.Column):
            if id(node) not in self.seen and id(node) not in self.bases.seen:
                raise refuse("guard_failed", what=f"{node.sql('mysql')} was not examined")

    def query(self, node: exp.Expression, outer: Scope | None, ctes: Ctes) -> list[str]:
        """Resolve one query; returns the names of the columns it gives.

        Raises:
            UnsafeSql: a name is not there, not allowed, or ambiguous.
        """
        if with_ := node.args.get("with_"):
            ctes = self._with(with_, outer, ctes)
        if isinstance(node, exp.Select):
            return self._select(node, outer, ctes)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, outer, ctes)
        if isinstance(node, exp.Subquery):
            names = self.query(node.this, outer, ctes)
            self._ordering(node, names, outer, ctes)
            return names
        raise refuse("not_a_query", what=type(node).__name__.upper())

    def _with(self, with_: exp.Expression, outer: Scope | None, ctes: Ctes) -> Ctes:
        ctes = dict(ctes)
        for cte in with_.expressions:
            alias = cte.args["alias"]
            renamed = [column.name for column in alias.args.get("columns") or ()]
            if with_.args.get("recursive") and isinstance(cte.this, exp.SetOperation):
                first = renamed or output_names(cte.this)
                ctes[alias.name.casefold()] = source_of_names(alias.name, first)
            names = self.query(cte.this, outer, ctes)
            if renamed and len(renamed) != len(names) and "*" not in names:
                raise refuse("column_count", what="WITH", left=len(renamed), right=len(names))
            ctes[alias.name.casefold()] = source_of_names(alias.name, renamed or names)
        return ctes

    def _set_operation(self, node: exp.SetOperation, outer: Scope | None, ctes: Ctes) -> list[str]:
        left = self.query(node.this, outer, ctes)
        right = self.query(node.expression, outer, ctes)
        if len(left) != len(right) and "*" not in left + right:
            raise refuse("column_count", what=type(node).__name__.upper(), left=len(left), right=len(right))
        self._ordering(node, left, outer, ctes)
        return left

    def _ordering(self, node: exp.Expression, names: list[str], outer: Scope | None, ctes: Ctes) -> None:
        """ORDER BY of a UNION or of brackets sees only the columns that come out."""
        scope = Scope(outer, [source_of_names("", names)])
        for clause in ("order", "limit", "offset"):
            if part := node.args.get(clause):
                self.expression(part, scope, ctes)

    def _select(self, node: exp.Select, outer: Scope | None, ctes: Ctes) -> list[str]:
        if not node.expressions or (node.args.get("joins") and not node.args.get("from_")):
            raise refuse("construct", what="SELECT without columns, or JOIN without FROM,")
        scope = Scope(outer)
        if _from_nothing(node) and "dual" not in ctes:
            node.set("from_", None)
        if from_ := node.args.get("from_"):
            self._source(from_.this, scope, ctes)
        for join in node.args.get("joins") or ():
            self._join(join, scope, ctes)
        expand(node, scope, self.facts)
        scope.items = {item.alias.casefold(): item.unalias() for item in node.expressions if item.alias}
        if self.facts.alias_anywhere:
            scope.select(node, [item.alias for item in node.expressions if item.alias])
        self._no_aggregate(node.args.get("where"))
        if where := node.args.get("where"):
            self.expression(where, scope, ctes)
        for item in node.expressions:
            self.expression(item, scope, ctes)
        names = output_names(node, scope)
        scope.select(node, names)
        for clause in ("windows", "group", "having", "qualify", "order", "distinct", "limit", "offset"):
            part = node.args.get(clause)
            for each in part if isinstance(part, list) else [part] if part else []:
                self.expression(each, scope, ctes, alias_first=True)
        return names

    def _no_aggregate(self, where: exp.Expression | None) -> None:
        stack = [where.this] if where else []
        while stack:
            node = stack.pop()
            if isinstance(node, exp.AggFunc) and not isinstance(node.parent, exp.Window):
                raise refuse("aggregate_in_where", what=node.sql_name())
            if not isinstance(node, exp.Query):
                stack.extend(node.iter_expressions())

    def _source(self, node: exp.Expression, scope: Scope, ctes: Ctes) -> None:
        if isinstance(node, exp.Table):
            if not isinstance(node.this, exp.Identifier):  # a function sees what stands to its left, and not itself
                self.expression(node.this, scope, ctes)
            scope.add(self.bases.source(node, ctes))
        elif is_bracket(node):
            around, scope.chained = scope.chained, len(scope.sources)
            self._source(node.this, scope, ctes)
            scope.chained = around
        elif isinstance(node, exp.Subquery):
            scope.add(self._derived(node, scope.outer, ctes))
        elif isinstance(node, exp.Lateral):
            scope.add(self._derived(node, scope, ctes))
        else:
            raise refuse("table_function", what=type(node).__name__.upper())
        for join in node.args.get("joins") or ():
            self._join(join, scope, ctes)

    def _derived(self, node: exp.Expression, outer: Scope | None, ctes: Ctes) -> Source:
        names = self.query(node.this if isinstance(node, exp.Lateral) else node, outer, ctes)
        alias = node.args.get("alias")
        renamed = [column.name for column in (alias.args.get("columns") or ())] if alias else []
        return source_of_names(alias.name if alias else "", renamed or names)

    def _join(self, join: exp.Expression, scope: Scope, ctes: Ctes) -> None:
        if is_comma(join):
            scope.chained = len(scope.sources)
        before = scope.sources[scope.chained :]
        held = len(scope.sources)
        self._source(join.this, scope, ctes)
        added = scope.sources[held:]
        if str(join.args.get("method") or "").upper() == "NATURAL":
            self._natural(join, before, added)
        for identifier in join.args.get("using") or ():
            self._using(identifier, before, added, scope)
            if join.args.get("side") in {"RIGHT", "FULL"}:
                scope.padded.add(identifier.name.casefold())
        if on := join.args.get("on"):
            self._no_aggregate(exp.Where(this=on.copy()) if on.find(exp.AggFunc) else None)
            self.expression(on, scope, ctes)

    def _natural(self, join: exp.Expression, before: list[Source], added: list[Source]) -> None:
        """NATURAL written out as USING: the server would join on columns the catalog may hide."""
        if any(source.unchecked for source in (*before, *added)):
            raise refuse("construct", what="NATURAL JOIN of tables whose columns are not known")
        left = {name for source in before for name in source.columns}
        common = [name for source in added for folded, name in source.columns.items() if folded in left]
        if not common:
            raise refuse("using_column", what="NATURAL")
        join.set("method", None)
        join.set("using", [exp.to_identifier(name) for name in common])

    def _using(self, node: exp.Expression, before: list[Source], added: list[Source], scope: Scope) -> None:
        sides = [[source for source in side if source.has(node.name)] for side in (before, added)]
        if not all(sides):
            raise refuse("using_column", what=node.name, unknown=node.name)
        for source in sides[0] + sides[1]:
            self._read(source, node.name)
        identifier = cast("exp.Identifier", node if isinstance(node, exp.Identifier) else node.this)
        respell(identifier, sides[0][0].spelled(node.name))
        merged = scope.merged.setdefault(node.name.casefold(), [])
        merged += [source for source in sides[0] + sides[1] if source not in merged]

    def expression(self, node: exp.Expression, scope: Scope, ctes: Ctes, *, alias_first: bool = False) -> None:
        """Resolve the columns of an expression; queries inside it see this scope from within.

        Raises:
            UnsafeSql: a name is not there, not allowed, or ambiguous.
        """
        stack = [node]
        while stack:
            each = stack.pop()
            if isinstance(each, exp.Query):
                self.query(each, scope, ctes)
            elif isinstance(each, exp.Column):
                self._column(each, scope, alias_first)
                self.seen.add(id(each))
            else:
                stack.extend(each.iter_expressions())

    def _column(self, node: exp.Column, scope: Scope, alias_first: bool) -> None:
        if isinstance(node.this, exp.Star):
            self._qualifier(node, scope, "*")
        elif node.table:
            self._qualified(node, scope)
        else:
            self.bare.look_up(node, scope, alias_first)

    def _qualifier(self, node: exp.Column, scope: Scope, column: str) -> Source:
        for each in scope.outward():
            if source := each.named(node.table):
                if node.args.get("db") and not self.bases.is_named(source, node.args["db"].name, node.table):
                    break
                node.set("db", None)
                node.set("catalog", None)
                respell(node.args["table"], source.name)
                return source
            if self.facts.rows_by_name and any(base.name.casefold() == column.casefold() for base in each.bases()):
                raise refuse("whole_row", what=f"{node.table}.{column}", unknown=column)
        raise self.bases.guide.unknown_alias(node.table, column, scope)

    def _qualified(self, node: exp.Column, scope: Scope) -> None:
        source = self._qualifier(node, scope, node.name)
        if not source.has(node.name):
            raise self.bases.guide.unknown_column(node.name, [source], source.name)
        self._found(node, source)

    def _again(self, node: exp.Expression, scope: Scope) -> None:
        self.expression(node, scope, {})

    def _found(self, node: exp.Column, source: Source) -> None:
        respell(node.this, source.spelled(node.name))
        self._read(source, node.name)
        if source.table:
            node.meta["column"] = f"{source.table}.{source.spelled(node.name)}"

    def _read(self, source: Source, column: str) -> None:
        if source.table:
            self.columns[f"{source.table}.{source.spelled(column)}"] = None


def _from_nothing(node: exp.Select) -> bool:
    """`FROM dual`, which is no table: MySQL reads the same without it."""
    from_ = node.args.get("from_")
    table = from_.this if from_ else None
    if not isinstance(table, exp.Table) or table.db or node.args.get("joins"):
        return False
    return table.name.casefold() == "dual" and not table.alias
