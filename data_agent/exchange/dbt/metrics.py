"""dbt metrics as catalog metrics, as far as one definition can say the same; the rest is listed with its reason."""

import re
from collections.abc import Callable, Iterable

from data_agent.domain.metric import Additivity, Metric, NumberFormat
from data_agent.domain.schema import Table
from data_agent.exchange.dbt.project import Plain
from data_agent.exchange.dbt.semantic import NAME, Measure, SemanticModel
from data_agent.exchange.result import NotCarried
from data_agent.exchange.whole import whole

AGGREGATES = {
    "sum": "SUM({})",
    "count": "COUNT({})",
    "count_distinct": "COUNT(DISTINCT {})",
    "average": "AVG({})",
    "avg": "AVG({})",
    "min": "MIN({})",
    "max": "MAX({})",
    "sum_boolean": "SUM(CASE WHEN {} THEN 1 ELSE 0 END)",
}
DIMENSION = re.compile(r"\{\{\s*(?:Dimension|Entity)\(\s*['\"]([\w.]+)['\"]\s*\)\s*\}\}")
REF = re.compile(r"ref\(\s*['\"]([^'\"]+)['\"]")
OLD_PART = re.compile(r"\{\{\s*metric\(\s*['\"](\w+)['\"]\s*\)\s*\}\}")
WORD = re.compile(r"(?<![\w.'\"`])([A-Za-z_]\w*)(?!\s*\(|[\w.'\"`])")
SQL_WORDS = frozenset(
    [
        "case",
        "when",
        "then",
        "else",
        "end",
        "and",
        "or",
        "not",
        "null",
        "is",
        "in",
        "like",
        "between",
        "as",
        "distinct",
        "true",
        "false",
        "interval",
        "date",
        "cast",
    ]
)


class Impossible(ValueError):
    """Why a metric cannot be carried over."""


