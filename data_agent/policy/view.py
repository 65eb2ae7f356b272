"""The catalog as one role may know it: what the policy hides is not in it, nor anything that would tell of it."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from data_agent.catalog.formula import read_formula
from data_agent.domain.catalog import Catalog, Document, Domain
from data_agent.domain.metric import Metric
from data_agent.domain.policy import Policy, Role
from data_agent.domain.schema import Column, Relationship, Table

_NEVER = re.compile(r"(?!)")


def view(catalog: Catalog, policy: Policy, role: Role) -> Catalog:
    """What the role may see of a catalog; its version tells the role's views of one catalog apart.

    Hidden tables and columns go, and with them every metric, relationship, document, example, label and description
    that depends on them or speaks of them. Examples of tables with a row filter go too: they may stand in hidden rows.
    Metrics that count on a masked column go, for they would give numbers that only look right.
    """
    tables = tuple(cut for table in catalog.tables if (cut := _table(table, role)))
    visible = catalog.model_copy(update={"tables": tables})
    metrics = tuple(m for m in catalog.metrics if _computable(m, visible, role, frozenset()))
    hidden = hidden_words(catalog, visible.model_copy(update={"metrics": metrics}))
    quiet = _Quiet(_pattern(hidden), hidden)
    names = {metric.name for metric in metrics}
    return catalog.model_copy(
        update={
            "version": f"{catalog.version}:{role.name}:{hash_of(policy, role)}",
            "tables": tuple(quiet.table(table) for table in tables),
            "metrics": tuple(quiet.metric(metric, names) for metric in metrics),
            "relationships": tuple(link for link in catalog.relationships if _holds(link, visible)),
            "domains": tuple(quiet.domain(d) for d in catalog.domains if _lives(d, tables, metrics)),
            "documents": tuple(document for document in catalog.documents if quiet.passes(document)),
            "synonyms": quiet.synonyms(catalog.synonyms),
        }
    )


def hash_of(policy: Policy, role: Role) -> str:
    """Eight hex digits that change with anything the policy says of the role."""
    return hashlib.sha256((policy.salt + role.model_dump_json()).encode()).hexdigest()[:8]


def hidden_words(whole: Catalog, visible: Catalog) -> frozenset[str]:
    """Names and aliases (case-folded) that only stand for what is hidden."""
    return frozenset(_words(whole) - _words(visible))


def _words(catalog: Catalog) -> set[str]:
    things: list[Table | Column | Metric] = [*catalog.tables, *catalog.metrics]
    things += [column for table in catalog.tables for column in table.columns]
    words = {word.casefold() for thing in things for word in (thing.name, *thing.aliases)}
    return words | {label.casefold() for t in catalog.tables for c in t.columns for label in c.labels.values()}


def _table(table: Table, role: Role) -> Table | None:
    filtered = " ".join(each.where for each in role.filters_of(table.name))
    columns = tuple(_column(c, role, filtered) for c in table.columns if role.sees(table.name, c.name))
    names = {column.name.casefold() for column in columns}
    if not columns:
        return None
    return table.model_copy(
        update={
            "columns": columns,
            "primary_key": table.primary_key if all(key.casefold() in names for key in table.primary_key) else (),
            "label_column": table.label_column if (table.label_column or "").casefold() in names else None,
            "time_column": table.time_column if (table.time_column or "").casefold() in names else None,
        }
    )


def _column(column: Column, role: Role, filtered: str) -> Column:
    masked = role.mask_of(column.table, column.name) is not None
    gone: dict[str, object] = {}
    if masked or filtered:
        gone = {"examples": (), "value_aliases": {}}
    if masked or re.search(rf"\b{re.escape(column.name)}\b", filtered, re.IGNORECASE):
        gone["labels"] = {}
    if masked:
        gone["sync"] = False
    return column.model_copy(update=gone) if gone else column


def _computable(metric: Metric, visible: Catalog, role: Role, above: frozenset[str]) -> bool:
    """Whether everything the metric stands on is visible and unmasked."""
    if metric.name in above or (metric.table and visible.table(metric.table) is None):
        return False
    texts = [text for text in (metric.expression, *metric.filters) if text]
    formulas = [read_formula(text) for text in texts]
    columns = [column for formula in formulas for column in formula.columns]
    columns += [metric.time_column] if metric.time_column else []
    if any(formula.complaint for formula in formulas) or not all(_plain(c, metric, visible, role) for c in columns):
        return False
    if not all(_plain(column, metric, visible, role) for column in metric.relevant_columns):
        return False
    wanted = set(re.findall(r"\{(\w+)\}", metric.expression))
    parts = visible.parts_of(metric)
    return len(parts) == len(wanted) and all(_computable(part, visible, role, above | {metric.name}) for part in parts)


def _plain(column: str, metric: Metric, visible: Catalog, role: Role) -> bool:
    column_id = column if "." in column else f"{metric.table}.{column}"
    found = visible.column(column_id)
    return found is not None and role.mask_of(found.table, found.name) is None


def _holds(link: Relationship, visible: Catalog) -> bool:
    sides = [(link.from_table, name) for name in link.from_columns] + [(link.to_table, n) for n in link.to_columns]
    return all(visible.column(f"{table}.{name}") for table, name in sides)


def _lives(domain: Domain, tables: Iterable[Table], metrics: Iterable[Metric]) -> bool:
    return domain.name in {table.domain for table in tables} | {metric.domain for metric in metrics}


def _pattern(words: frozenset[str]) -> re.Pattern[str]:
    """Finds any of the words, Latin ones whole; a single Han character says nothing by itself."""
    told = sorted((word for word in words if len(word) > 1), key=len, reverse=True)
    if not told:
        return _NEVER
    return re.compile(rf"(?<![a-z0-9_])(?:{'|'.join(map(re.escape, told))})(?![a-z0-9_])")


@dataclass(frozen=True)
class _Quiet:
    """Leaves out texts that speak of what is hidden."""

    pattern: re.Pattern[str]
    hidden: frozenset[str]

    def tells(self, *texts: str) -> bool:
        return any(self.pattern.search(text.casefold()) for text in texts)

    def text(self, text: str) -> str:
        return "" if self.tells(text) else text

    def table(self, table: Table) -> Table:
        columns = tuple(
            column if not self.tells(column.description) else column.model_copy(update={"description": ""})
            for column in table.columns
        )
        return table.model_copy(update={"columns": columns, "description": self.text(table.description)})

    def metric(self, metric: Metric, names: set[str]) -> Metric:
        finer = metric.finer if metric.finer in names else None
        return metric.model_copy(update={"finer": finer, "description": self.text(metric.description)})

    def domain(self, domain: Domain) -> Domain:
        keywords = tuple(word for word in domain.keywords if not self.tells(word))
        return domain.model_copy(update={"description": self.text(domain.description), "keywords": keywords})

    def passes(self, document: Document) -> bool:
        return not self.tells(document.title, document.text, *document.aliases)

    def synonyms(self, synonyms: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        kept = {word: tuple(o for o in others if not self.tells(o)) for word, others in synonyms.items()}
        return {word: others for word, others in kept.items() if others and not self.tells(word)}
