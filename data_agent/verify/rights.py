"""The policy as the verifier needs it: per table what may be read, under which conditions, behind which masks."""

import json
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Catalog
from data_agent.domain.policy import Mask, Policy, Role
from data_agent.domain.schema import Table
from data_agent.verify.masks import form_of
from data_agent.verify.shapes import Shape, conjuncts, shape
from data_agent.verify.text import DIALECTS, check_nodes
from data_agent.verify.unproven import Unproven

_WRITTEN_IN = "mysql"
_OWN = "own_table"


@dataclass(frozen=True)
class Rights:
    """What one caller may read of the whole catalog, in one dialect."""

    catalog: Catalog
    role: Role
    salt: str
    attributes: tuple[tuple[str, str], ...]
    dialect: str

    @classmethod
    def of(cls, catalog: Catalog, policy: Policy, caller: Caller, dialect: str) -> "Rights":
        """The rights of a caller.

        Raises:
            Unproven: the policy does not know the role, or the dialect is not known.
        """
        role = policy.role(caller.role)
        if role is None:
            raise Unproven("role")
        if dialect not in DIALECTS:
            raise Unproven("dialect")
        return cls(catalog, role, policy.salt, tuple(sorted(caller.attributes.items())), dialect)

    def table(self, name: str) -> Table:
        """The base table written exactly so.

        Raises:
            Unproven: the catalog has none, or the role sees nothing of it.
        """
        table = self.catalog.table(name)
        if table is None or table.name != name or table.retired:
            raise Unproven("table")
        if not any(self.role.sees(table.name, column.name) for column in table.columns):
            raise Unproven("table")
        return table

    def filters(self, table: Table) -> frozenset[Shape]:
        """Every condition the WHERE over this table has to consist of; empty when the role sees all rows."""
        found: set[Shape] = set()
        for each in self.role.filters_of(table.name):
            found |= _conditions(each.where, table.name.rpartition(".")[2], self.attributes, self.dialect)
        return frozenset(found)

    def hides(self, table: Table, column: str) -> bool:
        """Whether the role may not read the column at all."""
        found = table.column(column)
        return found is None or not self.role.sees(table.name, found.name)

    def mask(self, table: Table, column: str) -> Mask | None:
        """The mask of the column."""
        return self.role.mask_of(table.name, column)

    def forms(self, table: Table) -> dict[str, frozenset[Shape]]:
        """Every shape in which a masked column of the table may be read, by the class it starts with."""
        names = [column.name for column in table.columns if not self.hides(table, column.name)]
        masks = [(mask, name) for name in names if (mask := self.role.mask_of(table.name, name))]
        found: dict[str, frozenset[Shape]] = {}
        for mask, name in masks:
            if wanted := _mask_shape(mask, name, self.salt, self.dialect):
                found[wanted[0]] = found.get(wanted[0], frozenset()) | {wanted}
        return found


@lru_cache(maxsize=512)
def _mask_shape(mask: Mask, column: str, salt: str, dialect: str) -> Shape | None:
    name = exp.column(column, quoted=True).sql(DIALECTS[dialect])
    form = form_of(mask, name, exp.Literal.string(salt).sql(DIALECTS[dialect]), dialect)
    return None if form is None else shape(_expression(form, dialect), _OWN)


@lru_cache(maxsize=512)
def _conditions(where: str, table: str, attributes: tuple[tuple[str, str], ...], dialect: str) -> frozenset[Shape]:
    """The filter bound to the caller, as it reads after being written out in the dialect."""
    tree = _bound(_expression(where, _WRITTEN_IN, where=True), dict(attributes))
    written = tree.sql(DIALECTS[dialect], comments=False)
    again = _expression(written, dialect, where=True)
    check_nodes(again, dialect)
    return frozenset(shape(each, table) for each in conjuncts(again))


def _expression(text: str, dialect: str, *, where: bool = False) -> exp.Expr:
    whole = f"SELECT 1 FROM {_OWN} WHERE ({text})" if where else f"SELECT {text}"
    grammar = DIALECTS[dialect]
    trees = grammar.parser(error_level=ErrorLevel.IMMEDIATE).parse(grammar.tokenize(whole), whole)
    select = trees[0] if len(trees) == 1 else None
    carried = {"expressions", "from_", "where"} if where else {"expressions"}
    if not isinstance(select, exp.Select) or {key for key, value in select.args.items() if value} != carried:
        raise Unproven("policy")
    found: exp.Expr = select.args["where"].this if where else select.expressions[0]
    if where and not isinstance(found, exp.Paren):
        raise Unproven("policy")
    return found


def _bound(tree: exp.Expr, attributes: dict[str, str]) -> exp.Expr:
    for dot in list(tree.find_all(exp.Dot)):
        if not isinstance(dot.this, exp.Placeholder) or dot.this.name != "caller":
            raise Unproven("policy")
        values = [exp.Literal.string(value) for value in _values(attributes.get(dot.expression.name, ""))]
        parent = dot.parent
        if isinstance(parent, exp.In) and dot.arg_key == "expressions":
            listed = [new for old in parent.expressions for new in (values if old is dot else [old])]
            parent.set("expressions", listed)
        elif len(values) == 1:
            dot.replace(values[0])
        else:
            raise Unproven("policy")
    if tree.find(exp.Placeholder, exp.Parameter):
        raise Unproven("policy")
    return tree


def _values(value: str) -> list[str]:
    """An attribute is one text, or a JSON list of them."""
    if not value.strip():
        raise Unproven("policy")
    if not value.lstrip().startswith("["):
        return [value]
    listed = json.loads(value)
    if not isinstance(listed, list) or not listed or not all(isinstance(each, str | int) for each in listed):
        raise Unproven("policy")
    return [str(each) for each in listed]
