"""What a warehouse holds compared with what the catalog says of it, and with what was indexed."""

from collections.abc import Iterable

from api.health import INDEX_MEND, Found
from api.settings import Settings
from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.errors import IndexMissing
from data_agent.ports.inspector import SchemaFacts
from data_agent.ports.metadata import Metadata

SHOWN = 8


class Drift(Frozen):
    """Tables and columns of the catalog that are gone, columns it does not know yet, tables it leaves out."""

    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    left_out: int = 0
    unreadable: tuple[str, ...] = ()


def drift(catalog: Catalog, facts: SchemaFacts) -> Drift:
    """Compare by name, letter case ignored. A table that is gone stands for its columns."""
    there = {table.name.casefold(): table for table in facts.tables}
    kept = [table for table in catalog.tables if not table.retired]
    gone, new = [], []
    for table in kept:
        held = there.get(table.name.casefold())
        if held is None:
            gone.append(table.name)
            continue
        names = {column.name.casefold() for column in held.columns}
        gone += [column.id for column in table.columns if column.name.casefold() not in names]
        new += [f"{table.name}.{column.name}" for column in held.columns if table.column(column.name) is None]
    unreadable = {name.casefold(): reason for name, reason in facts.unreadable.items()}
    told = [
        f"{table.name}: {unreadable[table.name.casefold()]}" for table in kept if table.name.casefold() in unreadable
    ]
    known = {table.name.casefold() for table in catalog.tables}
    return Drift(
        gone=tuple(name for name in gone if name.casefold() not in unreadable),
        new=tuple(new),
        left_out=len(there.keys() - known),
        unreadable=tuple(told),
    )


def told(found: Drift, facts: SchemaFacts, settings: Settings) -> Found:
    """The drift as a finding: what is gone breaks answers, what is new is only missed."""
    file = settings.catalog
    if not facts.tables:
        return (
            "fail",
            "the account sees no tables · 看不到任何表",
            "check the database at the end of warehouse.url and its host (inside Docker, localhost is the container), "
            "and GRANT SELECT to the account · 请检查库名、主机与授权",
        )
    if found.unreadable:
        return "fail", f"not to be read: {named(found.unreadable)}", "GRANT SELECT on it to the account · 请授予 SELECT"
    if found.gone:
        return (
            "fail",
            f"in the catalog, not in the warehouse: {named(found.gone)}",
            f"take them out of {file} (a table: retired: true), then {INDEX_MEND}",
        )
    if found.new:
        return (
            "warn",
            f"in the warehouse, not in the catalog: {named(found.new)}",
            f"`data-agent introspect --out {file}` adds them, then {INDEX_MEND}",
        )
    left = f"; {found.left_out} tables are left out of it" if found.left_out else ""
    return "ok", f"every table and column of the catalog is there{left}", ""


async def freshness(catalog: Catalog, metadata: Metadata) -> Found:
    """Whether the catalog file is the one that was indexed."""
    try:
        live = await metadata.catalog()
    except IndexMissing:
        return "fail", "nothing indexed yet · 尚未建立索引", INDEX_MEND
    if live.version == catalog.version:
        return "ok", f"the catalog file is what was indexed, version {live.version[:8]}", ""
    return (
        "warn",
        f"the catalog file (version {catalog.version[:8]}) is not what was indexed ({live.version[:8]})",
        f"`data-agent index --plan` shows the difference; {INDEX_MEND}",
    )


def named(names: Iterable[str]) -> str:
    """The first names of many."""
    every = list(names)
    more = f" and {len(every) - SHOWN} more" if len(every) > SHOWN else ""
    return ", ".join(every[:SHOWN]) + more
