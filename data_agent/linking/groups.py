"""Which tables belong together."""

from data_agent.domain.schema import Table


def domain_of(table: Table) -> str:
    """The subject area of a table, or the database in front of its name."""
    return table.domain or table.name.rpartition(".")[0]
