"""A catalog as a dbt project's YAML: models with tests, semantic models, metrics."""

import re
from typing import Any

import yaml

from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Table
from data_agent.exchange.result import Exported, NotCarried

ONE_AGGREGATE = re.compile(r"(SUM|COUNT|AVG|MIN|MAX)\(\s*(DISTINCT\s+)?(.+?)\s*\)", re.IGNORECASE)
RATIO = re.compile(r"\{(\w+)\}\s*/\s*\{(\w+)\}")
AGGREGATES = {"sum": "sum", "count": "count", "avg": "average", "min": "min", "max": "max"}
Plain = dict[str, Any]


def export_dbt(catalog: Catalog) -> Exported:
    """One YAML file of models and one of semantic models and metrics, to put under `models/`."""
    writer = _Writer(catalog)
    semantic: Plain = {"version": 2, "semantic_models": writer.semantic_models(), "metrics": writer.metrics()}
    files = {
        "models/schema.yml": _dumped({"version": 2, "models": [writer.model(table) for table in catalog.tables]}),
        "models/semantic_models.yml": _dumped(semantic),
        "dbt_project.yml": _dumped({"name": _plain_name(catalog.name), "version": "1.0.0", "config-version": 2}),
    }
    return Exported(files=files, left_out=tuple(writer.left_out))


def _dumped(plain: Plain) -> str:
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=120)


def _plain_name(name: str) -> str:
    return re.sub(r"\W", "_", name) or "shop"


