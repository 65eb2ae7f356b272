"""What an index run would change, told before anything is written."""

from collections.abc import Iterable

from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.indexing.texts import metric_texts, texts_of
from data_agent.indexing.values import synced_columns
from data_agent.ports.recall import IndexedText


class Changes(Frozen):
    """Ids that come, change or go."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether anything changes."""
        return bool(self.added or self.changed or self.removed)


class IndexPlan(Frozen):
    """The difference between the live catalog and a new one, and the columns whose values will be read."""

    version_before: str | None
    version: str
    columns: Changes
    metrics: Changes
    value_columns: tuple[str, ...]

    @property
    def nothing(self) -> bool:
        """Whether catalog and texts stay as they are (values are read again all the same)."""
        return self.version_before == self.version and not self.columns.any and not self.metrics.any


def plan(catalog: Catalog, live: Catalog | None) -> IndexPlan:
    """Compare the new catalog with the live one (None: nothing is indexed yet)."""
    return IndexPlan(
        version_before=live.version if live else None,
        version=catalog.version,
        columns=changes(texts_of(live) if live else (), texts_of(catalog)),
        metrics=changes(metric_texts(live) if live else (), metric_texts(catalog)),
        value_columns=tuple(column.id for column in synced_columns(catalog)),
    )


def changes(before: Iterable[IndexedText], after: Iterable[IndexedText]) -> Changes:
    """What comes, changes and goes between two lists of texts."""
    old, new = {text.id: text for text in before}, {text.id: text for text in after}
    return Changes(
        added=tuple(id_ for id_ in new if id_ not in old),
        changed=tuple(id_ for id_, text in new.items() if id_ in old and old[id_] != text),
        removed=tuple(id_ for id_ in old if id_ not in new),
    )
