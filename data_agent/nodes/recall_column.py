"""Find the tables and columns the question may be about, by meaning and by words."""

from data_agent.context import Run
from data_agent.domain.catalog import Catalog
from data_agent.domain.value import ColumnHit
from data_agent.state import DataAgentState
from data_agent.step import or_degrade, step


@step("召回字段")
async def recall_column(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Search vectors and text at once; hits outside the caller's view are dropped."""
    context, words = runtime.context, state["keywords"]

    async def search() -> list[ColumnHit]:
        vectors = await context.embedder.embed([state["query"], *words])
        found = await context.column_index.search(vectors, words, context.options.recall_limit)
        return [hit for hit in found if _in_view(hit, context.catalog)]

    return {"recalled_columns": await or_degrade(runtime, "column_index", search)}


def _in_view(hit: ColumnHit, catalog: Catalog) -> bool:
    table = catalog.table(hit.table)
    return table is not None and (not hit.column or table.column(hit.column) is not None)
