"""Question and recalled values to a Reading, by rules, in one pass over the words."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from data_agent.domain.catalog import Catalog
from data_agent.domain.language import language_of
from data_agent.domain.reading import Reading
from data_agent.domain.time import CalendarSettings
from data_agent.domain.value import Value
from data_agent.reading.averages import place_averages
from data_agent.reading.changes import place_changes
from data_agent.reading.comparatives import place_comparatives
from data_agent.reading.comparisons import place_comparisons
from data_agent.reading.counts import place_counts
from data_agent.reading.cover import cover
from data_agent.reading.dimensions import place_dimensions
from data_agent.reading.draft import Draft
from data_agent.reading.existence import place_existence
from data_agent.reading.finish import finish
from data_agent.reading.following import place_carried
from data_agent.reading.frequency import place_commonest
from data_agent.reading.house import place_entities, place_house_rules, place_names
from data_agent.reading.lexicon import Lexicon
from data_agent.reading.marks import Mark
from data_agent.reading.metrics import place_alone, place_echoes, place_lists, place_metrics
from data_agent.reading.missing import place_included, place_missing
from data_agent.reading.narrow import narrow
from data_agent.reading.ranking import place_ranking
from data_agent.reading.showing import place_hidden, place_shown
from data_agent.reading.states import place_states
from data_agent.reading.superlatives import place_rows_in_order
from data_agent.reading.times import place_times, ranges
from data_agent.reading.values import place_values

RULES: tuple[Callable[[Draft], None], ...] = (
    place_times,
    narrow,
    place_states,
    place_included,
    place_values,
    place_existence,
    place_missing,
    place_comparisons,
    place_comparatives,
    place_averages,
    place_rows_in_order,
    place_commonest,
    place_dimensions,
    place_ranking,
    place_counts,
    place_metrics,
    place_echoes,
    place_lists,
    place_alone,
    place_shown,
    place_changes,
    place_carried,
    place_hidden,
    place_house_rules,
    place_entities,
    place_names,
)


def read(
    question: str,
    *,
    catalog: Catalog,
    lexicon: Lexicon,
    values: Sequence[Value],
    now: datetime,
    calendar: CalendarSettings,
    margin: float,
    choices: Mapping[str, str] | None = None,
    previous: Reading | None = None,
) -> Reading:
    """Explain the question part by part; what finds no place is listed, never dropped.

    `margin` (0-1) is how close a second meaning may score before a person is asked; `choices` maps words to the id a
    person chose for them before. `previous` is the thread's last reading, for a question that goes on from it.
    """
    marks = cover(question, lexicon, values, ranges(question, now, calendar))
    draft = Draft(
        question=question,
        language=language_of(question),
        lexicon=lexicon if lexicon.catalog is catalog else Lexicon.of(catalog),
        marks=[mark for mark in marks if not mark.silent],
        now=now,
        calendar=calendar,
        margin=margin,
        choices=choices or {},
        homes=_homes(marks, lexicon) or _homes_before(previous, lexicon),
        previous=previous,
    )
    for place in RULES:
        place(draft)
    return finish(draft)


def _homes(marks: Sequence[Mark], lexicon: Lexicon) -> frozenset[str]:
    """The tables the question is about: those of its metrics, else the tables it names."""
    metrics = {table for mark in marks for thing in mark.of("metric") for table in lexicon.homes[thing.name]}
    return frozenset(metrics or {thing.name for mark in marks for thing in mark.of("table")} or _certain(marks))


def _certain(marks: Sequence[Mark]) -> set[str]:
    """The tables of the columns that can be no others: 宠物类型 makes the age that of the pets."""
    tables = [{thing.table for thing in mark.things} for mark in marks if mark.of("column", "value") and not mark.time]
    return {next(iter(found)) for found in tables if len(found) == 1}


def _homes_before(previous: Reading | None, lexicon: Lexicon) -> frozenset[str]:
    """The tables the question before was about."""
    names = [metric.metric for metric in previous.metrics if metric.metric] if previous else []
    return frozenset(table for name in names for table in lexicon.homes.get(name, ()))
