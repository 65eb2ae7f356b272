"""A statement that the rewriter left bare never reaches the warehouse of a restricted caller."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from data_agent.ask_warehouse import let, probe
from data_agent.errors import UnsafeSql
from data_agent.options import Limits, Options
from data_agent.policy import rights as rights_module
from data_agent.policy.rights import Rights
from tests.cases.policy_star import CALLER, POLICY, star


class Warehouse:
    """Counts what it is asked."""

    dialect = "mysql"

    def __init__(self) -> None:
        self.asked = 0

    async def version(self) -> str:
        return "9.7.0"

    async def fetch(self, *_: object) -> None:
        self.asked += 1


def run() -> tuple[Any, Warehouse]:
    rights, warehouse = Rights.of(star(), POLICY, CALLER), Warehouse()
    context = SimpleNamespace(rights=rights, catalog=rights.view, warehouse=warehouse, options=Options())
    return cast("Any", SimpleNamespace(context=context)), warehouse


async def test_a_rewritten_statement_is_let_through() -> None:
    runtime, _ = run()
    assert "WHERE" in (await let(runtime, "SELECT SUM(amount) FROM orders", Limits())).admitted.sql


async def test_a_rewriter_that_forgets_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rights_module, "rewrite", lambda tree, *_, **__: tree)
    runtime, warehouse = run()
    with pytest.raises(UnsafeSql) as refusal:
        await let(runtime, "SELECT SUM(amount) FROM orders", Limits())
    assert refusal.value.reason_code == "policy_not_proven"
    assert await probe(runtime, "SELECT SUM(amount) FROM orders") is None
    assert warehouse.asked == 0
