"""A first catalog of a live database, in one call."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from time import perf_counter

from data_agent.catalog.dump import content_hash
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Relationship, Table
from data_agent.errors import CatalogInvalid
from data_agent.introspection.describe import described_table
from data_agent.introspection.keys import Key, primary_key, unique_columns
from data_agent.introspection.links import Link, cardinality, infer_links
from data_agent.introspection.metrics import candidate_metrics
from data_agent.introspection.options import (
    Introspected,
    IntrospectOptions,
    IntrospectProgress,
    Progress,
    Skipped,
    unheard,
)
from data_agent.introspection.profile import Profiled
from data_agent.introspection.sampling import Sampling
from data_agent.ports.inspector import ForeignKey, Inspector, SchemaFacts, TableFacts
from data_agent.wording.names import shared_prefix

DEFAULTS = IntrospectOptions()
AWKWARD = frozenset(".`\x00\n")


async def introspect(
    inspector: Inspector, options: IntrospectOptions = DEFAULTS, progress: Progress = unheard
) -> Introspected:
    """Read what the database declares, sample it, and infer the rest.

    Raises:
        CatalogInvalid: there is no table to describe.
        WarehouseUnavailable, WarehouseTimeout: the declarations cannot be read, or no table can.
    """
    start = perf_counter()
    schema = await inspector.schema()
    sampling = Sampling(inspector, options, progress)
    facts = list(_kept(schema, options, sampling.skipped))
    progress(IntrospectProgress(part="declared", done=len(facts), total=len(facts)))
    tables = await sampling.tables(facts)
    if not tables:
        raise CatalogInvalid(
            [f"{schema.name}: the database holds no table that can be read"],
            hint="check the database's name and the account's rights · 请检查库名与账号权限",
        )
    prefix = shared_prefix([table.facts.name for table in tables])
    keys = {table.facts.name: primary_key(table, prefix) for table in tables}
    references = _declared(schema, tables) if options.declared else []
    found = await _inferred(tables, keys, references, sampling)
    progress(IntrospectProgress(part="links", done=len(found), total=len(found)))
    links = _named([*references, *(link.relationship(keys[link.candidate.table.facts.name].columns) for link in found)])
    catalog = _catalog(options.name or schema.name, tables, keys, links, options)
    progress(IntrospectProgress(part="catalog", done=1, total=1))
    return Introspected(catalog=catalog, skipped=tuple(sampling.skipped), seconds=round(perf_counter() - start, 3))


def _kept(schema: SchemaFacts, options: IntrospectOptions, skipped: list[Skipped]) -> Sequence[TableFacts]:
    """Tables and columns that a catalog can name; the others are noted."""
    skipped += [Skipped(what=name, why=why, left_out=True) for name, why in schema.unreadable.items()]
    kept = []
    for table in schema.tables:
        if options.only and table.name not in options.only:
            continue
        if set(table.name) & AWKWARD:
            skipped.append(Skipped(what=table.name, why="its name holds a dot, backtick or line break", left_out=True))
            continue
        odd = [column.name for column in table.columns if set(column.name) & AWKWARD]
        skipped += [
            Skipped(what=f"{table.name}.{name}", why="its name holds a dot, backtick or line break", left_out=True)
            for name in odd
        ]
        columns = tuple(column for column in table.columns if column.name not in odd)
        kept.append(table.model_copy(update={"columns": columns}))
    return kept


def _declared(schema: SchemaFacts, tables: Sequence[Profiled]) -> list[Relationship]:
    by_name = {table.facts.name.casefold(): table for table in tables}
    return [
        _declared_link(key, child, parent)
        for key in schema.foreign_keys
        if (child := by_name.get(key.table.casefold())) and (parent := by_name.get(key.to_table.casefold()))
    ]


def _declared_link(key: ForeignKey, child: Profiled, parent: Profiled) -> Relationship:
    single = len(key.columns) == 1
    return Relationship(
        from_table=child.facts.name,
        from_columns=key.columns,
        to_table=parent.facts.name,
        to_columns=key.to_columns,
        cardinality=cardinality(child, key.columns[0], child.facts.primary_key) if single else "many_to_one",
    )


async def _inferred(
    tables: Sequence[Profiled], keys: dict[str, Key], references: Sequence[Relationship], sampling: Sampling
) -> list[Link]:
    primary = {name: key.columns for name, key in keys.items()}
    unique = {
        table.facts.name: list(
            dict.fromkeys(
                [*(primary[table.facts.name] if len(primary[table.facts.name]) == 1 else ()), *unique_columns(table)]
            )
        )
        for table in tables
    }
    known = frozenset((link.from_table, name) for link in references for name in link.from_columns)
    return await infer_links(tables, unique, primary, sampling.present, known)


def _named(links: list[Relationship]) -> list[Relationship]:
    """Two references between the same tables are told apart by the name of their column."""
    pairs = Counter(frozenset((link.from_table, link.to_table)) for link in links)
    return [
        link.model_copy(update={"name": f"{link.from_table}_{'_'.join(link.from_columns)}"})
        if pairs[frozenset((link.from_table, link.to_table))] > 1
        else link
        for link in links
    ]


def _catalog(
    name: str,
    tables: Sequence[Profiled],
    keys: dict[str, Key],
    links: list[Relationship],
    options: IntrospectOptions,
) -> Catalog:
    prefix = shared_prefix([table.facts.name for table in tables])
    touching: dict[str, list[Relationship]] = defaultdict(list)
    for link in links:
        touching[link.from_table].append(link)
        # a table of a subtype shares its parent's key, which does not make the parent a dimension
        if link.to_table != link.from_table and keys[link.from_table].columns != link.from_columns:
            touching[link.to_table].append(link)
    described: tuple[Table, ...] = tuple(
        described_table(
            table,
            keys[table.facts.name],
            touching[table.facts.name],
            prefix,
            options.most_values,
            sole=len(tables) == 1,
        )
        for table in tables
    )
    metrics = candidate_metrics(described, links, prefix) if options.metrics else ()
    catalog = Catalog(name=name, version="", tables=described, relationships=tuple(links), metrics=metrics)
    return catalog.model_copy(update={"version": content_hash(catalog)})
