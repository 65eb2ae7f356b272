"""Where nodes bring a statement before the guard, and where they ask the warehouse small questions on the side."""

import asyncio
from dataclasses import dataclass

from data_agent.composing.compose import compose
from data_agent.context import Run
from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.answer import Rows
from data_agent.domain.reading import Reading
from data_agent.errors import DataAgentError
from data_agent.options import Limits
from data_agent.policy.rights import Rewriting
from data_agent.sql.admit import admit
from data_agent.verify.verify import verify

MOST_ROWS, SECONDS = 200, 2.0


@dataclass(frozen=True)
class Let:
    """A statement that was let through; `policy` knows what it looked like before the caller's rights went in."""

    admitted: AdmittedSql
    policy: Rewriting | None

    @property
    def shown(self) -> str:
        """The statement as its reader may see it; empty: as it is."""
        return self.policy.shown(self.admitted) if self.policy else ""


async def let(runtime: Run, sql: str, limits: Limits) -> Let:
    """Bring a statement before the guard, with the caller's catalog and policy, and what comes out before the verifier.

    Raises:
        UnsafeSql: it is not admitted, or not proven to keep to the policy.
    """
    context, rights = runtime.context, runtime.context.rights
    policy = rights.rewriting(context.warehouse.dialect) if rights else None
    admitted = admit(
        sql,
        catalog=context.catalog,
        dialect=context.warehouse.dialect,
        limits=limits,
        version=await context.warehouse.version(),
        rewrite=policy,
    )
    if rights:
        verify(
            admitted.sql,
            dialect=admitted.dialect,
            catalog=rights.whole,
            policy=rights.policy,
            caller=rights.caller,
        )
    return Let(admitted, policy)


async def probe(runtime: Run, asked: str | Reading, *, seconds: float = SECONDS) -> Rows | None:
    """Rows of a side question: under the same guard, rights and limits, and quick; None when it cannot be had."""
    limits = runtime.context.options.limits
    small = limits.model_copy(
        update={"max_rows": min(limits.max_rows, MOST_ROWS), "seconds": min(limits.seconds, seconds)}
    )
    try:
        statement = await let(runtime, asked if isinstance(asked, str) else _composed(runtime, asked), small)
        async with asyncio.timeout(seconds):
            return await runtime.context.warehouse.fetch(statement.admitted, small)
    except (DataAgentError, TimeoutError):
        return None


def _composed(runtime: Run, reading: Reading) -> str:
    context = runtime.context
    return compose(
        reading,
        catalog=context.catalog,
        dialect=context.warehouse.dialect,
        now=context.clock.now(),
        calendar=context.options.calendar,
    ).sql