class MetricReader:
    """Reads the metrics of one project; `left_out` says which could not be read and why."""

    def __init__(self, metrics: Iterable[Plain], semantics: list[SemanticModel], tables: dict[str, Table]) -> None:
        self.plain = {str(metric.get("name")): metric for metric in metrics if metric.get("name")}
        self.semantics = semantics
        self.tables = tables
        self.measures = {name: measure for model in semantics for name, measure in model.measures.items()}
        self.left_out: list[NotCarried] = []

    def metrics(self) -> tuple[Metric, ...]:
        """Every metric that can be said; one whose part cannot be said goes with it."""
        found: dict[str, Metric] = {}
        for name, plain in self.plain.items():
            try:
                found[name] = self._metric(name, plain)
            except Impossible as reason:
                self._leave(name, str(reason))
        for metric in self._unused_measures(found):
            found[metric.name] = metric
        kept, broken = whole(found)
        self.left_out += broken
        return tuple(kept.values())

    def _leave(self, name: str, why: str) -> None:
        self.left_out.append(NotCarried(what=f"metric {name}", why=why))

    def _metric(self, name: str, plain: Plain) -> Metric:
        if "calculation_method" in plain:
            return self._old(name, plain)
        kind = str(plain.get("type") or "").casefold()
        readers: dict[str, Callable[[str, Plain, Plain], Metric]] = {
            "simple": self._simple,
            "ratio": self._ratio,
            "derived": self._derived,
        }
        if kind == "cumulative":
            raise Impossible(
                "a running total is asked for in the question (累计, running total), not defined as a metric"
            )
        if kind == "conversion":
            raise Impossible("a conversion follows rows over time, which one aggregate cannot")
        if kind not in readers:
            raise Impossible(f"unknown metric type `{kind or '?'}`")
        return readers[kind](name, plain, plain.get("type_params") or {})

    def _base(self, name: str, plain: Plain, **fields: object) -> Metric:
        label = str(plain.get("label") or "")
        aliases = (label,) if label and label.casefold() != name.casefold() else ()
        return Metric.model_validate(
            {"name": name, "description": str(plain.get("description") or "").strip(), "aliases": aliases, **fields}
        )

    def _simple(self, name: str, plain: Plain, params: Plain) -> Metric:
        given = params.get("measure")
        inline = params.get("metric_aggregation_params") or ({"agg": plain["agg"]} if plain.get("agg") else None)
        if given:
            measure = self._measure(given)
            filters = [*_wheres(plain), *(_wheres(given) if isinstance(given, dict) else ())]
        elif inline:
            measure = self._inline(name, {**plain, **params}, inline)
            filters = _wheres(plain)
        else:
            raise Impossible("it names no measure")
        return self._of_measure(name, plain, measure, filters)

    def _of_measure(self, name: str, plain: Plain, measure: Measure, filters: Iterable[str]) -> Metric:
        additivity: Additivity = "semi_additive" if measure.frozen_over else _additivity(measure.agg)
        return self._base(
            name,
            {"label": measure.label, "description": measure.description, **_given(plain)},
            table=measure.table,
            expression=self._expression(measure),
            filters=tuple(self._filter(text) for text in filters),
            time_column=f"{measure.table}.{measure.time}" if measure.time and NAME.fullmatch(measure.time) else None,
            additivity=additivity,
            format=_format(measure.agg),
        )

    def _measure(self, given: object) -> Measure:
        wanted = str(given.get("name") if isinstance(given, dict) else given)
        if wanted not in self.measures:
            raise Impossible(f"there is no measure `{wanted}`")
        return self.measures[wanted]

    def _inline(self, name: str, params: Plain, inline: Plain) -> Measure:
        """The newest form: a simple metric carries its own aggregate."""
        wanted = inline.get("semantic_model") or params.get("semantic_model")
        model = next((m for m in self.semantics if wanted in {m.name, m.model}), None)
        if model is None:
            raise Impossible(f"there is no semantic model `{wanted}`")
        time = model.dimensions.get(str(inline.get("agg_time_dimension") or ""), model.time or "")
        frozen = inline.get("non_additive_dimension") or {}
        return Measure(
            name=name,
            agg=str(inline.get("agg") or ""),
            expr=str(inline.get("expr") or params.get("expr") or name),
            table=model.table,
            time=time or None,
            frozen_over=str(frozen.get("name") or ""),
        )

    def _expression(self, measure: Measure) -> str:
        if measure.agg not in AGGREGATES:
            raise Impossible(f"the aggregate `{measure.agg or '?'}` has no counterpart")
        if measure.agg == "count" and measure.expr.strip() in {"1", "*"}:
            return "COUNT(*)"
        return AGGREGATES[measure.agg].format(qualified(measure.expr, measure.table, self.tables))

    def _filter(self, text: str) -> str:
        def column(match: re.Match[str]) -> str:
            entity, _, name = match[1].rpartition("__")
            for model in self.semantics:
                owner = entity.rpartition("__")[2] in {model.primary_entity, model.name} or not entity
                expr = model.dimensions.get(name) or model.foreign.get(name) or model.keys.get(name)
                if owner and expr:
                    return qualified(expr, model.table, self.tables)
            raise Impossible(f"its filter names `{match[1]}`, which no semantic model has")

        found = DIMENSION.sub(column, text).strip()
        if "{{" in found or "{%" in found:
            raise Impossible(f"its filter `{text.strip()}` is more than a condition on dimensions")
        return found

    def _ratio(self, name: str, plain: Plain, params: Plain) -> Metric:
        if _wheres(plain):
            raise Impossible("a ratio with a filter of its own; give the filter to its parts")
        above, below = (self._part(params.get(side)) for side in ("numerator", "denominator"))
        return self._base(
            name, plain, expression=f"{{{above}}} / {{{below}}}", additivity="non_additive", format="percent"
        )

    def _derived(self, name: str, plain: Plain, params: Plain) -> Metric:
        if _wheres(plain):
            raise Impossible("a derived metric with a filter of its own; give the filter to its parts")
        parts = {}
        for given in params.get("metrics") or params.get("input_metrics") or ():
            part = self._part(given)
            parts[str(given.get("alias") or part) if isinstance(given, dict) else part] = part
        expr = str(params.get("expr") or plain.get("expr") or "")
        unknown = [word for word in WORD.findall(expr) if word not in parts and word.casefold() not in SQL_WORDS]
        if not expr or unknown:
            raise Impossible(f"its expression names `{unknown[0]}`" if unknown else "it has no expression")
        text = WORD.sub(lambda match: f"{{{parts[match[1]]}}}" if match[1] in parts else match[1], expr)
        return self._base(name, plain, expression=text, additivity="non_additive")

    def _part(self, given: object) -> str:
        """The name of a metric that another one stands on."""
        plain: Plain = given if isinstance(given, dict) else {"name": given}
        if plain.get("offset_window") or plain.get("offset_to_grain"):
            raise Impossible("a part shifted in time is asked for in the question (同比, vs last year)")
        if _wheres(plain):
            raise Impossible("a part with a filter of its own; make that part a metric")
        return str(plain.get("name") or "")

    def _old(self, name: str, plain: Plain) -> Metric:
        """Metrics of dbt_metrics, before semantic models."""
        method, expression = str(plain["calculation_method"]), str(plain.get("expression") or "")
        if plain.get("window"):
            raise Impossible("a window is asked for in the question (近7天), not defined as a metric")
        if method in {"derived", "expression"}:
            return self._base(name, plain, expression=OLD_PART.sub(r"{\1}", expression), additivity="non_additive")
        model = REF.search(str(plain.get("model") or ""))
        table = self.tables.get(model[1]) if model else None
        if table is None:
            raise Impossible("its model is not in the project")
        time = str(plain.get("timestamp") or "") or None
        measure = Measure(name=name, agg=method, expr=expression, table=table.name, time=time)
        filters = [f"{each['field']} {each['operator']} {each['value']}" for each in plain.get("filters") or ()]
        return self._of_measure(name, plain, measure, [qualified(text, table.name, self.tables) for text in filters])

    def _unused_measures(self, found: dict[str, Metric]) -> list[Metric]:
        """Measures that dbt makes metrics of by itself, or that ratios name directly."""
        wanted = {part for metric in found.values() for part in re.findall(r"\{(\w+)\}", metric.expression)}
        made = []
        for name in sorted(wanted - set(found) - set(self.plain)):
            if name in self.measures:
                try:
                    made.append(self._of_measure(name, {}, self.measures[name], ()))
                except Impossible as reason:
                    self._leave(name, str(reason))
        return made


def qualified(expr: str, table: str, tables: dict[str, Table]) -> str:
    """The expression with its bare columns as `table.column`."""
    known = next((each for each in tables.values() if each.name == table), None)
    text = re.sub(rf"\b{re.escape(table)}\.", "", expr)

    def column(match: re.Match[str]) -> str:
        word = match[1]
        if word.casefold() in SQL_WORDS or (known is not None and known.column(word) is None):
            return word
        return f"{table}.{word}"

    return WORD.sub(column, text)


def _wheres(plain: Plain) -> list[str]:
    """Filters as texts, in either form: a string, a list of them, or parsed `where_filters`."""
    given = plain.get("filter")
    if isinstance(given, dict):
        given = [each.get("where_sql_template", "") for each in given.get("where_filters") or ()]
    return [given] if isinstance(given, str) else [str(each) for each in given or ()]


def _given(plain: Plain) -> Plain:
    return {key: plain[key] for key in ("label", "description") if plain.get(key)}


def _additivity(agg: str) -> Additivity:
    return "additive" if agg in {"sum", "count", "sum_boolean"} else "non_additive"


def _format(agg: str) -> NumberFormat:
    return "integer" if agg in {"count", "count_distinct", "sum_boolean"} else "number"
