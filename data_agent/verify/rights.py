"""The policy as the verifier needs it: per table what may be read, under which conditions, behind which masks."""

import json
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

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
class Base:
    """One base table and what of it may be read. `columns` are its names in lower case, `hidden` and `masked` those
    that may not be read, or only in their mask, case-folded."""

    table: Table
    columns: frozenset[str]
    hidden: frozenset[str]
    masked: frozenset[str]
    rights: "Rights"

    def has(self, column: str) -> bool:
        """Whether the column is one of the table's own."""
        return column.casefold() in self.table.by_name

    def wants_mask(self, column: str) -> bool:
        """Whether the column may only be read in its mask.

        Raises:
            Unproven: it may not be read at all.
        """
        name = column.casefold()
        if name in self.hidden or name not in self.table.by_name:
            raise Unproven("hidden_column")
        return name in self.masked

    @cached_property
    def filters(self) -> frozenset[Shape]:
        """Every condition the WHERE over this table has to consist of; empty when the role sees all rows.

        Raises:
            Unproven: a filter cannot be read for this caller.
        """
        rights, name = self.rights, self.table.name
        written = [each.where for each in rights.role.filters_of(name)]
        shapes = [_conditions(where, name.rpartition(".")[2], rights.attributes, rights.dialect) for where in written]
        return frozenset().union(*shapes)

    @cached_property
    def forms(self) -> dict[str, frozenset[Shape]]:
        """Every shape in which a masked column of the table may be read, by the class it starts with."""
        rights, found = self.rights, dict[str, frozenset[Shape]]()
        for column in self.table.columns:
            name = column.name.casefold()
            mask = rights.role.mask_of(self.table.name, name)
            if mask is None or name in self.hidden:
                continue
            if wanted := _mask_shape(mask, column.name, rights.policy.salt, rights.dialect):
                found[wanted[0]] = found.get(wanted[0], frozenset()) | {wanted}
        return found


@dataclass(frozen=True)
class Rights:
    """What one caller may read of the whole catalog, in one dialect. `bases` are the tables looked up so far."""

    catalog: Catalog
    policy: Policy
    role: Role
    attributes: tuple[tuple[str, str], ...]
    dialect: str
    bases: dict[str, Base] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, catalog: Catalog, policy: Policy, caller: Caller, dialect: str) -> "Rights":
        """The rights of a caller; they are kept for the caller's next statement.

        Raises:
            Unproven: the policy does not know the role, or the dialect is not known.
        """
        attributes = tuple(sorted(caller.attributes.items()))
        # Both are frozen, and what is kept holds them, so that no other one can have their number.
        key = (id(catalog), id(policy), caller.role, attributes, dialect)
        if (kept := _KEPT.get(key)) is not None:
            return kept
        role = policy.role(caller.role)
        if role is None:
            raise Unproven("role")
        if dialect not in DIALECTS:
            raise Unproven("dialect")
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        made = _KEPT[key] = cls(catalog, policy, role, attributes, dialect)
        return made

    def base(self, name: str) -> Base:
        """The base table written exactly so.

        Raises:
            Unproven: the catalog has none, or the role sees nothing of it.
        """
        if (known := self.bases.get(name)) is not None:
            return known
        table = self.catalog.table(name)
        if table is None or table.name != name or table.retired:
            raise Unproven("table")
        names = [column.name for column in table.columns]
        hidden = frozenset(each.casefold() for each in names if not self.role.sees(table.name, each))
        masked = frozenset(each.casefold() for each in names if self.role.mask_of(table.name, each))
        lowered = frozenset(map(str.lower, names))
        if all(each.casefold() in hidden for each in names):
            raise Unproven("table")
        made = self.bases[name] = Base(table, lowered, hidden, masked, self)
        return made


_KEPT: dict[tuple[object, ...], Rights] = {}
_MOST_KEPT = 32


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
