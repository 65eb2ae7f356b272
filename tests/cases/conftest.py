"""The small shop on a real MySQL server, asked through the real adapter."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.answer import Rows
from data_agent.options import Limits
from repositories.sql.warehouse import MySQLWarehouse

Ask = Callable[[str], Awaitable[Rows]]


@pytest.fixture
async def shop(fixture_database: str) -> AsyncIterator[MySQLWarehouse]:
    made = MySQLWarehouse(fixture_database, name="shop", time_zone="Asia/Shanghai")
    yield made
    await made.close()


@pytest.fixture
def ask(shop: MySQLWarehouse) -> Ask:
    """Prove a statement, then run it."""

    async def proven(sql: str) -> Rows:
        admitted = AdmittedSql(sql=sql, dialect="mysql", tables=())
        plan = await shop.explain(admitted)
        assert plan.complaint is None, plan.complaint
        return await shop.fetch(admitted, Limits())

    return proven
