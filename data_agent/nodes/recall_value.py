"""Find the stored values the question may mean."""

from data_agent.context import Run
from data_agent.domain.value import Value
from data_agent.state import DataAgentState
from data_agent.step import or_degrade, step


@step("召回取值")
async def recall_value(state: DataAgentState, runtime: Run) -> DataAgentState:
    """One request for all keywords; values of columns outside the caller's view are dropped."""
    context = runtime.context

    async def search() -> list[Value]:
        found = await context.value_index.search(state["keywords"], context.options.value_limit)
        return [value for value in found if context.catalog.column(value.column_id)]

    return {"recalled_values": await or_degrade(runtime, "value_index", search)}
