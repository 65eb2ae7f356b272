"""A dbt project as a catalog: models are tables, tests are keys and values, semantic models give roles and measures."""

import re
from pathlib import Path
from typing import Any

from data_agent.catalog.dump import content_hash
from data_agent.catalog.kinds import kind_of
from data_agent.catalog.models import TYPES
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, ColumnRole, Relationship, Table, TableRole
from data_agent.errors import CatalogInvalid
from data_agent.exchange.dbt.metrics import MetricReader
from data_agent.exchange.dbt.project import Plain, Project, columns_of
from data_agent.exchange.dbt.semantic import SemanticModel, semantic_models
from data_agent.exchange.dbt.sources import read_project
from data_agent.exchange.result import Imported, NotCarried

REF = re.compile(r"(?:ref|source)\(\s*(?:['\"][^'\"]+['\"]\s*,\s*)?['\"]([^'\"]+)['\"]")


def import_dbt(path: Path, name: str = "") -> Imported:
    """Read a dbt project folder or manifest.

    Raises:
        CatalogInvalid: nothing there can be read, or it holds no models.
    """
    project = read_project(path)
    semantics = semantic_models(project)
    left_out = [*project.left_out]
    by_model = _tables(project, semantics, left_out)
    tables = tuple(by_model.values())
    if not tables:
        raise CatalogInvalid([f"{path}: holds no models"], hint="is it the right folder? run `dbt parse` first")
    reader = MetricReader(project.metrics, semantics, by_model)
    metrics = reader.metrics()
    measured = {metric.table for metric in metrics}
    catalog = Catalog(
        name=name or project.name,
        version="",
        tables=tuple(t.model_copy(update={"role": "fact"}) if t.name in measured else t for t in tables),
        metrics=metrics,
        relationships=_relationships(project, semantics, tables, left_out),
    )
    catalog = catalog.model_copy(update={"version": content_hash(catalog)})
    return Imported(catalog=catalog, left_out=(*left_out, *reader.left_out))


def _tables(project: Project, semantics: list[SemanticModel], left_out: list[NotCarried]) -> dict[str, Table]:
    by_model = {model.model: model for model in semantics}
    found: dict[str, Table] = {}
    for model in project.models:
        named = str(model.get("name") or "")
        if not named or (not columns_of(model) and named not in by_model):
            left_out.append(NotCarried(what=f"model {named or '?'}", why="it lists no columns"))
            continue
        found[named] = _table(named, model, by_model.get(named), project.tests)
    for semantic in semantics:
        if semantic.model not in found:
            found[semantic.model] = _table(semantic.model, {}, semantic, project.tests)
    return found


def alias_of(name: str, model: Plain) -> str:
    """The name in the database."""
    return str(model.get("alias") or name)


def _table(name: str, model: Plain, semantic: SemanticModel | None, tests: tuple[Plain, ...]) -> Table:
    own = [test for test in tests if test["model"] == name and test["column"]]
    plain = {str(c.get("name")): c for c in columns_of(model)}
    names = dict.fromkeys([*plain, *(semantic.columns if semantic else ())])
    keys = _keys(own, semantic)
    table = alias_of(name, model)
    columns = tuple(_column(table, column, plain.get(column, {}), semantic, own, keys) for column in names)
    return Table(
        name=table,
        role=_role(semantic),
        description=str(model.get("description") or (semantic.description if semantic else "") or "").strip(),
        aliases=(semantic.label,) if semantic and semantic.label else (),
        columns=columns,
        primary_key=keys,
        time_column=semantic.time if semantic and semantic.time in names else None,
    )


def _role(semantic: SemanticModel | None) -> TableRole:
    return "fact" if semantic and semantic.measures else "dim"


def _keys(tests: list[Plain], semantic: SemanticModel | None) -> tuple[str, ...]:
    """The primary entity, else the first column that is tested unique and not null."""
    if semantic and semantic.primary:
        return (semantic.primary,)
    unique = [test["column"] for test in tests if test["kind"] == "unique"]
    filled = {test["column"] for test in tests if test["kind"] == "not_null"}
    return next(((column,) for column in unique if column in filled), ())


def _column(  # noqa: PLR0917  everything that is said of it, from five places
    table: str, name: str, plain: Plain, semantic: SemanticModel | None, tests: list[Plain], keys: tuple[str, ...]
) -> Column:
    own = {test["kind"]: test["arguments"] for test in tests if test["column"] == name}
    kind = kind_of(str(plain.get("data_type") or "")) or ("datetime" if semantic and name in semantic.times else "text")
    values = tuple(str(value) for value in own.get("accepted_values", {}).get("values", ()))
    label, description = semantic.described(name) if semantic else ("", "")
    return Column(
        table=table,
        name=name,
        type=kind if kind in set(TYPES.values()) else "text",
        role=_column_role(name, kind, semantic, own, keys),
        description=str(plain.get("description") or description or "").strip(),
        aliases=(label,) if label and label != name else (),
        examples=values,
        sync=bool(values) and kind == "text",
        personal=bool({"pii", "personal"} & {str(tag).casefold() for tag in _tags(plain)}),
        nullable="not_null" not in own and name not in keys,
    )


def _tags(plain: Plain) -> list[Any]:
    meta = plain.get("meta") or plain.get("config", {}).get("meta") or {}
    flagged = [key for key, value in meta.items() if value is True] if isinstance(meta, dict) else []
    return [*(plain.get("tags") or ()), *flagged]


def _column_role(
    name: str, kind: str, semantic: SemanticModel | None, tests: Plain, keys: tuple[str, ...]
) -> ColumnRole:
    if keys == (name,):
        return "primary_key"
    if "relationships" in tests or (semantic and name in semantic.foreign.values()):
        return "foreign_key"
    if kind in {"date", "datetime"} or (semantic and name in semantic.times):
        return "time"
    measured = semantic and any(measure.expr == name for measure in semantic.measures.values())
    return "measure" if kind in {"decimal", "float"} or measured else "dimension"


def _relationships(
    project: Project, semantics: list[SemanticModel], tables: tuple[Table, ...], left_out: list[NotCarried]
) -> tuple[Relationship, ...]:
    aliases = {str(model.get("name")): alias_of(str(model.get("name")), model) for model in project.models}
    by_name = {table.name: table for table in tables}
    found: dict[tuple[str, str, str, str], None] = {}
    for test in project.tests:
        if test["kind"] != "relationships":
            continue
        to = REF.search(str(test["arguments"].get("to", "")))
        ends = (str(test["model"]), str(test["column"]), to[1] if to else "", str(test["arguments"].get("field", "")))
        left, right = aliases.get(ends[0], ends[0]), aliases.get(ends[2], ends[2])
        if left in by_name and right in by_name and by_name[right].column(ends[3]) and by_name[left].column(ends[1]):
            found[left, ends[1], right, ends[3]] = None
        else:
            what = f"relationships test of {ends[0]}.{ends[1]}"
            left_out.append(NotCarried(what=what, why=f"`{ends[2]}.{ends[3]}` is no column of a model"))
    for one in semantics:
        for entity, column in one.foreign.items():
            for other in semantics:
                key = other.keys.get(entity)
                if key and other is not one:
                    ends = (aliases.get(one.model, one.model), column, aliases.get(other.model, other.model), key)
                    found[ends] = None
    return tuple(
        Relationship(from_table=a, from_columns=(b,), to_table=c, to_columns=(d,), cardinality="many_to_one")
        for a, b, c, d in found
    )
