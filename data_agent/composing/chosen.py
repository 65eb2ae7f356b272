"""Compose, taking the ways between tables that a person chose before; nothing is taken where there is no doubt."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from data_agent.composing.compose import compose
from data_agent.composing.composed import Composed
from data_agent.composing.texts import text
from data_agent.domain.catalog import Catalog
from data_agent.domain.reading import Ambiguity, Choice, Reading
from data_agent.domain.time import CalendarSettings
from data_agent.errors import NeedsClarification

WAY = "path:"


def compose_as_chosen(
    reading: Reading,
    choices: Mapping[str, str],
    *,
    catalog: Catalog,
    dialect: str,
    now: datetime,
    calendar: CalendarSettings,
) -> tuple[Composed, Reading]:
    """The statement, and the reading with the ways that were taken. `choices` maps words to the id of a choice.

    Raises:
        NeedsClarification: tables are joined in several ways and none of them was chosen.
        CannotAnswer: no honest statement exists; the message says why.
    """
    while True:
        try:
            composed = compose(reading, catalog=catalog, dialect=dialect, now=now, calendar=calendar)
        except NeedsClarification as error:
            taken = [choice for choice in _chosen(error, choices) if choice.id.removeprefix(WAY) not in reading.paths]
            if not taken:
                raise
            reading = _over(reading, taken)
        else:
            return composed, reading


def _chosen(error: NeedsClarification, choices: Mapping[str, str]) -> Iterator[Choice]:
    for ambiguity in error.choices:
        if isinstance(ambiguity, Ambiguity):
            yield from (choice for choice in ambiguity.choices if choices.get(ambiguity.words) == choice.id)


def _over(reading: Reading, taken: list[Choice]) -> Reading:
    paths = (*reading.paths, *(choice.id.removeprefix(WAY) for choice in taken))
    notes = [text("as_chosen", reading.language, way=choice.label) for choice in taken]
    return reading.model_copy(update={"paths": paths, "notes": (*reading.notes, *notes)})
