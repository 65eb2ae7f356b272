"""Tables and columns by meaning and by words, on Qdrant."""

from qdrant_client import AsyncQdrantClient

from repositories.qdrant.text_index import QdrantTextIndex
from repositories.texts import ColumnsInTexts


class QdrantColumnIndex(ColumnsInTexts):
    """`ColumnIndex` on a server. The client is shared and closed by whoever made it."""

    def __init__(
        self, client: AsyncQdrantClient, model: str, dimension: int, alias: str = "data-agent-columns", where: str = ""
    ) -> None:
        self._server = QdrantTextIndex(
            client, alias, model=model, dimension=dimension, where=where or "the server", what="column index"
        )
        super().__init__(self._server)

    async def version(self) -> str:
        """The server's version; see `QdrantTextIndex.version`."""
        return await self._server.version()
