"""Whether stored values may have changed, without reading them."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from data_agent.domain.frozen import Frozen
from data_agent.domain.schema import Column


class ColumnState(Frozen):
    """`mark` differs whenever the column's values may have changed; empty where the warehouse cannot tell.

    `rows` is how many rows its table has, or the server's estimate; None where it is not known.
    """

    mark: str = ""
    rows: int | None = None


@runtime_checkable
class Changes(Protocol):
    """A warehouse that can tell cheaply.

    Raises:
        WarehouseUnavailable, WarehouseTimeout.
    """

    async def states(self, columns: Sequence[Column]) -> dict[str, ColumnState]:
        """The state of these columns by id; one that is left out has to be read."""
        ...
