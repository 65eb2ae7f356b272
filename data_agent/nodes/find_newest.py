"""Say how fresh the data is: the newest value of what dates the answer's numbers."""

from datetime import timedelta

from data_agent.answers.freshness import newest_of, time_columns
from data_agent.ask_warehouse import probe
from data_agent.context import Run
from data_agent.domain.reading import Reading
from data_agent.state import DataAgentState
from data_agent.step import step

KEPT = timedelta(minutes=5)


@step("核对时效")
async def find_newest(state: DataAgentState, runtime: Run) -> DataAgentState:
    """One cheap query a column, remembered for five minutes; of several columns, the one that lags behind counts."""
    admitted = state["admitted"]
    columns = time_columns(state["reading"], admitted.tables if admitted else (), runtime.context.catalog)
    found = [newest for column in columns[:2] if (newest := await _newest(column, state["reading"], runtime))]
    return {"newest": min(found, default="")}


async def _newest(column: str, reading: Reading, runtime: Run) -> str:
    """The newest day in a column; empty when it cannot be told. Who sees other rows has another memory."""
    context = runtime.context
    asker = (context.caller.role, *sorted(context.caller.attributes.items())) if context.rights else ()
    key, now = (context.catalog.version, column, asker), context.clock.now()
    until, newest = context.newest.get(key, (now, ""))
    if until > now:
        return newest
    rows = await probe(runtime, newest_of(column, reading), seconds=1.0)
    newest = str(rows.rows[0][0] or "")[:10] if rows and rows.rows else ""
    context.newest[key] = (now + KEPT, newest)
    return newest
