"""Durable conversations in SQLite, restricted to our own frozen models when they are read back."""

from pathlib import Path

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from data_agent.domain.frozen import Frozen
from data_agent.errors import StoreUnavailable


def frozen_models(base: type[Frozen] = Frozen) -> set[type[Frozen]]:
    """Every frozen model of ours: the only classes a checkpoint may bring to life."""
    ours = {model for model in base.__subclasses__() if model.__module__.startswith("data_agent.")}
    return ours.union(*(frozen_models(model) for model in ours))


def serializer() -> JsonPlusSerializer:
    """Reads nothing but our models and plain values; what else a checkpoint holds stays data."""
    return JsonPlusSerializer(allowed_msgpack_modules=sorted(frozen_models(), key=str))


class SqliteThreads:
    """One file of conversations."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self.saver = AsyncSqliteSaver(connection, serde=serializer())

    @classmethod
    async def open(cls, file: Path) -> "SqliteThreads":
        """Open or create the file.

        Raises:
            StoreUnavailable: the file cannot be opened or is no database.
        """
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            connection = await aiosqlite.connect(file)
            threads = cls(connection)
            await threads.saver.setup()
            # with a write-ahead log a conversation can be lost to a power cut only, and never be damaged
            await connection.execute("PRAGMA synchronous = NORMAL")
        except (OSError, aiosqlite.Error) as error:
            raise StoreUnavailable(
                f"the file of conversations cannot be opened: {file} · 无法打开会话文件",
                hint="check the folder's permissions and free space, or set stores.path · 请检查目录权限与磁盘空间",
            ) from error
        return threads

    async def ping(self) -> str:
        """How many conversations there are.

        Raises:
            StoreUnavailable: the file cannot be read.
        """
        try:
            async with self._connection.execute("SELECT COUNT(DISTINCT thread_id) FROM checkpoints") as cursor:
                row = await cursor.fetchone()
        except aiosqlite.Error as error:
            raise StoreUnavailable("conversations cannot be read · 无法读取会话", hint="check stores.path") from error
        return f"{row[0] if row else 0} threads"

    async def close(self) -> None:
        """Close the file."""
        await self._connection.close()
