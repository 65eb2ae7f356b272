"""Semantic models, whichever version wrote them, in one form."""

import re
from dataclasses import dataclass, field
from typing import Any

from data_agent.exchange.dbt.project import Plain, Project

NAME = re.compile(r"[A-Za-z_\u4e00-\u9fff][\w]*")
REF = re.compile(r"ref\(\s*(?:['\"][^'\"]+['\"]\s*,\s*)?['\"]([^'\"]+)['\"]")


@dataclass(frozen=True)
class Measure:
    """An aggregate over an expression of its model. `frozen_over` names the time it must not be summed over."""

    name: str
    agg: str
    expr: str
    table: str
    time: str | None
    description: str = ""
    label: str = ""
    frozen_over: str = ""


@dataclass(frozen=True)
class SemanticModel:
    """One semantic model: `model` is the dbt model it describes, `table` that model's name in the database."""

    name: str
    model: str
    table: str
    description: str = ""
    label: str = ""
    primary: str | None = None
    primary_entity: str = ""
    time: str | None = None
    keys: dict[str, str] = field(default_factory=dict)
    foreign: dict[str, str] = field(default_factory=dict)
    dimensions: dict[str, str] = field(default_factory=dict)
    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    times: frozenset[str] = frozenset()
    measures: dict[str, Measure] = field(default_factory=dict)

    @property
    def columns(self) -> list[str]:
        """Every plain column that is named."""
        named = [*self.keys.values(), *self.foreign.values(), *self.dimensions.values()]
        named += [measure.expr for measure in self.measures.values()]
        return list(dict.fromkeys(name for name in named if NAME.fullmatch(name)))

    def described(self, column: str) -> tuple[str, str]:
        """Label and description of a column."""
        return self.texts.get(column, ("", ""))


def semantic_models(project: Project) -> list[SemanticModel]:
    """Every semantic model of a project."""
    aliases = {str(model.get("name")): str(model.get("alias") or model.get("name")) for model in project.models}
    return [_model(plain, aliases) for plain in project.semantic_models]


def _model(plain: Plain, aliases: dict[str, str]) -> SemanticModel:
    named = _named_model(plain)
    model = named if named in aliases else next((name for name, alias in aliases.items() if alias == named), named)
    table = aliases.get(model, str((plain.get("node_relation") or {}).get("alias") or model))
    entities = [each for each in plain.get("entities") or () if isinstance(each, dict)]
    dimensions = [each for each in plain.get("dimensions") or () if isinstance(each, dict)]
    primary = next((each for each in entities if each.get("type") == "primary"), None)
    expr_of = {str(d["name"]): _expr(d) for d in dimensions}
    given = (plain.get("defaults") or {}).get("agg_time_dimension") or ""
    time = expr_of.get(str(given))
    measures = [_measure(m, table, expr_of, time) for m in plain.get("measures") or () if isinstance(m, dict)]
    return SemanticModel(
        name=str(plain.get("name", model)),
        model=model,
        table=table,
        description=str(plain.get("description") or ""),
        label=str(plain.get("label") or ""),
        primary=_expr(primary) if primary else None,
        primary_entity=str((primary or {}).get("name") or plain.get("primary_entity") or ""),
        time=time if time and NAME.fullmatch(time) else None,
        keys={str(e["name"]): _expr(e) for e in entities if e.get("type") in {"primary", "unique", "natural"}},
        foreign={str(e["name"]): _expr(e) for e in entities if e.get("type") == "foreign"},
        dimensions=expr_of,
        texts={_expr(d): (str(d.get("label") or ""), str(d.get("description") or "")) for d in dimensions},
        times=frozenset(_expr(d) for d in dimensions if d.get("type") == "time"),
        measures={measure.name: measure for measure in measures},
    )


def _named_model(plain: Plain) -> str:
    found = REF.search(str(plain.get("model") or ""))
    if found:
        return found[1]
    depends = (plain.get("depends_on") or {}).get("nodes") or ()
    relation = plain.get("node_relation") or {}
    return str(depends[0]).rpartition(".")[2] if depends else str(relation.get("alias") or plain.get("name"))


def _expr(plain: Plain) -> str:
    return str(plain.get("expr") or plain.get("name"))


def _measure(plain: Plain, table: str, times: dict[str, str], default: str | None) -> Measure:
    own: Any = plain.get("agg_time_dimension")
    frozen = plain.get("non_additive_dimension") or {}
    return Measure(
        name=str(plain["name"]),
        agg=str(plain.get("agg") or "").casefold(),
        expr=_expr(plain),
        table=table,
        time=times.get(str(own)) if own else default,
        description=str(plain.get("description") or ""),
        label=str(plain.get("label") or ""),
        frozen_over=str(frozen.get("name") or ""),
    )
