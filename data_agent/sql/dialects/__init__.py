"""Facts per dialect as data, and which facts hold for a given server."""

import re

from data_agent.sql.dialects import duckdb, mariadb, mysql
from data_agent.sql.dialects.facts import Facts

_BY_NAME = {"mysql": mysql.FACTS, "mariadb": mariadb.FACTS, "duckdb": duckdb.FACTS}


def facts_for(dialect: str, version: str = "") -> Facts | None:
    """The facts of a dialect; a MySQL server that says it is MariaDB gets MariaDB's. None: not known."""
    name = dialect.casefold()
    if name == "mysql" and "mariadb" in version.casefold():
        name = "mariadb"
    return _BY_NAME.get(name)


def version_of(text: str) -> tuple[int, ...]:
    """The numbers of a server version: `8.0.35-log` → (8, 0, 35); empty when there are none."""
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", text.removeprefix("5.5.5-"))
    return tuple(int(part) for part in found.groups() if part) if found else ()
