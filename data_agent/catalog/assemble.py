"""Written files → one catalog, with what may be left out filled in and the place of everything kept."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from data_agent.catalog.formula import parts_of, read_formula
from data_agent.catalog.models import WrittenCatalog, WrittenColumn, WrittenMetric, WrittenRelationship, WrittenTable
from data_agent.catalog.source import Route, Source
from data_agent.domain.catalog import Catalog, Document, Domain
from data_agent.domain.metric import Additivity, Metric
from data_agent.domain.schema import Column, ColumnRole, Relationship, Table

Page = tuple[Source, WrittenCatalog]
Item = TypeVar("Item")

ROLE_BY_TYPE: dict[str, ColumnRole] = {
    "date": "time",
    "datetime": "time",
    "decimal": "measure",
    "float": "measure",
}


class Place(NamedTuple):
    """Where something is written."""

    source: Source
    route: Route

    def say(self, field: str, message: str) -> str:
        """A problem with one field of it (an empty `field` means all of it)."""
        return self.source.say((*self.route, field) if field else self.route, message)


class Draft(NamedTuple):
    """A catalog before its references are checked. `places` is keyed by `table:x`, `metric:x`, `relationship:0`…"""

    catalog: Catalog
    places: dict[str, Place]
    problems: list[str]
    warnings: list[str]


def assemble(pages: list[Page], default_name: str) -> Draft:
    """Put the files together; names written twice are problems."""
    draft = Draft(Catalog(name="", version=""), {}, [], [])
    names = [(source, page.name) for source, page in pages if page.name]
    if not names:
        draft.warnings.append(f"{pages[0][0].file}:1: name: not given; the catalog is called `{default_name}`")
    for source, name in names[1:]:
        draft.problems.append(source.say(("name",), f"`{name}`: another file names the catalog already"))
    tables = _tables(pages, draft)
    catalog = Catalog(
        name=names[0][1] if names else default_name,
        version="",
        tables=tables,
        metrics=_metrics(pages, draft, tables),
        relationships=_relationships(pages, draft),
        domains=tuple(Domain(**d.model_dump()) for _, d in _each(pages, draft, "domains", lambda p: p.domains)),
        documents=_documents(pages, draft),
        synonyms={word: others for _, page in pages for word, others in page.synonyms.items()},
    )
    return draft._replace(catalog=catalog)


def _each(
    pages: list[Page], draft: Draft, field: str, pick: Callable[[WrittenCatalog], Iterable[Item]]
) -> list[tuple[Place, Item]]:
    """The items of one list over all files, each with its place; a second item of a name is a problem."""
    found = []
    for source, page in pages:
        for index, item in enumerate(pick(page)):
            place = Place(source, (field, index))
            name = getattr(item, "name", "") or getattr(item, "title", "")
            if name:
                _claim(draft, f"{field[:-1]}:{name.casefold()}", place, "name", name)
            found.append((place, item))
    return found


def _claim(draft: Draft, key: str, place: Place, field: str, name: str) -> None:
    first = draft.places.setdefault(key, place)
    if first is not place:
        where = f"{first.source.file}:{first.source.line(first.route)}"
        draft.problems.append(place.say(field, f"`{name}` is written twice (first at {where})"))


def _tables(pages: list[Page], draft: Draft) -> tuple[Table, ...]:
    tables = []
    for place, written in _each(pages, draft, "tables", lambda page: page.tables):
        for index, column in enumerate(written.columns):
            spot = Place(place.source, (*place.route, "columns", index))
            _claim(draft, f"column:{written.name}.{column.name}".casefold(), spot, "name", column.name)
            if column.personal and column.sync:
                draft.warnings.append(spot.say("sync", "ignored: values of a personal column are never indexed"))
        tables.append(_table(written))
    return tuple(tables)


def _table(written: WrittenTable) -> Table:
    keys = written.primary_key or tuple(c.name for c in written.columns if c.role == "primary_key")
    return Table(
        **written.model_dump(exclude={"columns", "primary_key"}),
        columns=tuple(_column(written.name, column, keys) for column in written.columns),
        primary_key=keys,
    )


def _column(table: str, written: WrittenColumn, keys: tuple[str, ...]) -> Column:
    sole_key: ColumnRole | None = "primary_key" if keys == (written.name,) else None
    role = written.role or sole_key or ROLE_BY_TYPE.get(written.type, "dimension")
    sync = written.sync and not written.personal
    return Column(table=table, role=role, sync=sync, **written.model_dump(exclude={"role", "sync"}))


def _relationships(pages: list[Page], draft: Draft) -> tuple[Relationship, ...]:
    links: list[Relationship] = []
    for place, written in _each(pages, draft, "relationships", lambda page: page.relationships):
        draft.places[f"relationship:#{len(links)}"] = place
        links.append(_relationship(written, place, draft))
    return tuple(links)


def _relationship(written: WrittenRelationship, place: Place, draft: Draft) -> Relationship:
    from_table, from_columns = _side(written.from_columns, "from", place, draft)
    to_table, to_columns = _side(written.to_columns, "to", place, draft)
    if len(from_columns) != len(to_columns):
        draft.problems.append(place.say("to", "`from` and `to` must list the same number of columns"))
    return Relationship(
        from_table=from_table,
        from_columns=from_columns,
        to_table=to_table,
        to_columns=to_columns,
        cardinality=written.cardinality,
        name=written.name,
        aliases=written.aliases,
        inferred=written.inferred,
        evidence=written.evidence,
    )


def _side(ids: tuple[str, ...], field: str, place: Place, draft: Draft) -> tuple[str, tuple[str, ...]]:
    tables = dict.fromkeys(column.rpartition(".")[0] for column in ids)
    if len(tables) != 1 or "" in tables:
        draft.problems.append(
            place.say(field, f"write `table.column` (all of one table), not {', '.join(ids) or '[]'}")
        )
    return next(iter(tables), ""), tuple(column.rpartition(".")[2] for column in ids)


def _documents(pages: list[Page], draft: Draft) -> tuple[Document, ...]:
    return tuple(
        Document(title=d.title, text=d.text.strip(), source=d.source or place.source.file, aliases=d.aliases)
        for place, d in _each(pages, draft, "documents", lambda page: page.documents)
    )


def _metrics(pages: list[Page], draft: Draft, tables: tuple[Table, ...]) -> tuple[Metric, ...]:
    written = [metric for _, metric in _each(pages, draft, "metrics", lambda page: page.metrics)]
    by_name = {metric.name: metric for metric in written}
    time_of = {t.name.casefold(): f"{t.name}.{t.time_column}" for t in tables if t.time_column}
    return tuple(_metric(metric, by_name, time_of) for metric in written)


def _metric(written: WrittenMetric, by_name: dict[str, WrittenMetric], time_of: dict[str, str]) -> Metric:
    table = written.table or _home(written.expression)
    columns = [*written.relevant_columns, *_columns(written, by_name, time_of, frozenset({written.name}))]
    return Metric(
        **written.model_dump(exclude={"table", "time_column", "additivity", "relevant_columns"}),
        table=table,
        time_column=_time_column(written, time_of),
        additivity=written.additivity or _additivity(written.expression),
        relevant_columns=tuple(dict.fromkeys(columns)),
    )


def _time_column(written: WrittenMetric, time_of: dict[str, str]) -> str | None:
    """As written, else that of the home table; a derived metric has none, its parts have."""
    table = written.table or _home(written.expression)
    return written.time_column or (time_of.get(table.casefold()) if table else None)


def _home(expression: str) -> str | None:
    """The only table an expression names."""
    tables = {column.rpartition(".")[0] for column in read_formula(expression).columns} if expression else set()
    return tables.pop() or None if len(tables) == 1 else None


def _columns(
    written: WrittenMetric, by_name: dict[str, WrittenMetric], time_of: dict[str, str], seen: frozenset[str]
) -> list[str]:
    """Columns a metric stands on, those of its parts included; a cycle ends the walk (it is reported elsewhere)."""
    own = [c for text in (written.expression, *written.filters) if text for c in read_formula(text).columns]
    own += [time_column] if (time_column := _time_column(written, time_of)) else []
    for name in parts_of(written.expression):
        if name in by_name and name not in seen:
            own += _columns(by_name[name], by_name, time_of, seen | {name})
    return own


def _additivity(expression: str) -> Additivity:
    text = expression.upper()
    return "non_additive" if any(sign in text for sign in ("{", "DISTINCT", "AVG(", "/")) else "additive"
