"""Find the metrics the question may be about, by meaning and by words."""

from data_agent.context import Run
from data_agent.domain.value import MetricHit
from data_agent.state import DataAgentState
from data_agent.step import or_degrade, step


@step("召回指标")
async def recall_metric(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Search vectors and text at once; hits outside the caller's view are dropped."""
    context, words = runtime.context, state["keywords"]

    async def search() -> list[MetricHit]:
        vectors = await context.embedder.embed([state["query"], *words])
        found = await context.metric_index.search(vectors, words, context.options.recall_limit)
        return [hit for hit in found if context.catalog.metric(hit.metric)]

    return {"recalled_metrics": await or_degrade(runtime, "metric_index", search)}
