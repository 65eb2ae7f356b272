"""Write a role's rows and masks into a statement: every base table is read through a query of its own.

`orders AS o` becomes `(SELECT pay_amount FROM orders WHERE ...) AS o`, wherever it stands, so no
clause of the statement can meet a row or a value that is not the role's, nor a column that no catalog lists. The
database folds such a query back into the statement around it, so it costs no copy of the table.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from sqlglot import exp

from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Catalog
from data_agent.domain.policy import Policy, Role
from data_agent.domain.schema import Table
from data_agent.errors import NotPermitted
from data_agent.policy.conditions import bound
from data_agent.policy.masks import given
from data_agent.sql.copies import bare
from data_agent.sql.reasons import refuse

_CTE = "with_query"  # the mark of a table that is a WITH query of that name


def role_of(policy: Policy, caller: Caller) -> Role:
    """The caller's role.

    Raises:
        NotPermitted: the policy has no such role.
    """
    role = policy.role(caller.role)
    if role is None:
        raise NotPermitted(f"the role `{caller.role}` is not in the policy", hint="ask who keeps the policy file")
    return role


def rewrite(
    tree: exp.Expression,
    catalog: Catalog,
    policy: Policy,
    caller: Caller,
    dialect: str,
) -> exp.Expression:
    """The resolved statement with the role's rows and masks in it. `catalog` is the role's view.

    A base table that already stands in exactly such a query is left alone, so rewriting twice changes nothing.

    Raises:
        UnsafeSql: a table was not resolved, or is not in the view.
        NotPermitted: no such role, or the caller lacks an attribute that a row filter needs.
    """
    found = _Found.of(tree)
    relations = _Relations(catalog, policy, role_of(policy, caller), caller, dialect, found.names)
    for node in found.tables:
        if not isinstance(node.this, exp.Identifier) or id(node) in relations.done:
            continue
        name = node.meta.get("table")
        if name is None and (node.db or node.name.casefold() not in found.ctes):
            raise refuse("guard_failed", what=f"{node.name} was not resolved")
        if name is None:
            node.meta[_CTE] = node.name.casefold()
        else:
            relations.put(node, name)
    for shadow in relations.filter_tables & found.ctes:
        _rename(tree, shadow)
    return tree


class _Found(NamedTuple):
    """What one walk over a statement finds: its tables, the names of its WITH queries, case-folded, and the columns it
    reads, as `table.column` or, behind USING, as a case-folded name. They are None when a star is left that stands for
    all of them."""

    tables: list[exp.Table]
    ctes: set[str]
    names: set[str] | None

    @classmethod
    def of(cls, tree: exp.Expression) -> "_Found":
        tables: list[exp.Table] = []
        ctes, names, stars = set[str](), set[str](), False
        for node in tree.walk():
            if isinstance(node, exp.Identifier):
                continue
            if isinstance(node, exp.Column):
                names.add(node.meta.get("column", ""))
            elif isinstance(node, exp.Table):
                tables.append(node)
            elif isinstance(node, exp.Star):
                stars = stars or not isinstance(node.parent, exp.Count)
            elif isinstance(node, exp.CTE):
                ctes.add(node.alias.casefold())
            elif isinstance(node, exp.Join):
                names.update(each.name.casefold() for each in node.args.get("using") or ())
        return cls(tables, ctes, None if stars else names)


def _rename(tree: exp.Expression, name: str) -> None:
    """Call a WITH query by another name: a filter that reads the table of that name would read the query instead."""
    taken = {each.name.casefold() for each in tree.find_all(exp.Table)}
    taken |= {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    fresh = name
    while fresh in taken:
        fresh = f"with_{fresh}"
    for node in tree.find_all(exp.Table):
        if node.meta.get(_CTE) == name:
            node.set("alias", node.args.get("alias") or exp.TableAlias(this=node.this.copy()))
            node.set("this", exp.to_identifier(fresh, quoted=True))
    for cte in tree.find_all(exp.CTE):
        if cte.alias.casefold() == name:
            cte.args["alias"].set("this", exp.to_identifier(fresh, quoted=True))


@dataclass(frozen=True)
class _Relations:
    """What the role gets in place of each base table.

    `names` are the columns the statement reads, None all; `filter_tables` the tables that filters put in so far read;
    `done` tables of filters that stood there before.
    """

    view: Catalog
    policy: Policy
    role: Role
    caller: Caller
    dialect: str
    names: set[str] | None
    filter_tables: set[str] = field(default_factory=set)
    done: set[int] = field(default_factory=set)

    def put(self, node: exp.Table, name: str) -> None:
        """Replace one base table, unless it is already cut."""
        table = self.view.table(name)
        if table is None:
            raise refuse("unknown_table", what=name, unknown=name, listed="")
        read = [name for folded, name in table.spellings.items() if self._reads(table.name, name, folded)]
        where = self._where(table)
        if self._stands_cut(node, table, where):
            query = node.parent_select
            self.done.update(id(inner) for inner in query.find_all(exp.Table)) if query else None
            return
        columns = [self._column(table, column) for column in read or [table.columns[0].name]]
        db, alias = node.args.get("db"), node.args.get("alias")
        base = exp.Table(this=bare(node.this), db=db and bare(db))
        base.meta["table"] = table.name
        query = exp.Select(expressions=columns, from_=exp.From(this=base))
        if where is not None:
            query.set("where", exp.Where(this=where))
        called = bare(alias) if alias else exp.TableAlias(this=bare(node.this))
        derived = exp.Subquery(this=query, alias=called, joins=node.args.get("joins"))
        node.replace(derived)

    def _reads(self, table: str, name: str, folded: str) -> bool:
        return self.names is None or folded in self.names or f"{table}.{name}" in self.names

    def _where(self, table: Table) -> exp.Expression | None:
        where: exp.Expression | None = None
        for each in self.role.filters_of(table.name):
            condition = bound(each, self.caller.attributes, self.dialect)
            self.filter_tables.update(inner.name.casefold() for inner in condition.find_all(exp.Table))
            where = exp.And(this=where, expression=condition) if where else condition
        return where

    def _column(self, table: Table, name: str) -> exp.Expression:
        mask = self.role.mask_of(table.name, name)
        return given(mask, table.name.rpartition(".")[2], name, self.policy.salt, self.dialect)

    def _stands_cut(self, node: exp.Table, table: Table, where: exp.Expression | None) -> bool:
        """Whether the table is read by a query that gives nothing but the role's rows and masked columns."""
        query = node.parent.parent if isinstance(node.parent, exp.From) else None
        if not isinstance(query, exp.Select) or node.alias or node.args.get("joins"):
            return False
        if {key for key, value in query.args.items() if value} - {"expressions", "from_", "where"}:
            return False
        found = query.args.get("where")
        if (self._text(found.this) if found else "") != (self._text(where) if where else ""):
            return False
        allowed = {self._text(self._column(table, column.name)) for column in table.columns}
        return all(self._text(item) in allowed for item in query.expressions)

    def _text(self, node: exp.Expression) -> str:
        return node.sql(dialect=self.dialect, comments=False)
