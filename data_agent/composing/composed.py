"""A statement composed from a reading, with what its columns mean."""

from data_agent.domain.answer import ResultColumn
from data_agent.domain.frozen import Frozen


class Composed(Frozen):
    """One statement in the asked dialect. `columns` are its output in order; `notes` are for the reader."""

    sql: str
    columns: tuple[ResultColumn, ...]
    notes: tuple[str, ...] = ()
