"""The proof itself: every scope of a statement walked once, every table and column held against the rights."""

from dataclasses import dataclass, field

from sqlglot import exp

from data_agent.verify.parts import Ctes, everything, joined, reads, renamed
from data_agent.verify.reading import read_column, read_joined, read_word
from data_agent.verify.rights import Rights
from data_agent.verify.shapes import consists_of, told_shape
from data_agent.verify.unproven import Unproven
from data_agent.verify.visible import Scope, Source

_AFTER_WHERE = frozenset({"having", "qualify", "group", "order", "limit", "offset", "distinct", "windows"})
_CLAUSES = _AFTER_WHERE | {"where"}
_LEAVES = (exp.Identifier, exp.Literal, exp.Null, exp.Boolean)


@dataclass
class Walk:
    """Walks one statement. `implicit` tells servers on which every derived table sees its neighbours to the left."""

    rights: Rights
    implicit: bool
    seen: set[int] = field(default_factory=set)

    def statement(self, tree: exp.Expr, count: int) -> None:
        """Prove a whole statement; it names `count` tables and columns, and none may be passed over.

        Raises:
            Unproven: a rule does not hold, or cannot be shown to.
        """
        self._query(tree, None, {})
        if len(self.seen) != count:
            raise Unproven("construct")

    def _query(self, node: exp.Expr, outer: Scope | None, ctes: Ctes) -> Source:
        if with_ := node.args.get("with_"):
            ctes = self._with(with_, outer, ctes)
        if isinstance(node, exp.Select):
            return self._select(node, outer, ctes)
        if not isinstance(node, exp.Subquery | exp.SetOperation):
            raise Unproven("construct")
        given = self._query(node.this, outer, ctes)
        if isinstance(node, exp.SetOperation):
            self._query(node.expression, outer, ctes)
        self._clauses(node, Scope(outer, [given]), ctes, _CLAUSES)
        return given

    def _with(self, with_: exp.Expr, outer: Scope | None, ctes: Ctes) -> Ctes:
        inside, recursive, names = dict(ctes), bool(with_.args.get("recursive")), set()
        for cte in with_.expressions:
            alias = cte.args["alias"]
            name = alias.name.casefold()
            if name in names:
                raise Unproven("name")
            names.add(name)
            seen = inside
            if recursive and reads(cte.this, name):
                seen = {**inside, name: self._itself(cte)}
            inside = {**inside, name: renamed(self._query(cte.this, outer, seen), alias)}
        return inside

    def _itself(self, cte: exp.Expr) -> Source:
        """A recursive query as it sees itself; one that is called like a table could read that table instead."""
        alias = cte.args["alias"]
        if not isinstance(cte.this, exp.SetOperation) or self.rights.catalog.table(alias.name):
            raise Unproven("name")
        return renamed(Source(alias.name, frozenset(), open=True), alias)

    def _select(self, node: exp.Select, outer: Scope | None, ctes: Ctes) -> Source:
        scope = Scope(outer)
        if from_ := node.args.get("from_"):
            self._source(from_.this, scope, ctes)
        for join in node.args.get("joins") or ():
            self._join(join, scope, ctes)
        if len(scope.sources) == 1 and (base := scope.sources[0].base) is not None:
            scope.forms = base.forms
        scope.aliases = {item.alias.lower() for item in node.expressions if item.alias}
        filtered = self._row_filters(node, scope, ctes)
        given = [self._item(item, scope, ctes) for item in node.expressions]
        self._clauses(node, scope, ctes, _AFTER_WHERE if filtered else _CLAUSES)
        names = frozenset(name for each in given if each for name in each)
        return Source("", names, open=None in given)

    def _row_filters(self, node: exp.Select, scope: Scope, ctes: Ctes) -> bool:
        """A table with row filters is alone in its SELECT, and the WHERE is its filters and nothing else."""
        filters = frozenset().union(*(source.base.filters for source in scope.sources if source.base))
        if not filters:
            return False
        where = node.args.get("where")
        alone = len(scope.sources) == 1 and isinstance(node.args["from_"].this, exp.Table)
        if not alone or where is None or node.args.get("joins"):
            raise Unproven("row_filter")
        if not consists_of(where.this, filters, scope.sources[0].name):
            raise Unproven("row_filter")
        if ctes and any(reads(where, name) for name in ctes):
            raise Unproven("name")
        self.seen.update(id(each) for each in where.find_all(exp.Table, exp.Column))
        return True

    def _item(self, item: exp.Expr, scope: Scope, ctes: Ctes) -> set[str] | None:
        """Prove one item of the select list; the names it gives, or None when they are not certain."""
        if isinstance(item, exp.Star):
            return everything(scope.sources)
        if isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
            self.seen.add(id(item))
            return everything(scope.called(item.table))
        self._expression(item, scope, ctes)
        name = item.alias or (item.name if isinstance(item, exp.Column) else "")
        return {name.lower()} if name else None

    def _clauses(self, node: exp.Expr, scope: Scope, ctes: Ctes, clauses: frozenset[str]) -> None:
        for clause, part in node.args.items():
            if part is None or clause not in clauses:
                continue
            for each in part if isinstance(part, list) else [part]:
                if isinstance(each, exp.Expr):
                    self._expression(each, scope, ctes)

    def _source(self, node: exp.Expr, scope: Scope, ctes: Ctes) -> None:
        alias = node.args.get("alias")
        group = Scope(scope.neighbours())
        if isinstance(node, exp.Table):
            group.add(self._table(node, alias, scope, ctes))
        elif isinstance(node, exp.Subquery) and not alias and not _is_query(node.this):
            self._source(node.this, group, ctes)
        elif isinstance(node, exp.Subquery):
            inside = scope.neighbours() if self.implicit else scope.outer
            group.add(renamed(self._derived(node, inside, ctes), alias))
        elif isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
            group.add(renamed(self._derived(node.this, scope.neighbours(), ctes), alias))
        else:
            raise Unproven("construct")
        for join in node.args.get("joins") or ():
            self._join(join, group, ctes)
        for source in group.sources:
            scope.add(source)

    def _derived(self, node: exp.Subquery, outer: Scope | None, ctes: Ctes) -> Source:
        """A query in brackets in FROM; the joins that the parser hangs on it are the caller's."""
        joins = node.args.get("joins")
        if joins and any(node.args.get(clause) for clause in ("with_", "order", "limit", "offset")):
            raise Unproven("construct")
        return self._query(node.this if joins else node, outer, ctes)

    def _table(self, node: exp.Table, alias: exp.Expr | None, scope: Scope, ctes: Ctes) -> Source:
        self.seen.add(id(node))
        if isinstance(node.this, exp.GenerateSeries):
            self._expression(node.this, scope.neighbours(), ctes)
            return renamed(Source("", frozenset({"range", "generate_series"})), alias)
        if not isinstance(node.this, exp.Identifier):
            raise Unproven("construct")
        shown = alias.name if alias and alias.name else node.name
        given = None if node.db else ctes.get(node.name.casefold())
        if given is not None:
            if given.name != node.name:
                raise Unproven("name")
            return renamed(Source(shown, given.columns, open=given.open), alias)
        base = self.rights.base(f"{node.db}.{node.name}" if node.db else node.name)
        if alias and alias.args.get("columns"):
            raise Unproven("construct")
        return Source(shown, base.columns, base=base, parts=self.implicit)

    def _join(self, join: exp.Expr, scope: Scope, ctes: Ctes) -> None:
        kind = joined(join)
        if kind == "comma":
            scope.joining = []
        left = len(scope.joining)
        self._source(join.this, scope, ctes)
        if kind == "natural" and any(source.base for source in scope.joining):
            raise Unproven("star")
        for name in join.args.get("using") or ():
            read_joined(name.name, scope.joining[:left])
            read_joined(name.name, scope.joining[left:])
        if on := join.args.get("on"):
            self._expression(on, scope.condition(), ctes)

    def _expression(self, node: exp.Expr, scope: Scope, ctes: Ctes) -> None:
        """Prove an expression; queries inside it see this scope from within."""
        stack = [node]
        while stack:
            each = stack.pop()
            if isinstance(each, _LEAVES):
                continue
            if isinstance(each, exp.Query):
                self._query(each, scope, ctes)
            elif scope.forms and self._is_mask(each, scope):
                self.seen.update(id(column) for column in each.find_all(exp.Column))
            elif isinstance(each, exp.Column):
                self.seen.add(id(each))
                read_column(each, scope)
            elif isinstance(each, exp.Var):
                read_word(each, scope)
            elif isinstance(each, exp.Table) or (isinstance(each, exp.Star) and not isinstance(each.parent, exp.Count)):
                raise Unproven("star" if isinstance(each, exp.Star) else "construct")
            else:
                stack.extend(each.iter_expressions())

    def _is_mask(self, node: exp.Expr, scope: Scope) -> bool:
        """Whether it is exactly the mask of a column of the one table here."""
        forms = scope.forms.get(type(node).__name__)
        return forms is not None and told_shape(node, scope.sources[0].name) in forms


def _is_query(node: exp.Expr) -> bool:
    """Whether brackets hold a query of their own; else they only hold a join."""
    if isinstance(node, exp.Subquery):
        return not (node.args.get("joins") or node.args.get("alias"))
    return isinstance(node, exp.Select | exp.SetOperation)
