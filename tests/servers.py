"""Real servers for tests: addresses, and databases that no other test run shares.

A server is looked for in this order: `TEST_<NAME>_URL`, the script in `services/`, testcontainers when it is installed.
When there is none the test is skipped, or fails under `REQUIRE_SERVICES=1`. Servers of a script keep running, so that
the next run starts at once; the script takes a lock, so several runs may ask at the same time.
"""

import contextlib
import importlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pymysql
import pytest
from sqlalchemy import make_url

SERVICES = Path(__file__).parent.parent / "services"
FIXTURE = Path(__file__).parent / "cases" / "fixture.sql"
START_SECONDS = 300


def missing(name: str, reason: str) -> str:
    """Skip the test, or fail it where servers are required."""
    if os.environ.get("REQUIRE_SERVICES") == "1":
        pytest.fail(f"{name} is required and cannot be had: {reason}", pytrace=False)
    pytest.skip(f"no {name}: {reason}")


def from_script(name: str) -> str:
    """The address that `services/<name>.sh up` prints."""
    script = SERVICES / f"{name}.sh"
    done = subprocess.run([script, "up"], capture_output=True, text=True, timeout=START_SECONDS, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{script.name}: {done.stderr.strip()[-300:]}")
    return done.stdout.strip().splitlines()[-1]


CONTAINERS = {
    "mysql": ("testcontainers.mysql:MySqlContainer", "mysql:8.4", 3306, "mysql+pymysql://root:{password}@{place}/"),
    "mariadb": (
        "testcontainers.mysql:MySqlContainer",
        "mariadb:10.11",
        3306,
        "mysql+pymysql://root:{password}@{place}/",
    ),
    "elasticsearch": (
        "testcontainers.elasticsearch:ElasticSearchContainer",
        "elasticsearch:8.19.3",
        9200,
        "http://{place}",
    ),
    "redis": ("testcontainers.redis:RedisContainer", "redis:7", 6379, "redis://{place}/0"),
}
"""Class, image, port inside the container, address outside."""


@contextlib.contextmanager
def container_of(name: str) -> Iterator[str]:
    """The address of a container that lives as long as the session."""
    where, image, port, url = CONTAINERS[name]
    module, _, kind = where.partition(":")
    with getattr(importlib.import_module(module), kind)(image) as running:
        place = f"{running.get_container_host_ip()}:{running.get_exposed_port(port)}"
        yield url.format(place=place, password=getattr(running, "root_password", ""))


@contextlib.contextmanager
def address(name: str, native: Callable[[], str]) -> Iterator[str]:
    """The address of a server, by the first way that gives one."""
    with contextlib.ExitStack() as stack:
        if (found := os.environ.get(f"TEST_{name.upper()}_URL", "")) == "":
            try:
                found = native()
            except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
                found = in_container(name, stack, f"{error}")
        yield found


def in_container(name: str, stack: contextlib.ExitStack, reason: str) -> str:
    """The address of a container, which ends with `stack`; `reason` is why nothing else worked."""
    try:
        return stack.enter_context(container_of(name))
    except Exception as error:  # noqa: BLE001  a container engine fails in many ways, also while importing
        return missing(name, f"{reason}; {type(error).__name__}: {error}"[:500])


@pytest.fixture(scope="session")
def mysql_url() -> Iterator[str]:
    """A MySQL server, as `mysql+pymysql://user@host:port/` with no database."""
    with address("mysql", lambda: from_script("mysql")) as url:
        yield url


@pytest.fixture(scope="session")
def mariadb_url() -> Iterator[str]:
    """A MariaDB server."""
    with address("mariadb", lambda: from_script("mariadb")) as url:
        yield url


@pytest.fixture(scope="session")
def elasticsearch_url() -> Iterator[str]:
    """An Elasticsearch node, as `http://host:port`."""
    with address("elasticsearch", lambda: from_script("elasticsearch")) as url:
        yield url


class OwnNode:
    """An Elasticsearch node that a test may freeze and kill; `start` brings it back with the data it had.

    Its programs are those of the shared node, its port and its data are its own.
    """

    def __init__(self) -> None:
        from_script("elasticsearch")  # installs the programs
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self._settings = {"ES_ROOT": f"own-{os.getpid()}-{port}", "ES_PORT": str(port), "ES_HEAP": "256m"}

    def start(self) -> None:
        """Start it, unless it runs."""
        self._script("up")

    def signal(self, number: int) -> None:
        """Send the server's process a signal."""
        os.kill(int(self._script("pid")), number)

    def remove(self) -> None:
        """Kill it and delete its data."""
        with contextlib.suppress(OSError, ValueError):
            self.signal(signal.SIGKILL)
        self._script("remove")

    def _script(self, verb: str) -> str:
        done = subprocess.run(
            [SERVICES / "elasticsearch.sh", verb],
            env=os.environ | self._settings,
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
            check=False,
        )
        return done.stdout.strip() if done.returncode == 0 else missing("elasticsearch", done.stderr.strip()[-300:])


@pytest.fixture(scope="module")
def own_node() -> Iterator[OwnNode]:
    """An Elasticsearch node for one test module, to be ill-treated."""
    node = OwnNode()
    try:
        node.start()
        yield node
    finally:
        node.remove()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A Redis server."""
    with address("redis", lambda: from_script("redis")) as url:
        yield url


class OwnRedis:
    """A Redis server that a test may freeze and kill."""

    def __init__(self) -> None:
        from_script("redis")  # installs the program
        port = free_port()
        self.url = f"redis://127.0.0.1:{port}/0"
        options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        quiet = subprocess.DEVNULL
        self._server = subprocess.Popen(["redis-server", *options], stdout=quiet, stderr=quiet)
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)

    def signal(self, number: int) -> None:
        """Send the server's process a signal."""
        self._server.send_signal(number)

    def remove(self) -> None:
        """Kill it."""
        self._server.kill()
        self._server.wait(10)


@pytest.fixture
def own_redis() -> Iterator[OwnRedis]:
    """A Redis server for one test, to be ill-treated."""
    try:
        server = OwnRedis()
    except RuntimeError as error:
        missing("redis", f"{error}")
    try:
        yield server
    finally:
        server.remove()


def run_sql(url: str, statements: str) -> None:
    """Run statements as the owner of the server, one after the other; a semicolon ends each line that ends one."""
    address = make_url(url)
    connection = pymysql.connect(
        host=address.host or "127.0.0.1",
        port=address.port or 3306,
        user=address.username or "root",
        password=address.password or "",
        database=address.database or None,
        charset="utf8mb4",
        autocommit=True,
    )
    with contextlib.closing(connection), connection.cursor() as cursor:
        for statement in statements.split(";\n"):
            if statement.strip():
                cursor.execute(statement)


@contextlib.contextmanager
def own_database(url: str) -> Iterator[str]:
    """The address of a new, empty database, dropped in the end. Names never meet, whoever else uses the server."""
    name = f"test_{os.getpid()}_{uuid4().hex[:8]}"
    run_sql(url, f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
    try:
        yield make_url(url).set(database=name).render_as_string(hide_password=False)
    finally:
        run_sql(url, f"DROP DATABASE IF EXISTS {name}")


@pytest.fixture(scope="module")
def mysql_database(mysql_url: str) -> Iterator[str]:
    """An empty MySQL database for one test module."""
    with own_database(mysql_url) as url:
        yield url


@pytest.fixture(scope="module")
def mariadb_database(mariadb_url: str) -> Iterator[str]:
    """An empty MariaDB database for one test module."""
    with own_database(mariadb_url) as url:
        yield url


@pytest.fixture(scope="module")
def fixture_database(mysql_url: str) -> Iterator[str]:
    """A MySQL database for one test module with the small shop of `cases/fixture.sql`."""
    with own_database(mysql_url) as url:
        run_sql(url, FIXTURE.read_text(encoding="utf-8"))
        yield url
