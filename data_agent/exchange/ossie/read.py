"""An Ossie core model as a catalog: datasets are tables, fields columns, relationships joins, metrics metrics."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from sqlglot import exp, parse_one

from data_agent.catalog.dump import content_hash
from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Additivity, Metric
from data_agent.domain.schema import Column, ColumnRole, Relationship, Table, TableRole
from data_agent.errors import CatalogInvalid
from data_agent.exchange.ossie.document import (
    Document,
    Plain,
    expression,
    extended,
    extension,
    read_document,
    synonyms,
    texts,
    unread,
)
from data_agent.exchange.ossie.formulas import Formula, Formulas, Impossible
from data_agent.exchange.ossie.tables import TableReader
from data_agent.exchange.result import Imported, NotCarried
from data_agent.exchange.whole import whole

PART = "_part_"


def import_ossie(path: Path, name: str = "") -> Imported:
    """Read a core document (YAML or JSON); `name` chooses among its models, and else names the catalog.

    Raises:
        CatalogInvalid: it is no Ossie document, or no dataset of it is a table.
    """
    document = read_document(path, name)
    reader = _Reader(document)
    if not reader.tables:
        problems = [f"{document.at()}: no dataset is a table", *(f"{x.what}: {x.why}" for x in reader.left_out)]
        raise CatalogInvalid(problems, hint="give each dataset a `source` like database.schema.table")
    links, metrics = reader.relationships(), reader.metrics()
    fixed: Plain = {
        "name": name or str(document.model.get("name") or "imported"),
        "version": "",
        "tables": tuple(_finished(table, links, metrics) for table in reader.tables.values()),
        "relationships": links,
        "metrics": metrics,
    }
    reader.left_out += _undated(fixed["tables"])
    reader.left_out += unread(f"model {document.model.get('name')}", document.model, document.at())
    catalog = extended(Catalog, {}, extension(document.model), fixed, reader.left_out)
    catalog = catalog.model_copy(update={"version": content_hash(catalog)})
    return Imported(catalog=catalog, left_out=tuple(reader.left_out))


class _Reader:
    """Reads one model; `left_out` says what a catalog has no place for."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._tables = TableReader(document)
        self.tables = self._tables.tables
        self.left_out = [*document.left_out, *self._tables.left_out]

    def _leave(self, what: str, why: str, at: str) -> None:
        self.left_out.append(NotCarried(what=f"{at}: {what}", why=why))

    def relationships(self) -> tuple[Relationship, ...]:
        """Every join between datasets that became tables."""
        found = []
        for at, plain in self.document.parts("relationships"):
            what = f"relationship {plain.get('name')}"
            sides = [str(plain.get(side) or "").casefold() for side in ("from", "to")]
            names = [texts(plain, f"{side}_columns") for side in ("from", "to")]
            if not set(sides) <= set(self._tables.datasets):
                self._leave(what, "a dataset of it is not in the catalog", at)
            elif not names[0] or len(names[0]) != len(names[1]):
                self._leave(what, "from_columns and to_columns must list the same number of columns", at)
            else:
                found.append(self._relationship(plain, sides, names))
                self.left_out += unread(what, plain, at)
        return tuple(found)

    def _relationship(self, plain: Plain, sides: list[str], names: list[tuple[str, ...]]) -> Relationship:
        tables = [self._tables.datasets[side].table for side in sides]
        columns = [
            tuple(self._tables.physical(side, each) for each in own) for side, own in zip(sides, names, strict=True)
        ]
        for table, own in zip(tables, columns, strict=True):
            known = self.tables[table]
            new = tuple(Column(table=table, name=each) for each in own if known.column(each) is None)
            self.tables[table] = known.model_copy(update={"columns": (*known.columns, *new)})
        base: Plain = {
            "name": str(plain.get("name") or ""),
            "aliases": synonyms(plain),
            "cardinality": "one_to_one" if columns[0] in self._tables.unique[tables[0]] else "many_to_one",
        }
        ends = {"from_table": tables[0], "from_columns": columns[0], "to_table": tables[1], "to_columns": columns[1]}
        return extended(Relationship, base, extension(plain), ends, self.left_out)

    def metrics(self) -> tuple[Metric, ...]:
        """Every metric that can be said, with the parts it needs; one whose part cannot be said goes with it."""
        parts = list(self.document.parts("metrics"))
        formulas = Formulas(self._tables.datasets.values(), [str(plain.get("name")) for _, plain in parts])
        found: dict[str, Metric] = {}
        for at, plain in parts:
            name, written = str(plain.get("name") or ""), expression(plain)
            try:
                if written is None:
                    raise Impossible("it has no expression in a dialect of SQL")
                formula = formulas.read(name, written)
            except Impossible as reason:
                self._leave(f"metric {name}", str(reason), at)
                continue
            # what our own export remembers of a derived metric holds as long as nobody changed the expression
            own = extension(plain)
            if own.get("core") == written.text and own.get("expression"):
                formula = Formula(str(own["expression"]), str(own.get("table") or ""), tuple(own.get("filters") or ()))
            found |= {part: self._metric(part, each, {}) for part, each in formula.parts.items()}
            found[name] = self._metric(name, formula, plain)
            self.left_out += unread(f"metric {name}", plain, at)
        whole_ones, broken = whole(_shared(found))
        self.left_out += broken
        return tuple(whole_ones.values())

    def _metric(self, name: str, formula: Formula, plain: Plain) -> Metric:
        base: Plain = {
            "description": str(plain.get("description") or "").strip(),
            "aliases": synonyms(plain),
            "additivity": _additivity(formula.expression),
            "format": "integer" if str(plain.get("datatype")).casefold() == "integer" else "number",
        }
        fixed = {
            "name": name,
            "table": formula.table or None,
            "expression": formula.expression,
            "filters": formula.filters,
        }
        own = {key: value for key, value in extension(plain).items() if key != "core"}
        return extended(Metric, base, own, fixed, self.left_out)


