"""What a text names of the catalog, nothing else read."""

from data_agent.reading.cover import cover
from data_agent.reading.lexicon import Lexicon, Thing


def mentions(text: str, lexicon: Lexicon) -> tuple[Thing, ...]:
    """Metrics, columns, tables and known values that a text names, in the order they stand in it."""
    things = (thing for mark in cover(text, lexicon, (), ()) for thing in mark.things)
    return tuple(dict.fromkeys(things))