class _Writer:
    """Writes one catalog; `left_out` says what dbt has no place for."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.left_out: list[NotCarried] = []
        self.measures: dict[str, list[Plain]] = {table.name: [] for table in catalog.tables}
        self._metrics = [metric for each in catalog.metrics if (metric := self._metric(each))]

    def model(self, table: Table) -> Plain:
        """A model with its columns and tests."""
        columns = []
        for column in table.columns:
            tests: list[Any] = ["unique"] if table.primary_key == (column.name,) else []
            tests += [] if column.nullable else ["not_null"]
            if column.labels or (column.examples and column.sync and len(column.examples) < 5):
                tests.append({"accepted_values": {"values": list(column.labels or column.examples)}})
            tests += self._references(table.name, column.name)
            plain = {"name": column.name, "description": column.description, "data_type": column.type}
            tags = {"tags": ["pii"]} if column.personal else {}
            columns.append({**plain, **tags, **({"data_tests": tests} if tests else {})})
        return {"name": table.name, "description": table.description, "columns": columns}

    def _references(self, table: str, column: str) -> list[Plain]:
        return [
            {"relationships": {"to": f"ref('{link.to_table}')", "field": link.to_columns[0]}}
            for link in self.catalog.relationships
            if (link.from_table, link.from_columns) == (table, (column,))
        ]

    def semantic_models(self) -> list[Plain]:
        """One for each table with a key of one column, or with measures."""
        found = []
        for table in self.catalog.tables:
            if len(table.primary_key) != 1 and not self.measures[table.name]:
                self._leave(f"table {table.name}", "a semantic model needs a key of one column")
                continue
            default = {"defaults": {"agg_time_dimension": table.time_column}} if table.time_column else {}
            plain = {"name": table.name, "model": f"ref('{table.name}')", "description": table.description, **default}
            own = {"entities": self._entities(table), "dimensions": self._dimensions(table)}
            found.append({**plain, **own, "measures": self.measures[table.name]})
        return found

    def _entities(self, table: Table) -> list[Plain]:
        key = table.primary_key[0] if len(table.primary_key) == 1 else None
        entities = [{"name": table.name, "type": "primary", "expr": key}] if key else []
        for link in self.catalog.relationships:
            target = self.catalog.table(link.to_table)
            if link.from_table == table.name and target and target.primary_key == link.to_columns:
                entities.append({"name": target.name, "type": "foreign", "expr": link.from_columns[0]})
            elif link.from_table == table.name:
                what = f"relationship {link.from_table} → {link.to_table}"
                self._leave(what, "it does not lead to a key of one column; the test carries it where it can")
        return list({entity["name"]: entity for entity in reversed(entities)}.values())[::-1]

    def _dimensions(self, table: Table) -> list[Plain]:
        found = []
        for column in table.columns:
            label = {"label": column.aliases[0]} if column.aliases else {}
            if column.role == "time":
                params = {"type_params": {"time_granularity": "day" if column.type == "date" else "second"}}
                found.append({"name": column.name, "type": "time", **label, **params})
            elif column.role in {"dimension", "text"}:
                found.append({"name": column.name, "type": "categorical", **label})
        return found

    def metrics(self) -> list[Plain]:
        """Every metric that dbt can say."""
        return self._metrics

    def _metric(self, metric: Metric) -> Plain | None:
        label = metric.aliases[0] if metric.aliases else metric.name
        plain: Plain = {"name": metric.name, "label": label, "description": metric.description}
        if metric.derived:
            return {**plain, **_derived(metric)}
        found = ONE_AGGREGATE.fullmatch(metric.expression.strip())
        home = self.catalog.table(metric.table or "")
        if not found or home is None or _aggregates(found[3]):
            self._leave(f"metric {metric.name}", "only one aggregate over one expression is a measure in dbt")
            return None
        filters = [self._filter(text) for text in metric.filters]
        if None in filters:
            self._leave(f"metric {metric.name}", "a filter names a column that no semantic model has as a dimension")
            return None
        self.measures[home.name].append(self._measure(metric, home, found))
        where = {"filter": filters} if filters else {}
        return {**plain, "type": "simple", "type_params": {"measure": metric.name}, **where}

    def _measure(self, metric: Metric, home: Table, found: re.Match[str]) -> Plain:
        agg = "count_distinct" if found[2] else AGGREGATES[found[1].casefold()]
        expr = "1" if found[3] == "*" else re.sub(rf"\b{re.escape(home.name)}\.", "", found[3])
        owner, _, time = (metric.time_column or "").rpartition(".")
        if time and owner != home.name:
            self._leave(f"time of metric {metric.name}", f"`{metric.time_column}` is a column of another table")
            time = ""
        timed = {"agg_time_dimension": time} if time and time != home.time_column else {}
        frozen = (
            {"non_additive_dimension": {"name": time or home.time_column, "window_choice": "max"}}
            if metric.additivity == "semi_additive"
            else {}
        )
        return {"name": metric.name, "agg": agg, "expr": expr, **timed, **frozen}

    def _filter(self, text: str) -> str | None:
        """The condition with its columns as dbt's dimensions; None when one is not to be had."""
        missing = False

        def column(match: re.Match[str]) -> str:
            nonlocal missing
            table = self.catalog.table(match[1])
            found = table.column(match[2]) if table else None
            keyed = table is not None and len(table.primary_key) == 1
            missing = missing or not keyed or found is None or found.role not in {"dimension", "text"}
            return f"{{{{ Dimension('{match[1]}__{match[2]}') }}}}"

        written = re.sub(r"\b(\w+)\.(\w+)\b", column, text)
        return None if missing else written

    def _leave(self, what: str, why: str) -> None:
        self.left_out.append(NotCarried(what=what, why=why))


def _derived(metric: Metric) -> Plain:
    ratio = RATIO.fullmatch(metric.expression.strip())
    if ratio and metric.format == "percent":
        return {"type": "ratio", "type_params": {"numerator": ratio[1], "denominator": ratio[2]}}
    parts = list(dict.fromkeys(re.findall(r"\{(\w+)\}", metric.expression)))
    expr = re.sub(r"\{(\w+)\}", r"\1", metric.expression)
    return {"type": "derived", "type_params": {"expr": expr, "metrics": [{"name": part} for part in parts]}}


def _aggregates(text: str) -> bool:
    return bool(re.search(r"\b(SUM|COUNT|AVG|MIN|MAX)\(", text, re.IGNORECASE)) or text.count("(") != text.count(")")
