"""Datasets and fields of an Ossie model as tables and columns."""

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from data_agent.domain.schema import Column, Table
from data_agent.exchange.ossie.document import (
    Document,
    Plain,
    expression,
    extended,
    extension,
    listed,
    synonyms,
    texts,
    unread,
)
from data_agent.exchange.ossie.formulas import Dataset, Impossible, column, parsed
from data_agent.exchange.result import NotCarried

TYPES = {
    "string": "text",
    **dict.fromkeys(("decimal", "number"), "decimal"),
    **dict.fromkeys(("datetime", "datetimetz", "timestamp", "timestamp_tz"), "datetime"),
    **{each: each for each in ("integer", "float", "boolean", "date", "time")},
}
TIMES = frozenset({"date", "time", "datetime"})


class TableReader:
    """Reads the datasets of one model; `left_out` says what a catalog has no place for."""

    def __init__(self, document: Document) -> None:
        self.left_out: list[NotCarried] = []
        self.datasets: dict[str, Dataset] = {}
        self.tables: dict[str, Table] = {}
        self.unique: dict[str, list[tuple[str, ...]]] = {}
        for at, plain in document.parts("datasets"):
            try:
                self._dataset(at, plain)
            except Impossible as reason:
                self._leave(f"dataset {plain.get('name')}", str(reason), at)

    def _leave(self, what: str, why: str, at: str) -> None:
        self.left_out.append(NotCarried(what=f"{at}: {what}", why=why))

    def _dataset(self, at: str, plain: Plain) -> None:
        name, table = str(plain.get("name") or ""), _table_of(str(plain.get("source") or ""))
        if not name or table in self.tables:
            raise Impossible(
                f"`{table}` is a dataset already; a catalog has each table once" if name else "it has no name"
            )
        fields: dict[str, exp.Expr] = {}
        columns: dict[str, Column] = {}
        for field in listed(plain, "fields"):
            found = self._field(f"{name}.{field.get('name')}", field, table, at)
            if found is not None:
                fields[str(field["name"]).casefold()] = found
                if isinstance(found, exp.Column):
                    columns.setdefault(found.name, self._column(table, found.name, field))
        keys = [texts(plain, "primary_key"), *(tuple(map(str, k)) for k in plain.get("unique_keys") or () if k)]
        for key in (each for names in keys for each in names):
            if key.casefold() not in fields:
                fields[key.casefold()] = column(table, key)
                columns.setdefault(key, Column(table=table, name=key))
        self.datasets[name.casefold()] = Dataset(name, table, fields)
        self.unique[table] = [tuple(self.physical(name, each) for each in names) for names in keys if names]
        self.left_out += unread(f"dataset {name}", plain, at)
        base: Plain = {
            "aliases": other_names(table, name, synonyms(plain)),
            "description": str(plain.get("description") or "").strip(),
            "primary_key": self.unique[table][0] if keys[0] else (),
        }
        fixed = {"name": table, "columns": tuple(columns.values())}
        self.tables[table] = extended(Table, base, extension(plain), fixed, self.left_out)

    def _field(self, what: str, plain: Plain, table: str, at: str) -> exp.Expr | None:
        """The field as an expression over columns of its table; a plain column is a column of the catalog."""
        written = expression(plain)
        try:
            if not plain.get("name") or written is None:
                raise Impossible("it has no expression in a dialect of SQL")
            tree = parsed(written)
            if tree.find(exp.AggFunc):
                raise Impossible("a field has no aggregate; make it a metric")
        except Impossible as reason:
            self._leave(f"field {what}", str(reason), at)
            return None
        self.left_out += unread(f"field {what}", plain, at)
        if isinstance(tree, exp.Column):
            return column(table, tree.name)
        self._leave(f"field {what}", "it is computed: make it a column of a view; metrics have it written out", at)
        return tree.transform(lambda node: column(table, node.name) if isinstance(node, exp.Column) else node)

    def physical(self, dataset: str, field: str) -> str:
        """The column behind a field; the field's own name when it is none."""
        found = self.datasets[dataset.casefold()].fields.get(field.casefold())
        return found.name if isinstance(found, exp.Column) else field

    def _column(self, table: str, name: str, plain: Plain) -> Column:
        kind = TYPES.get(str(plain.get("datatype") or "").casefold(), "text")
        dimension = plain.get("dimension")
        told = str(dimension.get("is_time", "") if isinstance(dimension, dict) else "").casefold()
        timed = told == "true" or (told != "false" and kind in TIMES)
        base: Plain = {
            "type": kind,
            "description": str(plain.get("description") or "").strip(),
            "aliases": other_names(name, str(plain["name"]), synonyms(plain)),
            **({"role": "time"} if timed else {}),
        }
        return extended(Column, base, extension(plain), {"table": table, "name": name}, self.left_out)


def other_names(name: str, logical: str, synonyms: tuple[str, ...]) -> tuple[str, ...]:
    """What people call it: its name in the model, where the database has another one, and its synonyms."""
    first = (logical,) if logical.casefold() != name.casefold() else ()
    return tuple(dict.fromkeys((*first, *synonyms)))


def _table_of(source: str) -> str:
    """The last part of `database.schema.table`.

    Raises:
        Impossible: it is a query, or nothing.
    """
    if not source:
        raise Impossible("it has no source")
    try:
        tree = parse_one(f"SELECT * FROM {source}")
    except SqlglotError as error:
        raise Impossible(f"its source `{source}` is no table") from error
    held = tree.args["from_"].this if tree.args.get("from_") else None
    if not isinstance(held, exp.Table) or not held.name or tree.args.get("where"):
        raise Impossible("its source is a query; make it a view")
    return held.name
