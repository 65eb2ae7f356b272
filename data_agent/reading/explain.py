"""What we took the question to mean, in one or two plain sentences, in the asker's language."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta

from data_agent.domain.catalog import Catalog
from data_agent.domain.language import Language
from data_agent.domain.reading import ReadDimension, ReadFilter, ReadHaving, Reading, ReadMetric, Scalar
from data_agent.reading.phrases import EN, ZH


def explain(reading: Reading, catalog: Catalog, language: Language | None = None) -> str:
    """销售额，按大区分组，2025-01-01 至 2025-03-31 / "revenue, by region, 2025-01-01 to 2025-03-31"."""
    told = _Told(reading, catalog, language or reading.language)
    parts = [part for tell in _ORDER if (part := tell(told))]
    if not parts:
        return told.say["nothing"]
    sentence = told.say["joiner"].join(parts) + told.say["stop"]
    return sentence + told.left()


class _Told:
    """One reading in one language."""

    def __init__(self, reading: Reading, catalog: Catalog, language: Language) -> None:
        self.reading, self.catalog, self.language = reading, catalog, language
        self.say: Mapping[str, str] = ZH if language == "zh" else EN

    def metric(self, metric: ReadMetric) -> str:
        if metric.metric:
            known = self.catalog.metric(metric.metric)
            name = known.label(self.language) if known else metric.metric
        else:
            name = self.say[metric.aggregate or "count"].format(self.column(metric.column or ""))
        return self.say["per"].format(self.dimension(metric.per), name) if metric.per else name

    def column(self, column_id: str) -> str:
        table_name, _, name = column_id.rpartition(".")
        table = self.catalog.table(table_name)
        if table is None:
            return column_id
        if name in {"*", table.label_column}:
            column = table.column(name)
            return column.label(self.language) if column and column.aliases else table.label(self.language)
        column = table.column(name)
        return column.label(self.language) if column else column_id

    def dimension(self, place: ReadDimension) -> str:
        if place.grain and not place.column:
            return self.say[place.grain]
        name = self.column(place.column)
        return f"{name} ({self.say[place.grain]})" if place.grain else name

    def value(self, condition: ReadFilter, value: Scalar) -> str:
        column = self.catalog.column(condition.column)
        return column.labels.get(str(value), str(value)) if column else str(value)

    def numbers(self) -> str:
        names = self.say["and"].join(self.metric(metric) for metric in self.reading.metrics if not metric.hidden)
        return self.say["share"].format(names) if self.reading.share and names else names

    def groups(self) -> str:
        names = self.say["and"].join(self.dimension(place) for place in self.reading.dimensions if not place.hidden)
        counted = any(not metric.hidden for metric in self.reading.metrics)
        return (self.say["by"] if counted else self.say["list"]).format(names) if names else ""

    def conditions(self) -> str:
        return self.say["and"].join(
            self.condition(condition) for condition in self.reading.filters if _is_told(condition)
        )

    def condition(self, condition: ReadFilter) -> str:
        values = self.say["or"].join(self.value(condition, value) for value in condition.values)
        if condition.operator == "between":
            values = self.say["to"].format(*condition.values)
        return self.say[condition.operator].format(self.column(condition.column), values)

    def limits(self) -> str:
        return self.say["and"].join(self.having(having) for having in self.reading.having)

    def having(self, having: ReadHaving) -> str:
        shown = [f"{value:,.10g}" for value in having.values]
        values = self.say["to"].format(*shown) if having.operator == "between" else shown[0]
        return self.say[having.operator].format(self.metric(self.reading.metrics[having.metric]), values)

    def times(self) -> str:
        return self.say["and"].join(_range(time.range.start, time.range.end, self.say) for time in self.reading.times)

    def order(self) -> str:
        if not self.reading.order:
            return ""
        first = self.reading.order[0]
        name = self.metric(self.reading.metrics[first.metric]) if first.metric is not None else ""
        if first.column:
            name = self.column(first.column)
        if first.dimension is not None:
            name = self.dimension(self.reading.dimensions[first.dimension])
        if self.reading.limit is None:
            return self.say["sorted_down" if first.descending else "sorted_up"].format(name)
        text = self.say["top" if first.descending else "bottom"].format(name, self.reading.limit)
        groups = [self.dimension(self.reading.dimensions[index]) for index in self.reading.limit_per]
        return self.say["within"].format(self.say["and"].join(groups), text) if groups else text

    def changes(self) -> str:
        flags = [self.say[name] for name in ("running", "fill", "yes_no") if getattr(self.reading, name)]
        if self.reading.comparison != "none":
            base = f" ({_range(self.reading.base.start, self.reading.base.end, self.say)})" if self.reading.base else ""
            flags.append(self.say[self.reading.comparison] + base)
        if self.reading.unit:
            flags.append(self.say["unit"].format(self.reading.unit))
        return self.say["joiner"].join(flags)

    def carried(self) -> str:
        return self.say["carried"].format(self.reading.carried) if self.reading.carried else ""

    def left(self) -> str:
        words = self.say["or"].join(f"“{left.words}”" for left in self.reading.unplaced)
        asked = self.say["or"].join(f"“{ambiguity.words}”" for ambiguity in self.reading.ambiguities)
        return (self.say["unplaced"].format(words) if words else "") + (
            self.say["asked"].format(asked) if asked else ""
        )


_ORDER: tuple[Callable[[_Told], str], ...] = (
    _Told.numbers,
    _Told.groups,
    _Told.conditions,
    _Told.limits,
    _Told.times,
    _Told.order,
    _Told.changes,
    _Told.carried,
)


def _is_told(condition: ReadFilter) -> bool:
    """That a ranked name has to be filled in goes without saying."""
    return bool(condition.words) or not (condition.operator == "not_null" or condition.values == ("",))


def _range(start: date | None, end: date | None, say: Mapping[str, str]) -> str:
    """People count the last day in, so the exclusive end is shown one day earlier."""
    last = end - timedelta(days=1) if end else None
    if start and last:
        return str(start) if start == last else say["to"].format(start, last)
    return say["since"].format(start) if start else say["until"].format(last) if last else say["ever"]
