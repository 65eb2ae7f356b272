"""Every name the catalog knows, in both languages, ready to be found in a question."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column
from data_agent.reading.aliases import (
    GENERIC,
    SHORTER,
    TRANSLATED,
    bare_names,
    chinese_names,
    generic_names,
    shorter_amounts,
    shorter_labels,
    shorter_names,
)
from data_agent.reading.reach import Reach
from data_agent.reading.rules import Allowed, metric_rules, metric_tables
from data_agent.reading.text import camel_key, fold, key_of, parts_of
from data_agent.reading.trie import Trie
from data_agent.reading.words import roles

Kind = Literal["metric", "column", "table", "value"]


class Thing(NamedTuple):
    """What a word may mean. `name` is a metric, `table.column`, or a table; `texts` are stored values of it."""

    kind: Kind
    name: str
    texts: tuple[str, ...] = ()
    weight: float = 1.0

    @property
    def id(self) -> str:
        """Stable across runs: `metric:sales`, `column:products.brand`, `column:products.brand=苹果`."""
        if self.kind == "value":
            return f"column:{self.name}={self.texts[0]}"
        return f"{self.kind}:{self.name}"

    @property
    def table(self) -> str:
        """The table it belongs to; empty for a metric."""
        return "" if self.kind == "metric" else self.name if self.kind == "table" else self.name.rpartition(".")[0]


@dataclass(frozen=True)
class Names:
    """Every name as people write it, folded, and by its parts, for finding near ones."""

    names: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    by_part: dict[str, list[int]] = field(default_factory=dict)

    @staticmethod
    def of(keys: Mapping[str, tuple[str, ...]]) -> "Names":
        """Index the names, each with the tokens it is looked up by."""
        by_part: dict[str, list[int]] = {}
        for index, key in enumerate(keys.values()):
            for part in parts_of(key):
                by_part.setdefault(part, []).append(index)
        return Names(tuple(keys), tuple(fold(name) for name in keys), by_part)


@dataclass(frozen=True)
class Lexicon:
    """Names to things, built once per catalog view."""

    catalog: Catalog
    names: Trie[Thing]
    synonyms: Trie[str]
    reach: Reach
    homes: dict[str, frozenset[str]]
    rules: dict[str, dict[str, Allowed]]
    columns: dict[str, Column] = field(default_factory=dict)
    readable: Names = field(default_factory=Names)

    @staticmethod
    def of(catalog: Catalog) -> "Lexicon":
        """Read the whole catalog once."""
        names: Trie[Thing] = Trie()
        keys: dict[str, tuple[str, ...]] = {}
        for name, thing in _entries(catalog):
            key = keys.get(name)
            if key is None:
                key = keys[name] = key_of(name)
            names.add(key, thing)
            if thing.kind != "value" and name.isascii() and name.isidentifier() and not name.islower():
                names.add(camel_key(name), thing)
        for name, thing in [pair for pair in _parts_of_names(catalog) if not _spoken_for(names, pair[0])]:
            names.add(key_of(name), thing)
        for name, thing in _unwritten(catalog):
            key = key_of(name)
            if not roles().get(key) and thing.id not in {known.id for known in names.get(key)}:
                names.add(key, thing)
        synonyms = _learn_synonyms(catalog, names)
        metrics = {metric.name: metric for metric in catalog.metrics}
        return Lexicon(
            catalog=catalog,
            names=names,
            synonyms=synonyms,
            reach=Reach(catalog.relationships),
            homes={name: metric_tables(metric, metrics) for name, metric in metrics.items()},
            rules={name: metric_rules(metric, metrics) for name, metric in metrics.items()},
            columns={column.id: column for table in catalog.tables for column in table.columns},
            readable=Names.of(keys),
        )

    def lookup(self, name: str) -> tuple[Thing, ...]:
        """What exactly this name means."""
        return self.names.get(key_of(name))


def _entries(catalog: Catalog) -> Iterable[tuple[str, Thing]]:
    for metric in catalog.metrics:
        yield from ((name, Thing("metric", metric.name)) for name in _metric_names(metric))
    for table in catalog.tables:
        if table.retired:
            continue
        yield from ((name, Thing("table", table.name)) for name in (table.name, *table.aliases))
        for column in table.columns:
            yield from _column_entries(column)


def _spoken_for(names: Trie[Thing], name: str) -> bool:
    """Whether something is called so already, or a time is: 付款 of 付款时间 is a verb."""
    return any(names.get(key_of(form.format(name))) for form in ("{}", "{}时间", "{}日期"))


def _parts_of_names(catalog: Catalog) -> Iterable[tuple[str, Thing]]:
    """实付 of 实付金额, 取消 of 已取消: only where nothing else is called so."""
    for column in (column for table in catalog.tables if not table.retired for column in table.columns):
        for name in (*shorter_amounts(column), *bare_names(column)):
            yield name, Thing("column", column.id, (), SHORTER)
        for code, label in column.labels.items():
            yield from ((name, Thing("value", column.id, (code,), SHORTER)) for name in shorter_labels(label))


def _unwritten(catalog: Catalog) -> Iterable[tuple[str, Thing]]:
    """Names that follow from those written down; weaker, so that a written one wins."""
    for table in catalog.tables:
        if table.retired:
            continue
        for name in chinese_names((table.name, *table.aliases)):
            yield name, Thing("table", table.name, (), TRANSLATED)
        for column in table.columns:
            short = tuple(shorter_names(table, column))
            yield from ((name, Thing("column", column.id, (), SHORTER)) for name in short)
            yield from ((name, Thing("column", column.id, (), GENERIC)) for name in generic_names(column))
            for name in chinese_names((column.name, *column.aliases, *short, *bare_names(column))):
                yield name, Thing("column", column.id, (), TRANSLATED)


def _metric_names(metric: Metric) -> tuple[str, ...]:
    return (metric.name, *metric.aliases)


def _column_entries(column: Column) -> Iterable[tuple[str, Thing]]:
    for name in (column.name, *column.aliases):
        yield name, Thing("column", column.id)
    for code, label in column.labels.items():
        yield label, Thing("value", column.id, (code,))
    for text, aliases in column.value_aliases.items():
        stored = _code_of(column, text)
        spoken = aliases if text in column.labels else (text, *aliases)
        yield from ((name, Thing("value", column.id, (stored,))) for name in spoken)


def _code_of(column: Column, text: str) -> str:
    """The stored code when an alias is given for a label instead of a code."""
    return next((code for code, label in column.labels.items() if label == text), text)


def _learn_synonyms(catalog: Catalog, names: Trie[Thing]) -> Trie[str]:
    """Synonyms of catalog names become names; the others wait for stored values (淘宝 for 天猫)."""
    spoken: Trie[str] = Trie()
    for word, others in catalog.synonyms.items():
        group = (word, *others)
        things = [thing for name in group for thing in names.get(key_of(name))]
        for name in group:
            for thing in things:
                names.add(key_of(name), thing)
            for other in group:
                if other != name:
                    spoken.add(key_of(name), other)
    return spoken
