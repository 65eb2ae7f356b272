"""MariaDB: MySQL's grammar with gaps of its own."""

from dataclasses import replace

from data_agent.sql.dialects import mysql
from data_agent.sql.dialects.facts import Gate

FACTS = replace(
    mysql.FACTS,
    name="mariadb",
    gates=(
        Gate("with", (10, 2, 1)),
        Gate("window", (10, 2)),
        Gate("lateral", None),
        Gate("intersect", (10, 3)),
        Gate("except", (10, 3)),
        Gate("regexp_function", None),
        Gate("json_arrow", None),
        Gate("any_value", None),
        Gate("qualify", None),
        Gate("filter", None),
    ),
    absent=frozenset({"JSON_STORAGE_SIZE", "BIN_TO_UUID", "UUID_TO_BIN", "IS_UUID", "JSON_SCHEMA_VALID"}),
)
