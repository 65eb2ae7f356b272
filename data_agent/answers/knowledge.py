"""What the catalog knows about a word, in plain sentences with their source."""

from collections.abc import Iterable

from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.domain.language import Language
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Table

_MOST = 3


class Explanation(Frozen):
    """One explanation and where it comes from (`catalog: metric sales`)."""

    text: str
    source: str


def explained(catalog: Catalog, ids: Iterable[str], question: str, language: Language) -> tuple[Explanation, ...]:
    """Explain the named things: `metric:NAME`, `column:TABLE.COLUMN`, `table:NAME`; documents by title or alias.

    Metrics come first, then documents, columns and tables; at most three, so that an answer stays an answer.
    """
    found = {"metric": [], "column": [], "table": []}  # type: dict[str, list[Explanation]]
    for thing in dict.fromkeys(ids):
        kind, _, name = thing.partition(":")
        explanation = _explain(catalog, kind, name, language)
        if explanation:
            found[kind].append(explanation)
    documents = [
        Explanation(text=f"{document.title}: {document.text}", source=document.source)
        for document in catalog.documents
        if any(word.casefold() in question.casefold() for word in (document.title, *document.aliases))
    ]
    return tuple([*found["metric"], *documents, *found["column"], *found["table"]][:_MOST])


def _explain(catalog: Catalog, kind: str, name: str, language: Language) -> Explanation | None:
    if kind == "metric" and (metric := catalog.metric(name)):
        return Explanation(text=_metric(metric, language), source=f"catalog: metric {name}")
    if kind == "column" and (column := catalog.column(name)):
        return Explanation(text=_column(column, language), source=f"catalog: column {name}")
    if kind == "table" and (table := catalog.table(name)):
        return Explanation(text=_table(table, language), source=f"catalog: table {name}")
    return None


def _metric(metric: Metric, language: Language) -> str:
    zh = language == "zh"
    parts = [f"{metric.label(language)}（{metric.name}）" if zh else f"{metric.label(language)} ({metric.name})"]
    parts.append(metric.description)
    parts.append(f"计算方式：{metric.expression}" if zh else f"Computed as {metric.expression}")
    if metric.filters:
        always = " AND ".join(metric.filters)
        parts.append(f"始终只算：{always}" if zh else f"Always limited to {always}")
    if metric.time_column:
        parts.append(f"按 {metric.time_column} 归属时间" if zh else f"Dated by {metric.time_column}")
    if metric.unit:
        parts.append(f"单位：{metric.unit}" if zh else f"Unit: {metric.unit}")
    return _sentences(parts, language)


def _column(column: Column, language: Language) -> str:
    zh = language == "zh"
    parts = [f"{column.label(language)}（{column.id}）" if zh else f"{column.label(language)} ({column.id})"]
    parts.append(column.description)
    if column.labels:
        codes = ", ".join(f"{code} = {label}" for code, label in column.labels.items())
        parts.append(f"取值：{codes}" if zh else f"Codes: {codes}")
    return _sentences(parts, language)


def _table(table: Table, language: Language) -> str:
    name = f"{table.label(language)}（{table.name}）" if language == "zh" else f"{table.label(language)} ({table.name})"
    return _sentences([name, table.description], language)


def _sentences(parts: list[str], language: Language) -> str:
    head, *rest = [part.strip().rstrip("。.") for part in parts if part.strip()]
    if language == "zh":
        return f"{head}：" + "。".join(rest) + "。" if rest else f"{head}。"
    return f"{head}: " + ". ".join(rest) + "." if rest else f"{head}."
