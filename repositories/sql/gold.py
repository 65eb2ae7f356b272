"""Statements that somebody trusts, run as they are written; for measuring, never for answering.

Reads happen in a read-only transaction with the server's clock held, so that CURDATE() means the same day every time.
"""

import gzip
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pymysql
from pymysql.constants import CLIENT

from data_agent.errors import InvalidInput, InvalidSettings, StatementFailed
from repositories.sql.engine import driver_url
from repositories.sql.errors import DriverError, outage, text, unreachable

SECONDS = 10.0
MAX_ROWS = 50_000
IDENTIFIERS = "lower_case_table_names"


class GoldMySQL:
    """One server; `url` may name a database or none. `now` holds the clock still, in every session."""

    dialect = "mysql"

    def __init__(self, url: str, now: datetime | None = None) -> None:
        self._address, self._now = driver_url(url), now

    def run(self, sql: str, database: str = "") -> list[tuple[Any, ...]]:
        """The rows of one statement, at most 50,000, within 10 s.

        Raises:
            StatementFailed: the server complained.
            WarehouseUnavailable, WarehouseTimeout: it did not answer.
        """
        with self._session(database) as session, self._complaining(), session.cursor() as cursor:
            cursor.execute(f"SET SESSION max_execution_time = {int(SECONDS * 1000)}")
            if self._now:
                cursor.execute("SET SESSION time_zone = '+00:00', timestamp = %s", (self._now.timestamp(),))
            cursor.execute("START TRANSACTION READ ONLY")
            cursor.execute(sql)
            return [tuple(row) for row in cursor.fetchmany(MAX_ROWS)]

    def load(self, name: str, dump: Path) -> bool:
        """Make the database from a dump (.sql or .sql.gz); False when it holds tables already.

        Raises:
            InvalidInput: the dump cannot be read.
            InvalidSettings: the server keeps the case of table names, which dumps made elsewhere do not expect.
        """
        with self._session() as session, self._complaining(), session.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = %s", (name,))
            if cursor.fetchone()[0]:
                return False
            cursor.execute(f"SELECT @@{IDENTIFIERS}")
            if cursor.fetchone()[0] == 0:
                raise InvalidSettings(
                    f"the server has {IDENTIFIERS} = 0",
                    hint=f"start a new one with --{IDENTIFIERS.replace('_', '-')}=1",
                )
            cursor.execute(f"CREATE DATABASE IF NOT EXISTS `{name}` CHARACTER SET utf8mb4")
            cursor.execute(f"USE `{name}`")
            cursor.execute(_read(dump))
            while cursor.nextset():
                pass
            session.commit()
            return True

    @contextmanager
    def pooling(self, name: str, views: Mapping[str, tuple[str, str]]) -> Iterator[None]:
        """A database of views (name → database and table) for as long as it is needed.

        Raises:
            InvalidInput: there is a database of that name already.
            StatementFailed: the server complained.
        """
        with self._session() as session, self._complaining(), session.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = %s", (name,))
            if cursor.fetchone()[0]:
                raise InvalidInput(f"the server has a database {name} already", hint=f"DROP DATABASE {name}")
            cursor.execute(f"CREATE DATABASE `{name}` CHARACTER SET utf8mb4")
            for view, (database, table) in views.items():
                cursor.execute(f"CREATE VIEW `{name}`.`{view}` AS SELECT * FROM `{database}`.`{table}`")
        try:
            yield
        finally:
            with self._session() as session, self._complaining(), session.cursor() as cursor:
                cursor.execute(f"DROP DATABASE `{name}`")

    @contextmanager
    def _session(self, database: str = "") -> Iterator[Any]:
        address = self._address
        try:
            session = pymysql.connect(
                host=address.host or "127.0.0.1",
                port=address.port or 3306,
                user=address.username or "root",
                password=address.password or "",
                database=database or address.database or None,
                charset="utf8mb4",
                client_flag=CLIENT.MULTI_STATEMENTS,
            )
        except DriverError as error:
            raise unreachable(error, "the server") from error
        with closing(session):
            yield session

    @contextmanager
    def _complaining(self) -> Iterator[None]:
        try:
            yield
        except DriverError as error:
            raise outage(error, "the server", SECONDS) or StatementFailed(text(error)) from error


def _read(dump: Path) -> str:
    try:
        held = dump.read_bytes()
        return (gzip.decompress(held) if dump.suffix == ".gz" else held).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{dump} cannot be read: {error}") from error
