"""Mend a statement without a model: names, join paths and GROUP BY that the catalog decides by itself."""

from collections.abc import Callable

from sqlglot import exp

from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Relationship
from data_agent.errors import UnsafeSql
from data_agent.options import Limits
from data_agent.sql import grammar, parsing
from data_agent.sql.admit import admit, refusing
from data_agent.sql.dialects import facts_for
from data_agent.sql.grouping import complete_groups
from data_agent.sql.nearest import nearest
from data_agent.sql.reasons import refuse

MAX_STEPS = 8
Mend = Callable[[exp.Expression, UnsafeSql, Catalog], str]


def repair(sql: str, *, catalog: Catalog, dialect: str) -> tuple[str, tuple[str, ...]] | None:
    """The statement mended until the guard admits it, with what was done; None when nothing helps.

    One complaint of the guard is mended at a time: a wrong alias, a column whose owner is one declared join away, a
    misspelt name, an ambiguous name. GROUP BY is completed at the end, for MySQL asks for every plain column in it.
    """
    done: list[str] = []
    for _ in range(MAX_STEPS):
        complaint = _complaint(sql, catalog, dialect)
        if complaint is None:
            return _grouped(sql, catalog, dialect, done)
        try:
            with refusing(dialect):
                sql, what = _mended(sql, complaint, catalog, dialect)
        except UnsafeSql:
            return None
        done.append(what)
    return None


def _complaint(sql: str, catalog: Catalog, dialect: str) -> UnsafeSql | None:
    try:
        admit(sql, catalog=catalog, dialect=dialect, limits=Limits())
    except UnsafeSql as complaint:
        return complaint
    return None


def _tree(sql: str, dialect: str) -> tuple[exp.Expression, str]:
    facts = facts_for(dialect)
    if facts is None:
        raise refuse("dialect", what=dialect)
    tree, _ = parsing.parse(sql, facts)
    return tree, facts.grammar


def _grouped(sql: str, catalog: Catalog, dialect: str, done: list[str]) -> tuple[str, tuple[str, ...]] | None:
    try:
        with refusing(dialect):
            tree, language = _tree(sql, dialect)
            done += complete_groups(tree)
            mended = grammar.render(tree, language) if done else sql
    except UnsafeSql:
        return None
    return (mended, tuple(done)) if done and _complaint(mended, catalog, dialect) is None else None


def _mended(sql: str, complaint: UnsafeSql, catalog: Catalog, dialect: str) -> tuple[str, str]:
    mend = _MENDS.get(complaint.reason_code)
    if mend is None:
        raise complaint
    tree, language = _tree(sql, dialect)
    what = mend(tree, complaint, catalog)
    if not what:
        raise complaint
    return grammar.render(tree, language), what


def _columns(tree: exp.Expression, unknown: str, *, bare: bool) -> list[exp.Column]:
    """The columns the complaint is about; a complaint may name the table where the text does not."""
    table, _, name = unknown.rpartition(".")
    found = [column for column in tree.find_all(exp.Column) if column.name.casefold() == name.casefold()]
    exact = [column for column in found if column.table.casefold() == table.casefold()]
    return exact or ([column for column in found if not column.table] if bare else [])


def _alias_or_join(tree: exp.Expression, complaint: UnsafeSql, catalog: Catalog) -> str:
    """An alias no FROM entry has: the entry that owns the column, else its owner joined in."""
    qualifier = complaint.unknown.rpartition(".")[0]
    columns = _columns(tree, complaint.unknown, bare=False)
    for column in columns:
        select = column.find_ancestor(exp.Select)
        names = _in_from(select) if select else {}
        same = [alias for alias, table in names.items() if table.casefold() == qualifier.casefold()]
        owners = [alias for alias, table in names.items() if catalog.column(f"{table}.{column.name}")]
        choice = same or owners
        if len(choice) == 1:
            column.set("table", exp.to_identifier(choice[0]))
            return f"{qualifier}.{column.name} -> {choice[0]}.{column.name}"
    return _join_owner(columns, catalog)