def _finished(table: Table, links: tuple[Relationship, ...], metrics: tuple[Metric, ...]) -> Table:
    """The table with roles that follow from joins and metrics, where nothing says them."""
    refers = {name for link in links if link.from_table == table.name for name in link.from_columns}
    measured = {each for metric in metrics for each in _summed(metric)}
    columns = tuple(
        each.model_copy(update={"role": _role(each, table, refers, measured)}) if not _said(each) else each
        for each in table.columns
    )
    own: TableRole = "fact" if any(metric.table == table.name for metric in metrics) else "dim"
    role = table.role if "role" in table.model_fields_set else own
    times = [column.name for column in columns if column.role == "time"]
    dated = table.time_column or (times[0] if role == "fact" and len(times) == 1 else None)
    return table.model_copy(update={"columns": columns, "role": role, "time_column": dated})


def _undated(tables: tuple[Table, ...]) -> Iterator[NotCarried]:
    """Facts whose rows several columns could date: Ossie does not say which."""
    for table in tables:
        times = [column.name for column in table.columns if column.role == "time"]
        if table.role == "fact" and not table.time_column and times:
            yield NotCarried(what=f"time of table {table.name}", why=f"one of {', '.join(times)}: set `time_column`")


def _said(found: Column) -> bool:
    return "role" in found.model_fields_set


def _role(found: Column, table: Table, refers: set[str], measured: set[str]) -> ColumnRole:
    if table.primary_key == (found.name,):
        return "primary_key"
    if found.name in refers:
        return "foreign_key"
    return "measure" if found.id in measured else "dimension"


def _summed(metric: Metric) -> set[str]:
    if metric.derived:
        return set()
    tree = parse_one(f"SELECT {metric.expression}", read="mysql")
    return {
        f"{each.table}.{each.name}" for total in tree.find_all(exp.Sum, exp.Avg) for each in total.find_all(exp.Column)
    }


def _additivity(text: str) -> Additivity:
    return "non_additive" if any(sign in text.upper() for sign in ("{", "DISTINCT", "AVG(", "/")) else "additive"


def _shared(found: Mapping[str, Metric]) -> dict[str, Metric]:
    """Parts that are metrics of their own already are named instead of made anew."""
    known = {(m.expression, m.filters): name for name, m in found.items() if PART not in name}
    same = {
        name: known[m.expression, m.filters]
        for name, m in found.items()
        if PART in name and (m.expression, m.filters) in known
    }
    kept = {}
    for name, metric in found.items():
        if name in same:
            continue
        text = metric.expression
        for part, instead in same.items():
            text = text.replace(f"{{{part}}}", f"{{{instead}}}")
        kept[name] = metric.model_copy(update={"expression": text})
    return kept
