"""What stays the same while one reading is composed, and the questions everyone asks of it."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from data_agent.catalog.joins import JoinGraph, JoinPath
from data_agent.composing.texts import text
from data_agent.domain.catalog import Catalog
from data_agent.domain.reading import Ambiguity, Choice, Reading
from data_agent.domain.schema import Column, Relationship, Table
from data_agent.domain.time import CalendarSettings
from data_agent.errors import CannotAnswer, NeedsClarification


class _Same:
    """Relationships compared by identity, so that a large catalog's graph is built once without hashing it."""

    def __init__(self, relationships: tuple[Relationship, ...]) -> None:
        self.relationships = relationships

    def __hash__(self) -> int:
        return id(self.relationships)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.relationships is self.relationships


@lru_cache(maxsize=16)
def _graph(same: _Same) -> JoinGraph:
    return JoinGraph.of(same.relationships)


@dataclass(frozen=True)
class Scope:
    """One reading with the catalog, the engine and the clock it is composed for; notes gather here."""

    reading: Reading
    catalog: Catalog
    dialect: str
    now: datetime
    calendar: CalendarSettings
    graph: JoinGraph
    notes: dict[str, None] = field(default_factory=dict)
    walked: dict[tuple[str, str], JoinPath] = field(default_factory=dict)

    @classmethod
    def of(cls, reading: Reading, catalog: Catalog, dialect: str, now: datetime, calendar: CalendarSettings) -> "Scope":
        """The scope of a reading."""
        return cls(reading, catalog, dialect, now, calendar, _graph(_Same(catalog.relationships)))

    @property
    def today(self) -> date:
        """The day it is in the business time zone."""
        return self.now.astimezone(ZoneInfo(self.calendar.time_zone)).date()

    def asking(self, **changes: object) -> "Scope":
        """The same scope with a changed reading; notes still gather in one place."""
        return replace(self, reading=self.reading.model_copy(update=changes))

    def say(self, key: str, **values: object) -> str:
        """A text in the asker's language."""
        return text(key, self.reading.language, **values)

    def note(self, key: str, **values: object) -> None:
        """Keep a note, once."""
        self.notes[self.say(key, **values)] = None

    def fail(self, key: str, *, hint: str = "", **values: object) -> CannotAnswer:
        """The error to raise when no honest statement exists."""
        return CannotAnswer(self.say(key, **values), hint=self.say(hint) if hint else "")

    def table(self, name: str) -> Table:
        """A table of the catalog.

        Raises:
            CannotAnswer: there is none of that name.
        """
        found = self.catalog.table(name)
        if found is None:
            raise self.fail("no_column", name=name)
        return found

    def column(self, column_id: str) -> Column:
        """A column of the catalog.

        Raises:
            CannotAnswer: there is none of that name.
        """
        found = self.catalog.column(column_id)
        if found is None:
            raise self.fail("no_column", name=column_id)
        return found

    def label_of(self, table: str) -> str:
        """What people call a table."""
        found = self.catalog.table(table)
        return found.label(self.reading.language) if found else table

    def path(self, home: str, target: str) -> JoinPath:
        """The one way to walk: one that repeats nothing when there is one, else one that does.

        Raises:
            NeedsClarification: several ways are equally short.
            CannotAnswer: there is no way.
        """
        known = self.walked.get((home, target))
        if known is not None:
            return known
        chosen = self.reading.paths
        found = self.graph.paths(home, target, safe=True, through=chosen) or self.graph.paths(
            home, target, through=chosen
        )
        if not found:
            raise self.fail("no_path", a=self.label_of(home), b=self.label_of(target), hint="no_path_hint")
        if len(found) > 1:
            raise self._which(home, target, found)
        self.walked[home, target] = found[0]
        return found[0]

    def _which(self, home: str, target: str, found: tuple[JoinPath, ...]) -> NeedsClarification:
        words = f"{self.label_of(home)} → {self.label_of(target)}"
        message = self.say("which_path", a=self.label_of(home), b=self.label_of(target))
        choices = tuple(
            Choice(
                id=f"path:{_telling(path, found)}", label=self._walk(path), kind="path", detail=" → ".join(path.tables)
            )
            for path in found
        )
        return NeedsClarification(message, choices=(Ambiguity(words=words, choices=choices),))

    def _walk(self, path: JoinPath) -> str:
        tables = " → ".join(self.label_of(name) for name in path.tables)
        return f"{tables} ({', '.join(path.names)})"


def _telling(path: JoinPath, others: Iterable[JoinPath]) -> str:
    """The link that tells this path from the others."""
    rest = {name for other in others if other is not path for name in other.names}
    return next((name for name in path.names if name not in rest), path.names[0])