def _column(tree: exp.Expression, complaint: UnsafeSql, catalog: Catalog) -> str:
    """A column its table does not have: the entry that has it, its owner joined in, else the nearest name."""
    columns = _columns(tree, complaint.unknown, bare=True)
    for column in columns:
        select = column.find_ancestor(exp.Select)
        owners = [a for a, t in (_in_from(select) if select else {}).items() if catalog.column(f"{t}.{column.name}")]
        if len(owners) == 1:
            column.set("table", exp.to_identifier(owners[0]))
            return f"{complaint.unknown} -> {owners[0]}.{column.name}"
    if joined := _join_owner(columns, catalog):
        return joined
    if not columns or not complaint.nearest:
        return ""
    for column in columns:
        column.set("this", exp.to_identifier(complaint.nearest[0]))
    return f"{complaint.unknown} -> {complaint.nearest[0]}"


def _ambiguous(tree: exp.Expression, complaint: UnsafeSql, _catalog: Catalog) -> str:
    """The first of the equal names: over a join key both sides hold the same value."""
    table, _, name = complaint.nearest[0].rpartition(".")
    for column in _columns(tree, complaint.unknown, bare=True):
        select = column.find_ancestor(exp.Select)
        if select and table in _in_from(select):
            column.set("table", exp.to_identifier(table))
    return f"{complaint.unknown} -> {table}.{name}"


def _table(tree: exp.Expression, complaint: UnsafeSql, catalog: Catalog) -> str:
    close = nearest(complaint.unknown, [table.name for table in catalog.tables], most=1)
    for table in tree.find_all(exp.Table) if close else ():
        if table.name.casefold() == complaint.unknown.casefold():
            if not table.alias:
                table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name)))
            table.set("this", exp.to_identifier(close[0]))
    return f"{complaint.unknown} -> {close[0]}" if close else ""


def _in_from(select: exp.Select) -> dict[str, str]:
    """Alias → table of the entries of one FROM."""
    from_ = select.args.get("from_")
    entries = [from_.this] if from_ else []
    entries += [join.this for join in select.args.get("joins") or ()]
    return {entry.alias_or_name: entry.name for entry in entries if isinstance(entry, exp.Table)}


def _join_owner(columns: list[exp.Column], catalog: Catalog) -> str:
    for column in columns:
        select = column.find_ancestor(exp.Select)
        names = _in_from(select) if select else {}
        ways = _ways(names, column.name, catalog)
        if select is None or len(ways) != 1:
            continue
        alias, link = ways[0]
        if link.multiplies and any(
            column not in set(found.find_all(exp.Column)) for found in select.find_all(exp.AggFunc)
        ):
            # The join would repeat the rows that are being counted or summed.
            continue
        select.append("joins", _join(alias, link))
        column.set("table", exp.to_identifier(link.to_table))
        return f"JOIN {link.to_table} for {column.name}"
    return ""


def _ways(names: dict[str, str], column: str, catalog: Catalog) -> list[tuple[str, Relationship]]:
    """Every declared link from an entry of FROM to a table that has the column and does not repeat the entry's rows."""
    links = [turned for link in catalog.relationships for turned in (link, link.reversed())]
    ways = [
        (alias, link)
        for alias, table in names.items()
        for link in links
        if link.from_table == table
        and link.to_table not in names.values()
        and catalog.column(f"{link.to_table}.{column}")
    ]
    single = [way for way in ways if not way[1].multiplies]
    return single or ways


def _join(alias: str, link: Relationship) -> exp.Join:
    pairs = zip(link.from_columns, link.to_columns, strict=True)
    on = [exp.EQ(this=exp.column(one, alias), expression=exp.column(two, link.to_table)) for one, two in pairs]
    return exp.Join(this=exp.to_table(link.to_table), on=exp.and_(*on))


_MENDS: dict[str, Mend] = {
    "unknown_alias": _alias_or_join,
    "unknown_column": _column,
    "ambiguous_column": _ambiguous,
    "unknown_table": _table,
}
