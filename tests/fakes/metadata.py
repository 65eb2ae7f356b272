"""A metadata store in memory."""

from data_agent.domain.catalog import Catalog
from data_agent.errors import IndexMissing


class FakeMetadata:
    """`Metadata` that keeps the last catalog it was given."""

    def __init__(self, catalog: Catalog | None = None) -> None:
        self.live = catalog

    async def catalog(self) -> Catalog:
        if self.live is None:
            raise IndexMissing("nothing has been indexed yet", hint="run: data-agent index")
        return self.live

    async def replace(self, catalog: Catalog) -> None:
        self.live = catalog

    async def close(self) -> None:
        return None
