"""Sessions on a MySQL-protocol server: pooled, prepared for reading only, and stoppable."""

from datetime import datetime
from functools import cached_property
from typing import Any, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pymysql.err
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool

from data_agent.errors import InvalidSettings, WarehouseUnavailable
from repositories.sql.errors import ZONE, DriverError, number, unreachable
from repositories.sql.flavours import Flavour, flavour_of

SCHEMES = {"mysql", "mariadb", "tidb", "starrocks", "doris"}


def driver_url(url: str) -> URL:
    """The address as our driver takes it; every MySQL-protocol scheme means the same driver.

    Raises:
        InvalidSettings: it is no such address. The text does not repeat it.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise InvalidSettings("the warehouse url cannot be read", hint=EXAMPLE) from None
    if parsed.drivername.partition("+")[0] not in SCHEMES:
        raise InvalidSettings(f"no warehouse speaks {parsed.drivername}", hint=EXAMPLE)
    return parsed.set(drivername="mysql+pymysql")


EXAMPLE = "for example mysql+pymysql://reader:password@host:3306/shop"


def fixed_offset(zone: str) -> str | None:
    """`+08:00` for a zone whose clocks were never changed since 2000, else None."""
    try:
        info = ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):
        return None
    offsets = {datetime(year, month, 1, tzinfo=info).strftime("%z") for year in range(2000, 2038) for month in (1, 7)}
    offset = offsets.pop()
    return None if offsets else f"{offset[:3]}:{offset[3:5]}"


class Server:
    """One server. `time_zone` is the session's (None: the server's own); times are in seconds."""

    def __init__(
        self, url: str, name: str, *, size: int, time_zone: str | None, connect_seconds: float, read_seconds: float
    ) -> None:
        self._name, self._time_zone = name, time_zone
        self._flavour: Flavour | None = None
        self.version = ""
        address = driver_url(url)
        options = {
            "charset": "utf8mb4",
            "connect_timeout": max(1, round(connect_seconds)),
            "read_timeout": read_seconds,
            "write_timeout": read_seconds,
        }
        self._engine: Engine = create_engine(
            address,
            connect_args=options,
            pool_size=size,
            max_overflow=2,
            pool_timeout=connect_seconds,
            pool_pre_ping=True,
            pool_recycle=1500,
            hide_parameters=True,
            skip_autocommit_rollback=True,
        )
        event.listen(self._engine, "connect", self._prepare)
        self._address, self._options = address, {**options, "read_timeout": connect_seconds}

    @cached_property
    def _stopper(self) -> Engine:
        return create_engine(self._address, connect_args=self._options, poolclass=NullPool)

    @property
    def flavour(self) -> Flavour:
        """What kind of server it is; known once a session was opened."""
        if self._flavour is None:
            with self.connect():
                pass
        return cast(Flavour, self._flavour)

    def connect(self) -> Connection:
        """A session of the pool that is alive and prepared.

        Raises:
            WarehouseUnavailable: there is none to be had.
        """
        try:
            return self._engine.connect().execution_options(no_parameters=True)
        except DriverError as error:
            raise unreachable(error, self._name) from (getattr(error, "orig", None) or error)

    def begin(self, connection: Connection, seconds: float) -> None:
        """Start reading: a time limit for each statement and, where the server knows it, a read-only transaction."""
        connection.exec_driver_sql(self.flavour.time_limit(seconds))
        if self.flavour.begin:
            connection.exec_driver_sql(self.flavour.begin)

    def kill(self, session: int) -> None:
        """Stop what a session runs, from another one."""
        with self._stopper.connect() as connection:
            connection.exec_driver_sql(f"KILL QUERY {int(session)}")

    def dispose(self) -> None:
        """Close every session that is not in use."""
        self._engine.dispose()

    def _prepare(self, session: Any, _: object) -> None:
        with session.cursor() as cursor:
            flavour = self._flavour or self._recognise(cursor)
            for statement in flavour.session:
                cursor.execute(statement)
            for statement in flavour.wishes:
                try:
                    cursor.execute(statement)
                except pymysql.err.MySQLError as refused:
                    if number(refused) == 0:
                        raise
            if self._time_zone:
                self._set_time_zone(cursor, self._time_zone)

    def _recognise(self, cursor: Any) -> Flavour:
        cursor.execute("SELECT VERSION(), @@version_comment")
        version, comment = cursor.fetchone()
        self.version = str(version)
        self._flavour = flavour_of(self.version, str(comment))
        return self._flavour

    def _set_time_zone(self, cursor: Any, zone: str) -> None:
        try:
            cursor.execute("SET SESSION time_zone = %s", (zone,))
        except pymysql.err.MySQLError as error:
            offset = fixed_offset(zone) if number(error) == ZONE else None
            if offset is None:
                raise
            self._time_zone = offset
            cursor.execute("SET SESSION time_zone = %s", (offset,))


def session_of(connection: Connection) -> int:
    """The server's number for this session."""
    driver = cast(Any, connection.connection.dbapi_connection)
    if driver is None:
        raise WarehouseUnavailable("the session was closed")
    return int(driver.thread_id())
