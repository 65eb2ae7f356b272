"""Keep only the metrics the question needs."""

from pydantic import BaseModel

from data_agent.ask_model import ask_structured
from data_agent.catalog.choose import chosen_metrics
from data_agent.catalog.describe import fits, metrics_text
from data_agent.context import Run
from data_agent.domain.language import language_of
from data_agent.prompts import render
from data_agent.state import DataAgentState
from data_agent.step import step


class MetricChoice(BaseModel):
    """Numbers or names of the metrics to keep."""

    metrics: list[str] = []


@step("过滤指标")
async def filter_metric(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Let the model choose, let the code cut: a name it invents selects nothing, an empty choice keeps all."""
    options, tables, metrics = runtime.context.options, state["tables"], state["metrics"]
    if not options.needs_model(state["reading"]) or runtime.context.llm is None:
        return {}
    if len(metrics) <= 1 or fits(tables, metrics, options.token_budget):
        return {}
    prompt = render(
        "filter_metric", language_of(state["query"]), question=state["query"], metrics=metrics_text(metrics)
    )
    choice = await ask_structured(runtime, "filter_metric", prompt, MetricChoice)
    return {"metrics": list(chosen_metrics(metrics, choice.metrics)) or metrics}
