"""Compose a complete reading into one statement."""

from datetime import datetime

from data_agent.composing.composed import Composed
from data_agent.composing.listing import listing
from data_agent.composing.numbers import numbers
from data_agent.composing.relation import Ctes
from data_agent.composing.scope import Scope
from data_agent.composing.stages import Stages
from data_agent.domain.catalog import Catalog
from data_agent.domain.reading import Reading
from data_agent.domain.time import CalendarSettings


def compose(reading: Reading, *, catalog: Catalog, dialect: str, now: datetime, calendar: CalendarSettings) -> Composed:
    """One SELECT for the reading, in `dialect` (`mysql` or `duckdb`), that never counts a row twice (docs/grain.md).

    Raises:
        NeedsClarification: tables are joined in several equally good ways; `choices` name them.
        CannotAnswer: no honest statement exists; the message says why.
    """
    scope = Scope.of(reading, catalog, dialect, now, calendar)
    ctes = Ctes(frozenset(catalog.by_name))
    stages: Stages
    if reading.metrics:
        stages, order = numbers(scope, ctes)
    elif reading.dimensions:
        stages, order = listing(scope, ctes)
    else:
        raise scope.fail("nothing")
    statement = stages.finish(order)
    shown = tuple(out.column for out in stages.outs if not out.hidden)
    return Composed(sql=statement.sql(dialect=dialect, copy=False), columns=shown, notes=(*scope.notes,))
