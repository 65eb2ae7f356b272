"""One index run at a time over a metadata server: a lock that its server lets go of when the holder dies."""

import asyncio
import hashlib
from types import TracebackType
from typing import Any

from sqlalchemy import Connection, NullPool, create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from data_agent.errors import Busy, StoreUnavailable
from repositories.holder import holder

TABLE = "data_agent_index_lock"
IDLE_SECONDS = 86_400
"""The session holds the lock and says nothing while a long run goes on."""


class ServerLock:
    """`GET_LOCK` on the metadata server; waits up to `seconds`, then says who holds it.

    The lock belongs to a session: when its process is killed, the server ends the session and with it the lock. Who
    holds it stands in a table, for people only. A SQLite file needs no such lock.

    Raises:
        Busy: another run held it all the time.
        StoreUnavailable: the server cannot be used.
    """

    def __init__(self, url: str, space: str, seconds: float = 5.0) -> None:
        place = make_url(url)
        self._where = f"{place.host}:{place.port or 3306}/{place.database}"
        self._embedded = place.get_backend_name() == "sqlite"
        self._engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        self._space, self._seconds = space, seconds
        # names are the server's, not the database's, and at most 64 characters long
        self._name = "data-agent-" + hashlib.sha256(f"{place.database}\0{space}".encode()).hexdigest()[:32]
        self._session: Connection | None = None

    async def __aenter__(self) -> "ServerLock":
        """Take the lock."""
        if not self._embedded:
            await asyncio.to_thread(self._translated, self._take)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let it go: the lock ends with its session."""
        session, self._session = self._session, None
        if session:
            await asyncio.to_thread(session.close)

    def _translated(self, work: Any) -> Any:
        try:
            return work()
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or type(error).__name__).splitlines()[0]
            raise StoreUnavailable(
                f"the index lock on {self._where} cannot be taken: {reason}",
                hint="check stores.metadata_url, that the server runs, and the account's rights",
            ) from error

    def _take(self) -> None:
        session = self._engine.connect()
        try:
            session.exec_driver_sql(f"SET SESSION wait_timeout = {IDLE_SECONDS}")
            taken = session.exec_driver_sql("SELECT GET_LOCK(%s, %s)", (self._name, self._seconds)).scalar()
            if taken != 1:
                raise Busy(
                    f"another index run holds the stores of {self._where} ({self._holder(session)})",
                    hint="wait for it to end (--wait SECONDS), or stop that process; a killed one lets go by itself",
                )
            self._sign(session)
        except BaseException:
            session.close()
            raise
        self._session = session

    def _sign(self, session: Connection) -> None:
        session.exec_driver_sql(
            f"CREATE TABLE IF NOT EXISTS {TABLE} (space VARCHAR(64) PRIMARY KEY, holder VARCHAR(255) NOT NULL)"
        )
        session.exec_driver_sql(f"REPLACE INTO {TABLE} VALUES (%s, %s)", (self._space, holder()))

    def _holder(self, session: Connection) -> str:
        try:
            told = session.exec_driver_sql(f"SELECT holder FROM {TABLE} WHERE space = %s", (self._space,))
            return str(told.scalar() or "not known")
        except SQLAlchemyError:
            return "not known"
