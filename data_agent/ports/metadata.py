"""The metadata store: the catalog as it was last indexed."""

from typing import Protocol

from data_agent.domain.catalog import Catalog


class Metadata(Protocol):
    """Keeps one live catalog. A reader gets a whole version or the one before, never a mixture.

    Raises:
        StoreUnavailable: the store cannot be reached.
        IndexMissing: nothing has been indexed yet.
    """

    async def catalog(self) -> Catalog:
        """The live catalog, in at most two queries: its version, and its content when the version is new to us."""
        ...

    async def replace(self, catalog: Catalog) -> None:
        """Make this the live catalog in one transaction."""
        ...

    async def close(self) -> None:
        """Give back every connection."""
        ...
