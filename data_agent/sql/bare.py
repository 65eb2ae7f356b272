"""A column without its table: what it means, written so that a server can take it for nothing else.

A server knows columns that no catalog lists, and looks for a bare name in the nearest tables first. So a name of an
outer query gets its table written in front, and an alias is written out wherever a column would go before it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlglot import exp

from data_agent.errors import UnsafeSql
from data_agent.sql.bases import respell
from data_agent.sql.dialects.facts import Facts
from data_agent.sql.grammar import identifier
from data_agent.sql.reasons import refuse
from data_agent.sql.scopes import Guide, Scope, Source

MAX_WRITTEN_OUT = 2000


@dataclass
class BareNames:
    """Looks bare names up. `found` is told each column of a source, `resolve` examines what was written out; `listed`
    says that the catalog knows the columns. `written` counts the nodes that aliases were written out to."""

    guide: Guide
    facts: Facts
    listed: bool
    found: Callable[[exp.Column, Source], None]
    resolve: Callable[[exp.Expression, Scope], None]
    written: int = field(default=0)

    def look_up(self, node: exp.Column, scope: Scope, alias_first: bool) -> None:
        """Find one column or alias.

        Raises:
            UnsafeSql: it is not there, is ambiguous, or cannot be told from what no catalog lists.
        """
        name = node.name.casefold()
        if alias_first and name in scope.aliases and isinstance(node.parent, exp.Ordered):
            respell(node.this, scope.aliases[name])
            return
        for each in scope.outward():
            sources = [source for source in each.sources if source.has(name)]
            self._no_more_than_columns(node, each, sources)
            certain = len(sources) < 2 or each.is_merged(name, sources) or any(s.unchecked for s in sources)
            if not certain and name in each.aliases:
                return
            if not certain:
                raise _ambiguous(node.name, sources)
            if sources:
                self._take(node, scope, each, sources)
                return
            if name in each.aliases:
                self._alias(node, scope, each)
                return
        raise self._missing(node, scope)

    def _no_more_than_columns(self, node: exp.Column, scope: Scope, sources: list[Source]) -> None:
        """What no catalog lists and a server reads all the same: a row's number, a table's name for its whole row."""
        bases = scope.bases()
        if not self.listed or any(not source.unchecked for source in sources):
            return
        if bases and node.name.casefold() in self.facts.unlisted:
            raise self.guide.unknown_column(node.name, scope.visible())
        if self.facts.rows_by_name and any(source.name.casefold() == node.name.casefold() for source in bases):
            raise refuse("whole_row", what=node.name, unknown=node.name)

    def _take(self, node: exp.Column, scope: Scope, holder: Scope, sources: list[Source]) -> None:
        for source in sources:
            self.found(node, source)
        between = _up_to(scope, holder)
        if holder is scope and self.facts.grammar == "mysql" and _puts_into_groups(node):
            self._no_alias_besides(node, scope)
        if not self.listed or not any(each.bases() for each in between):
            return
        self._name_table(node, between, holder)

    def _no_alias_besides(self, node: exp.Column, scope: Scope) -> None:
        """MySQL groups by the column of a table, but by the alias of that name over a query, whatever stands before."""
        item = scope.items.get(node.name.casefold())
        itself = isinstance(item, exp.Column) and item.name.casefold() == node.name.casefold()
        if item is not None and not itself:
            raise refuse("alias_or_column", what=node.name, unknown=node.name)

    def _alias(self, node: exp.Column, scope: Scope, holder: Scope) -> None:
        name = node.name.casefold()
        respell(node.this, holder.aliases[name])
        if not self.listed or not any(each.bases() for each in (*_up_to(scope, holder), holder)):
            return
        if holder is scope and self._goes_first(node):
            return
        if holder is scope and isinstance(node.parent, exp.Group) and (place := holder.places.get(name)):
            node.replace(exp.Literal.number(place))
            return
        item = holder.items.get(name)
        if item is None or item.find(exp.Query, exp.Rand):
            raise refuse("write_out", what=node.name, unknown=node.name)
        self._write_out(node, scope, holder, item)

    def _goes_first(self, node: exp.Column) -> bool:
        """Whether an alias goes before a column there. MySQL knows a group by its alias alone in ORDER BY: it stays,
        for a column in its place would change no value."""
        clause = node.find_ancestor(exp.Having, exp.Order, exp.AggFunc, exp.Query)
        return isinstance(clause, exp.Having) or (isinstance(clause, exp.Order) and self.facts.grammar == "mysql")

    def _write_out(self, node: exp.Column, scope: Scope, holder: Scope, item: exp.Expression) -> None:
        self.written += sum(1 for _ in item.walk())
        if self.written > MAX_WRITTEN_OUT:
            raise refuse("too_long", size=self.written, most=MAX_WRITTEN_OUT)
        plain = isinstance(item, exp.Column | exp.Literal | exp.Func)
        inside = item.copy() if plain else exp.Paren(this=item.copy())
        if holder is not scope:
            for column in inside.find_all(exp.Column):
                self._name_table(column, _up_to(scope, holder), holder)
        node.replace(inside)
        self.resolve(inside, scope)

    def _name_table(self, column: exp.Column, between: list[Scope], holder: Scope) -> None:
        owners = [source.name for source in holder.sources if source.has(column.name)]
        name = column.table or (owners[0] if len(owners) == 1 else "")
        if not name or any(each.named(name) for each in between):
            raise refuse("write_out", what=column.name, unknown=column.name)
        column.set("table", identifier(name, self.facts.grammar))

    def _missing(self, node: exp.Column, scope: Scope) -> UnsafeSql:
        where = node.find_ancestor(exp.Where, exp.Select)
        if node.name.casefold() in scope.items and isinstance(where, exp.Where):
            return refuse("alias_in_where", what=node.name, unknown=node.name)
        return self.guide.unknown_column(node.name, scope.visible())


def _up_to(scope: Scope, holder: Scope) -> list[Scope]:
    """The scopes from this one up to the one that holds a name, which is left out."""
    between: list[Scope] = []
    for each in scope.outward():
        if each is holder:
            return between
        between.append(each)
    return between


def _puts_into_groups(node: exp.Expr) -> bool:
    """Whether it stands in GROUP BY, or behind OVER."""
    child: exp.Expr = node
    while child.parent is not None and not isinstance(child.parent, exp.Query):
        if isinstance(child.parent, exp.Window) and child.arg_key == "this":
            return False
        child = child.parent
        if isinstance(child, exp.Group | exp.Window):
            return True
    return False


def _ambiguous(name: str, sources: list[Source]) -> UnsafeSql:
    options = tuple(f"{source.name}.{source.spelled(name)}" for source in sources)
    return refuse("ambiguous_column", what=name, unknown=name, nearest=options, listed=", ".join(options))
