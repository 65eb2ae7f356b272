"""The metadata store on a SQL database: MySQL on a server, SQLite in a file. One row an object, one pointer."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    insert,
    select,
    text,
)
from sqlalchemy.dialects.mysql import LONGTEXT
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from data_agent.domain.catalog import Catalog
from data_agent.errors import IndexMissing, StoreUnavailable

LISTS = ("tables", "metrics", "relationships", "domains", "documents")


class Tables:
    """Where catalogs lie; `space` begins the names of the tables, so that several can share one database."""

    def __init__(self, space: str) -> None:
        prefix = f"{space.replace('-', '_')}_" if space else ""
        self.schema = MetaData()
        self.live = Table(
            f"{prefix}catalog_live",
            self.schema,
            Column("id", Integer, primary_key=True, autoincrement=False),
            Column("version", String(64), nullable=False),
            Column("before", String(64), nullable=False),
        )
        self.objects = Table(
            f"{prefix}catalog_objects",
            self.schema,
            Column("version", String(64), primary_key=True),
            Column("position", Integer, primary_key=True, autoincrement=False),
            Column("kind", String(20), nullable=False),
            Column("body", Text().with_variant(LONGTEXT(), "mysql"), nullable=False),
            mysql_charset="utf8mb4",
        )


class SqlMetadata:
    """`Metadata` behind an SQLAlchemy URL (`sqlite:///file`, `mysql+pymysql://…`). Tables are made when first written.

    The catalog of a version never changes, so it is read once a process; asking again costs one small query.
    """

    def __init__(self, url: str, space: str = "") -> None:
        self._where = make_url(url).render_as_string(hide_password=True)
        self._engine = _engine(url)
        self._tables = Tables(space)
        self._known: Catalog | None = None

    async def catalog(self) -> Catalog:
        """The live catalog."""
        return await asyncio.to_thread(self._translated, self._read)

    async def replace(self, catalog: Catalog) -> None:
        """Make this the live catalog in one transaction."""
        await asyncio.to_thread(self._translated, lambda connection: self._write(connection, catalog), write=True)

    async def version(self) -> str:
        """The server's version, or SQLite's."""
        asked = "SELECT sqlite_version()" if self._engine.dialect.name == "sqlite" else "SELECT VERSION()"
        return str(await asyncio.to_thread(self._translated, lambda connection: connection.scalar(text(asked))))

    async def close(self) -> None:
        """Give back every connection."""
        await asyncio.to_thread(self._engine.dispose)

    def _translated(self, work: Any, *, write: bool = False) -> Any:
        try:
            if write:
                self._tables.schema.create_all(self._engine)
            with self._engine.begin() as connection:
                return work(connection)
        except SQLAlchemyError as error:
            if _is_missing_table(error):
                raise self._missing() from error
            raise StoreUnavailable(
                f"the metadata database {self._where} cannot be used: {_reason(error)}",
                hint="check metadata.url, that the server runs, and the account's rights",
            ) from error

    def _missing(self) -> IndexMissing:
        return IndexMissing(
            f"the metadata database {self._where} is empty: nothing has been indexed yet", hint="run: data-agent index"
        )

    def _read(self, connection: Connection) -> Catalog:
        live, objects = self._tables.live, self._tables.objects
        version = connection.scalar(select(live.c.version).where(live.c.id == 1))
        if version is None:
            raise self._missing()
        if self._known is None or self._known.version != version:
            rows = connection.execute(
                select(objects.c.kind, objects.c.body).where(objects.c.version == version).order_by(objects.c.position)
            )
            self._known = put_together((kind, json.loads(body)) for kind, body in rows)
        return self._known

    def _write(self, connection: Connection, catalog: Catalog) -> None:
        live, objects = self._tables.live, self._tables.objects
        before = connection.scalar(select(live.c.version).where(live.c.id == 1)) or catalog.version
        connection.execute(delete(objects).where(objects.c.version == catalog.version))
        rows = [
            {"version": catalog.version, "position": position, "kind": kind, "body": body}
            for position, (kind, body) in enumerate(take_apart(catalog))
        ]
        connection.execute(insert(objects), rows)
        connection.execute(delete(live).where(live.c.id == 1))
        connection.execute(insert(live), {"id": 1, "version": catalog.version, "before": before})
        connection.execute(delete(objects).where(objects.c.version.not_in([catalog.version, before])))


def take_apart(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """The catalog as (kind, JSON) rows: its head, then every object."""
    yield "head", catalog.model_dump_json(include={"name", "version", "synonyms"})
    for kind in LISTS:
        objects: tuple[BaseModel, ...] = getattr(catalog, kind)
        yield from ((kind, one.model_dump_json()) for one in objects)


def put_together(rows: Iterator[tuple[str, Any]]) -> Catalog:
    """The catalog of such rows."""
    content: dict[str, Any] = {kind: [] for kind in LISTS}
    for kind, body in rows:
        if kind == "head":
            content.update(body)
        else:
            content[kind].append(body)
    return Catalog.model_validate(content)


def _engine(url: str) -> Engine:
    if make_url(url).get_backend_name() == "sqlite":
        engine = create_engine(url)
        event.listen(engine, "connect", _wait_for_writers)
        return engine
    return create_engine(url, pool_pre_ping=True, pool_recycle=1800, isolation_level="REPEATABLE READ")


def _wait_for_writers(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA busy_timeout = 10000")
    connection.execute("PRAGMA journal_mode = WAL")


def _is_missing_table(error: SQLAlchemyError) -> bool:
    """SQLite says it in words, MySQL with error 1146."""
    said = str(getattr(error, "orig", ""))
    return "no such table" in said or "1146" in said


def _reason(error: SQLAlchemyError) -> str:
    """The driver's own words, without the statement and its parameters."""
    return str(getattr(error, "orig", None) or type(error).__name__).splitlines()[0]
