"""The cap goes on the outermost query and only ever lowers; orders, offsets and inner limits stay what they are."""

import pytest

from data_agent.options import Limits
from data_agent.sql.admit import admit
from tests.cases.sql_shop import sql_shop

ARMS = "SELECT id FROM orders UNION ALL SELECT id FROM refunds"


@pytest.mark.parametrize("dialect", ["mysql", "mariadb", "duckdb"])
@pytest.mark.parametrize(
    ("sql", "expected", "ours"),
    [
        ("SELECT id FROM orders LIMIT 10, 5", "SELECT id FROM orders LIMIT 5 OFFSET 10", False),
        ("SELECT id FROM orders LIMIT 10, 500", "SELECT id FROM orders LIMIT 100 OFFSET 10", True),
        ("SELECT id FROM orders LIMIT 0", "SELECT id FROM orders LIMIT 0", False),
        ("SELECT id FROM orders LIMIT 18446744073709551615", "SELECT id FROM orders LIMIT 100", True),
        (ARMS, f"{ARMS} LIMIT 100", True),
        (f"{ARMS} ORDER BY id DESC LIMIT 3", f"{ARMS} ORDER BY id DESC LIMIT 3", False),
        (f"{ARMS} LIMIT 5000", f"{ARMS} LIMIT 100", True),
        (f"({ARMS.replace(' UNION', ') UNION').replace('ALL SELECT', 'ALL (SELECT')})", None, True),
        ("((SELECT id FROM orders ORDER BY id LIMIT 5))", "SELECT id FROM orders ORDER BY id LIMIT 5", False),
        ("(SELECT id FROM orders LIMIT 500) LIMIT 5", "(SELECT id FROM orders LIMIT 500) LIMIT 5", False),
        ("(SELECT id FROM orders LIMIT 5) LIMIT 500", "(SELECT id FROM orders LIMIT 5) LIMIT 100", True),
        (
            "(SELECT id FROM orders ORDER BY id) ORDER BY id DESC",
            "(SELECT id FROM orders ORDER BY id) ORDER BY id DESC LIMIT 100",
            True,
        ),
        (
            "WITH a AS (SELECT id FROM orders LIMIT 700) SELECT id FROM a ORDER BY id",
            "WITH a AS (SELECT id FROM orders LIMIT 700) SELECT id FROM a ORDER BY id LIMIT 100",
            True,
        ),
        ("SELECT id FROM orders FETCH FIRST 3 ROWS ONLY", "SELECT id FROM orders LIMIT 3", False),
        (
            "SELECT x.id FROM (SELECT id FROM orders ORDER BY id LIMIT 500) x",
            "SELECT x.id FROM (SELECT id FROM orders ORDER BY id LIMIT 500) AS x LIMIT 100",
            True,
        ),
        (
            "(SELECT id FROM orders LIMIT 3) UNION (SELECT id FROM refunds) LIMIT 2 OFFSET 1",
            "(SELECT id FROM orders LIMIT 3) UNION (SELECT id FROM refunds) LIMIT 2 OFFSET 1",
            False,
        ),
    ],
)
def test_the_cap_is_the_outermost_limit_and_never_higher(
    sql: str, expected: str | None, ours: bool, dialect: str
) -> None:
    found = admit(sql, catalog=sql_shop(), dialect=dialect, limits=Limits(max_rows=100), version="11.4.0")
    assert found.sql == (expected or f"{sql} LIMIT 100")
    assert (found.limit, found.capped) == (int(found.sql.rpartition("LIMIT ")[2].split()[0]), ours)
    assert found.limit <= 100
