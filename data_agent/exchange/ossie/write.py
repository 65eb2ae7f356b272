"""A catalog as an Ossie core model. What the core has no place for goes into our extension, and is told."""

import json
from typing import Any

import sqlglot
import yaml
from pydantic import BaseModel
from sqlglot import exp

from data_agent.catalog.formula import BRACES
from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Relationship, Table
from data_agent.exchange.ossie.document import VENDOR, Plain
from data_agent.exchange.result import Exported, NotCarried

VERSION = "0.2.0.dev0"
DATATYPES = {
    "text": "String",
    "integer": "Integer",
    "decimal": "Decimal",
    "float": "Float",
    "boolean": "Boolean",
    "date": "Date",
    "datetime": "DateTime",
    "time": "Time",
}
LOST = "only our extension carries it: another tool would"
PART = "part__"


def export_ossie(catalog: Catalog) -> Exported:
    """One YAML document with one semantic model."""
    writer = _Writer(catalog)
    model: Plain = {
        "name": catalog.name,
        "datasets": [writer.dataset(table) for table in catalog.tables],
        "relationships": [plain for link in catalog.relationships if (plain := writer.relationship(link))],
        "metrics": [plain for metric in catalog.metrics if (plain := writer.metric(metric))],
        **_extension(_rest(catalog, "name", "version", "tables", "relationships", "metrics")),
    }
    document = {"version": VERSION, "semantic_model": [{key: value for key, value in model.items() if value}]}
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=120)
    return Exported(files={f"{catalog.name}.ossie.yaml": text}, left_out=tuple(writer.left_out))


def _rest(model: BaseModel, *carried: str, **always: Any) -> Plain:
    """What of a part is not at its default and not carried by the core."""
    return {**always, **model.model_dump(mode="json", exclude_defaults=True, exclude=set(carried))}


def _extension(data: Plain) -> Plain:
    text = json.dumps(data, ensure_ascii=False)
    return {"custom_extensions": [{"vendor_name": VENDOR, "data": text}]} if data else {}


def _described(part: Table | Column | Metric) -> Plain:
    context = {"ai_context": {"synonyms": list(part.aliases)}} if part.aliases else {}
    return {**({"description": part.description} if part.description else {}), **context}


def _expression(text: str) -> Plain:
    return {"expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": text}]}}


def _quoted(name: str) -> str:
    return exp.to_identifier(name, quoted=not name.isascii() or not name.isidentifier()).sql()


class _Writer:
    """Writes one catalog; `left_out` says what another tool will not see."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.left_out: list[NotCarried] = []

    def _leave(self, what: str, why: str) -> None:
        self.left_out.append(NotCarried(what=what, why=why))

    def dataset(self, table: Table) -> Plain:
        """A table with its columns as fields."""
        keys = {"primary_key": list(table.primary_key)} if table.primary_key else {}
        fields = [self._field(column) for column in table.columns]
        rest = _rest(table, "name", "description", "aliases", "columns", "primary_key", role=table.role)
        plain = {"name": table.name, "source": _quoted(table.name), **keys, **_described(table), "fields": fields}
        return {key: value for key, value in {**plain, **_extension(rest)}.items() if value}

    def _field(self, column: Column) -> Plain:
        dimension = {"dimension": {"is_time": column.role == "time"}} if column.role != "measure" else {}
        known = DATATYPES.get(column.type)
        carried = ("table", "name", "description", "aliases", *(["type"] if known else ()))
        return {
            "name": column.name,
            **_expression(_quoted(column.name)),
            "datatype": known or "Opaque",
            **dimension,
            **_described(column),
            **_extension(_rest(column, *carried, role=column.role)),
        }

    def relationship(self, link: Relationship) -> Plain | None:
        """A join from its many side to its one side."""
        if link.cardinality == "many_to_many":
            why = "Ossie joins many to one only; model the table between as a dataset"
            self._leave(f"relationship {link.from_table} → {link.to_table}", why)
            return None
        turned = link.reversed() if link.cardinality == "one_to_many" else link
        name = link.name or f"{turned.from_table}_{'_'.join(turned.from_columns)}_to_{turned.to_table}"
        ends = ("from_table", "from_columns", "to_table", "to_columns", "aliases", "cardinality")
        return {
            "name": name,
            "from": turned.from_table,
            "to": turned.to_table,
            "from_columns": list(turned.from_columns),
            "to_columns": list(turned.to_columns),
            **({"ai_context": {"synonyms": list(link.aliases)}} if link.aliases else {}),
            **_extension(_rest(turned, *ends, name=link.name, cardinality=turned.cardinality)),
        }

    def metric(self, metric: Metric) -> Plain | None:
        """A metric with its conditions inside its aggregates, and its parts written out."""
        if not metric.expression:
            self._leave(f"metric {metric.name}", "it has no expression")
            return None
        core = self._core(metric).sql()
        if metric.additivity == "semi_additive":
            self._leave(f"last value of metric {metric.name}", f"{LOST} add it up over time")
        if metric.time_column:
            self._leave(f"time of metric {metric.name}", f"{LOST} not know that `{metric.time_column}` dates it")
        carried = ("name", "description", "aliases", "relevant_columns")
        return {
            "name": metric.name,
            **_expression(core),
            **_described(metric),
            "datatype": "Integer" if metric.format == "integer" else "Decimal",
            **_extension(_rest(metric, *carried, additivity=metric.additivity, format=metric.format, core=core)),
        }

    def _core(self, metric: Metric) -> exp.Expr:
        """One expression for everything; a division by zero is nothing, as it is here."""
        # parsed as MySQL's, a quotient is written with NULLIF for databases that would fail
        return self._with_parts(metric) if metric.derived else _filtered(_tree(metric.expression), metric.filters)

    def _with_parts(self, metric: Metric) -> exp.Expr:
        tree = _tree(BRACES.sub(lambda found: f"{PART}{found[1].strip()}", metric.expression))
        for node in list(tree.find_all(exp.Column)):
            part = self.catalog.metric(node.name.removeprefix(PART))
            if part and node is tree:
                return self._core(part)
            if part:
                node.replace(exp.paren(self._core(part)))
        return tree


def _tree(text: str) -> exp.Expr:
    found: exp.Expr = sqlglot.parse_one(f"SELECT {text}", read="mysql").expressions[0].pop()
    return found


def _filtered(tree: exp.Expr, filters: tuple[str, ...]) -> exp.Expr:
    """Every aggregate over the rows that the conditions keep, and no others."""
    if not filters:
        return tree
    condition = exp.and_(*(_tree(text) for text in filters), copy=True)
    for aggregate in list(tree.find_all(exp.AggFunc)):
        inner = aggregate.this
        held = inner.expressions[0] if isinstance(inner, exp.Distinct) else inner
        value = exp.Literal.number(1) if isinstance(held, exp.Star) else held.copy()
        held.replace(exp.Case(ifs=[exp.If(this=condition.copy(), true=value)]))
    return tree
