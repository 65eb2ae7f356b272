"""How far an introspection may go, and what it did."""

from collections.abc import Callable
from typing import Literal

from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen


class IntrospectOptions(Frozen):
    """`sample_rows` a table are read, `count_rows` counted where a key must be proven; times are in seconds.

    Values of a text column are indexed up to `most_values` different ones. `declared` uses declared references.
    """

    sample_rows: int = 2000
    count_rows: int = 100_000
    table_seconds: float = 5.0
    total_seconds: float = 600.0
    parallel: int = 4
    most_values: int = 20_000
    declared: bool = True
    metrics: bool = True
    name: str = ""
    only: tuple[str, ...] = ()


class Skipped(Frozen):
    """Something that was left out or not sampled, and why."""

    what: str
    why: str
    left_out: bool = False


class IntrospectProgress(Frozen):
    """How far it is."""

    part: Literal["declared", "samples", "links", "catalog"]
    done: int
    total: int
    detail: str = ""


class Introspected(Frozen):
    """A first catalog and what could not be read for it."""

    catalog: Catalog
    skipped: tuple[Skipped, ...] = ()
    seconds: float = 0.0


Progress = Callable[[IntrospectProgress], None]


def unheard(_progress: IntrospectProgress) -> None:
    """Nobody listens."""
