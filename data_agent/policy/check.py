"""Does a policy mean what it says? Its names must exist in the catalog: a misspelt `deny` hides nothing."""

from collections.abc import Iterator

from data_agent.catalog.check import nearest
from data_agent.domain.catalog import Catalog
from data_agent.domain.policy import Policy, Role, RowFilter
from data_agent.errors import DataAgentError
from data_agent.options import Limits
from data_agent.policy.conditions import WRITTEN_IN, attributes_of, bound
from data_agent.sql.admit import admit

Problem = tuple[tuple[str | int, ...], str]
"""The route to a field of the file, and what is wrong there."""


def problems(policy: Policy, catalog: Catalog) -> Iterator[Problem]:
    """Everything in a policy that the catalog does not bear out."""
    for at, role in enumerate(policy.roles):
        for route, problem in _of_role(role, catalog):
            yield ("roles", at, *route), problem


def _of_role(role: Role, catalog: Catalog) -> Iterator[Problem]:
    for field, patterns in (("allow", role.allow), ("deny", role.deny)):
        for at, pattern in enumerate(patterns):
            if problem := _unknown(pattern, catalog):
                yield (field, at), problem
    seen = [mask.column.casefold() for mask in role.masks]
    for at, mask in enumerate(role.masks):
        if problem := _unknown(mask.column, catalog):
            yield ("masks", at, "column"), problem
        elif mask.column.casefold() in seen[:at]:
            yield ("masks", at, "column"), f"`{mask.column}` is masked twice"
    for at, row_filter in enumerate(role.filters):
        if catalog.table(row_filter.table) is None:
            yield ("filters", at, "table"), _unknown(row_filter.table, catalog)
        elif problem := _condition_problem(row_filter, catalog):
            yield ("filters", at, "where"), problem


def _unknown(pattern: str, catalog: Catalog) -> str:
    """Why a pattern names nothing, or nothing."""
    name = pattern.removesuffix(".*")
    if pattern == "*" or catalog.table(name) or (name == pattern and catalog.column(name)):
        return ""
    names = [table.name for table in catalog.tables]
    names += [column.id for table in catalog.tables for column in table.columns]
    return f"the catalog has no `{name}`{nearest(name, names)}"


def _condition_problem(row_filter: RowFilter, catalog: Catalog) -> str:
    """The guard itself reads the condition, on the whole catalog, with stand-ins for the caller's attributes."""
    try:
        attributes = dict.fromkeys(attributes_of(row_filter.where), "1")
        condition = bound(row_filter, attributes).sql(dialect=WRITTEN_IN)
        table = ".".join(f"`{part}`" for part in row_filter.table.split("."))
        text = f"SELECT 1 FROM {table} WHERE {condition}"
        admit(text, catalog=catalog, dialect=WRITTEN_IN, limits=Limits())
    except DataAgentError as error:
        return error.message
    return ""
