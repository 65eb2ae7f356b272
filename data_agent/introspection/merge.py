"""A second look at a database whose catalog a person has written in: what is new, gone, renamed, of another type."""

import difflib
from collections.abc import Iterable, Iterator, Sequence

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from data_agent.catalog.formula import read_formula
from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Relationship, Table

ALIKE = 0.6
SAME_COLUMNS = 0.7
SAME_EXAMPLES = 0.5


class GoldenQuestion(Frozen):
    """A question with the statement that answers it."""

    question: str
    sql: str


class Gone(Frozen):
    """A table or column that the database no longer has, and everything that stood on it."""

    name: str
    metrics: tuple[str, ...] = ()
    relationships: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


class Rename(Frozen):
    """A name that is gone and one that came, so much alike that it may be the same thing. A person decides."""

    before: str
    after: str
    why: str


class Merge(Frozen):
    """What to add to the catalog, and what to tell. Nothing that is written is ever changed."""

    tables: tuple[Table, ...] = ()
    columns: tuple[Column, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    metrics: tuple[Metric, ...] = ()
    gone: tuple[Gone, ...] = ()
    renames: tuple[Rename, ...] = ()
    retyped: tuple[str, ...] = ()
    offers: tuple[Relationship, ...] = ()

    @property
    def adds(self) -> bool:
        """Whether anything is to be written."""
        return bool(self.tables or self.columns or self.relationships or self.metrics)


def merge(written: Catalog, found: Catalog, unread: Iterable[str] = (), golden: Sequence[GoldenQuestion] = ()) -> Merge:
    """Compare. `unread` tables could not be read this time, so nothing is said of them."""
    silent = {name.casefold() for name in unread}
    gone_tables = [t for t in written.tables if found.table(t.name) is None and t.name.casefold() not in silent]
    new_tables = [t for t in found.tables if written.table(t.name) is None]
    pairs = [(old, new) for old in written.tables if (new := found.table(old.name))]
    gone_columns = [c for old, new in pairs for c in old.columns if new.column(c.name) is None]
    new_columns = [c for old, new in pairs for c in new.columns if old.column(c.name) is None]
    renames = [*_renamed_tables(gone_tables, new_tables), *_renamed_columns(gone_columns, new_columns)]
    offered = {rename.after for rename in renames}
    tables = tuple(t for t in new_tables if t.name not in offered)
    columns = tuple(c for c in new_columns if c.id not in offered)
    fresh = {t.name for t in tables} | {c.id for c in columns}
    known = {_key(each) for link in written.relationships for each in (link, link.reversed())}
    missing = [link for link in found.relationships if _key(link) not in known]
    names = [*(t.name for t in gone_tables), *(c.id for c in gone_columns)]
    return Merge(
        tables=tables,
        columns=columns,
        relationships=tuple(link for link in missing if _ends(link) & fresh and not _touches(link, offered)),
        metrics=tuple(m for m in found.metrics if _is_new(m, written, fresh) and not _stands_on(m, offered)),
        gone=tuple(_gone(name, written, golden) for name in names),
        renames=tuple(renames),
        retyped=tuple(_retyped(pairs)),
        offers=tuple(link for link in missing if not _ends(link) & fresh and not _touches(link, offered)),
    )


def _renamed_tables(gone: Sequence[Table], new: Sequence[Table]) -> Iterator[Rename]:
    for old in gone:
        for table in new:
            mine, theirs = ({c.name.casefold() for c in t.columns} for t in (old, table))
            if mine and len(mine & theirs) >= SAME_COLUMNS * len(mine | theirs):
                yield Rename(
                    before=old.name, after=table.name, why=f"{len(mine & theirs)} of {len(mine | theirs)} columns same"
                )
                break


def _renamed_columns(gone: Sequence[Column], new: Sequence[Column]) -> Iterator[Rename]:
    taken: set[str] = set()
    for old in gone:
        near = [(why, c) for c in new if c.table == old.table and c.id not in taken and (why := _alike(old, c))]
        if near:
            why, column = near[0]
            taken.add(column.id)
            yield Rename(before=old.id, after=column.id, why=why)


def _alike(old: Column, new: Column) -> str:
    """Why two columns of one table may be the same, or nothing."""
    if old.type != new.type:
        return ""
    ours, theirs = set(old.examples), set(new.examples)
    if ours and len(ours & theirs) >= SAME_EXAMPLES * len(ours):
        return f"same type, {len(ours & theirs)} of {len(ours)} examples the same"
    alike = difflib.SequenceMatcher(None, old.name.casefold(), new.name.casefold()).ratio()
    return f"same type, names {alike:.0%} alike" if alike >= ALIKE else ""


def _key(link: Relationship) -> tuple[str, ...]:
    parts = (link.from_table, *link.from_columns, link.to_table, *link.to_columns)
    return tuple(part.casefold() for part in parts)


def _ends(link: Relationship) -> set[str]:
    sides = ((link.from_table, link.from_columns), (link.to_table, link.to_columns))
    return {table for table, _ in sides} | {f"{table}.{name}" for table, names in sides for name in names}


def _touches(link: Relationship, names: set[str]) -> bool:
    return bool(_ends(link) & names)


def _is_new(metric: Metric, written: Catalog, fresh: set[str]) -> bool:
    taken = {word.casefold() for m in written.metrics for word in (m.name, *m.aliases)}
    return metric.name.casefold() not in taken and _stands_on(metric, fresh)


def _stands_on(metric: Metric, names: set[str]) -> bool:
    return metric.table in names or bool(set(metric.relevant_columns) & names)


def _gone(name: str, written: Catalog, golden: Sequence[GoldenQuestion]) -> Gone:
    return Gone(
        name=name,
        metrics=tuple(m.name for m in written.metrics if any(_within(c, name) for c in _columns(m))),
        relationships=tuple(
            f"{link.from_table} → {link.to_table}"
            for link in written.relationships
            if any(_within(end, name) for end in _ends(link))
        ),
        questions=tuple(each.question for each in golden if _reads(each.sql, name, written)),
    )


def _columns(metric: Metric) -> set[str]:
    texts = (metric.expression, *metric.filters)
    used = {column for text in texts if text for column in read_formula(text).columns}
    return used | set(metric.relevant_columns) | ({metric.time_column} if metric.time_column else set())


def _within(column: str, name: str) -> bool:
    """Whether `table.column` is, or is of, what is gone."""
    return column.casefold() == name.casefold() or column.casefold().startswith(f"{name.casefold()}.")


def _reads(sql: str, name: str, written: Catalog) -> bool:
    """Whether a statement reads what is gone."""
    try:
        tree = sqlglot.parse_one(sql, read="mysql")
    except SqlglotError:
        return False
    table, _, column = name.rpartition(".") if written.table(name) is None else (name, "", "")
    if table.casefold() not in {found.name.casefold() for found in tree.find_all(exp.Table)}:
        return False
    return not column or column.casefold() in {found.name.casefold() for found in tree.find_all(exp.Column)}


def _retyped(pairs: Sequence[tuple[Table, Table]]) -> Iterator[str]:
    for old, new in pairs:
        for column in old.columns:
            now = new.column(column.name)
            if now and now.type != column.type:
                yield f"{column.id}: written as {column.type}, is {now.type} in the database"
