"""Find the stored values the question may mean."""

import asyncio
from collections.abc import Sequence

from data_agent.ask_warehouse import probe
from data_agent.context import Run
from data_agent.domain.value import Value
from data_agent.errors import DataAgentError, DependencyError
from data_agent.linking.beyond import cut_columns, holding, likened, unanswered
from data_agent.options import Limits
from data_agent.policy.rights import Rights
from data_agent.policy.values import MOST, certain, confirmed, existing, in_question
from data_agent.state import DataAgentState
from data_agent.step import or_degrade, step
from data_agent.verify.verify import verify

_SECONDS = 2.0


@step("召回取值")
async def recall_value(state: DataAgentState, runtime: Run) -> DataAgentState:
    """One request for all keywords; values of columns outside the caller's view are dropped.

    Columns with more values than are indexed are looked up in the warehouse, for the words that were not found.
    """
    context = runtime.context

    async def search() -> list[Value]:
        found = await context.value_index.search(state["keywords"], context.options.value_limit)
        if context.rights is None:
            found = [value for value in found if context.catalog.column(value.column_id)]
        else:
            found = await _permitted(found, context.rights, runtime)
        return found + await _beyond(state["keywords"], found, runtime)

    return {"recalled_values": await or_degrade(runtime, "value_index", search)}


async def _permitted(found: Sequence[Value], rights: Rights, runtime: Run) -> list[Value]:
    """Values that may stand in hidden rows only are looked up as the caller; unless seen there, they are dropped."""
    kept = {id(value) for value in certain(found, rights)}
    for values in in_question(found, rights).values():
        kept |= {id(value) for value in await _existing(values, rights, runtime)}
    return [value for value in found if id(value) in kept]


async def _existing(values: Sequence[Value], rights: Rights, runtime: Run) -> list[Value]:
    warehouse = runtime.context.warehouse
    try:
        statement = existing(values, rights, warehouse.dialect, await warehouse.version())
        verify(
            statement.sql,
            dialect=statement.dialect,
            catalog=rights.whole,
            policy=rights.policy,
            caller=rights.caller,
        )
        rows = await warehouse.fetch(statement, Limits(max_rows=2 * MOST, seconds=_SECONDS))
    except DataAgentError:
        return []
    return list(confirmed(values, rows.rows))


async def _beyond(words: Sequence[str], found: Sequence[Value], runtime: Run) -> list[Value]:
    """Values that are not in the index, seen with the caller's rights within two seconds."""
    context, rights = runtime.context, runtime.context.rights
    seen: list[Value] = []
    try:
        async with asyncio.timeout(_SECONDS):
            columns = cut_columns(context.catalog, await context.value_index.parts())
            columns = [column for column in columns if rights is None or not rights.masks(column.id)]
            asked = unanswered(words, found, {word for word in words if context.lexicon.lookup(word)})
            for column in columns if asked else ():
                rows = await probe(runtime, holding(column, asked, context.warehouse.dialect))
                seen += likened(column, asked, rows.rows, context.options.value_limit) if rows else ()
    except (TimeoutError, DependencyError):  # what the index found stays
        pass
    return seen
