"""Say why a result is empty: data that has not come yet, or the one condition that removed the rows."""

import asyncio

from data_agent.answers.emptiness import finding, in_future, is_empty, said, suspects
from data_agent.ask_warehouse import probe
from data_agent.context import Run
from data_agent.domain.language import language_of
from data_agent.sql.weaken import without_each
from data_agent.state import DataAgentState
from data_agent.step import step

MOST, SECONDS = 6, 5.0


@step("解释空值")
async def explain_empty(state: DataAgentState, runtime: Run) -> DataAgentState:
    """At most six admitted side questions within five seconds; nothing is said that was not seen."""
    reading, composed = state["reading"], state["written_by"] == "reading"
    if not is_empty(state["rows"], len(reading.dimensions) if composed and reading.metrics else 0):
        return {}
    if future := in_future(reading, state["newest"]):
        return {"why_empty": [future]}
    try:
        async with asyncio.timeout(SECONDS):
            why = await (_by_reading(state, runtime) if composed else _by_statement(state, runtime))
    except TimeoutError:
        why = []
    return {"why_empty": why}


async def _by_reading(state: DataAgentState, runtime: Run) -> list[str]:
    reading, found, seen = state["reading"], [], 0
    every = list(suspects(reading, runtime.context.catalog))
    for suspect in every[:MOST]:
        rows = await probe(runtime, suspect.reading)
        if rows is not None:
            seen += 1
            found.append(finding(suspect, rows, reading.language))
            if suspect.kind == "having" and found[-1]:
                break
    told = [text for text in found if text]
    return told or ([said("together", reading.language)] if len(every) == seen > 1 else [])


async def _by_statement(state: DataAgentState, runtime: Run) -> list[str]:
    told, language = [], language_of(state["query"])
    for condition, sql in without_each(state["sql"], runtime.context.warehouse.dialect, MOST):
        rows = await probe(runtime, sql)
        if rows is not None and not is_empty(rows, 0):
            told.append(said("condition", language, condition=condition))
    return told
