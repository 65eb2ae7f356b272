"""Put the hits together, add what recall cannot see, and read the question."""

from data_agent.catalog.joins import JoinGraph
from data_agent.context import DataAgentContext, Run
from data_agent.domain.metric import Metric
from data_agent.domain.reading import Reading
from data_agent.errors import StoreUnavailable
from data_agent.events import Reasoning
from data_agent.linking.link import link
from data_agent.linking.merge import merged_tables
from data_agent.reading.explain import explain
from data_agent.reading.read import read
from data_agent.state import DataAgentState
from data_agent.step import say, step

_BRANCHES = ("recalled_columns", "recalled_values", "recalled_metrics")


@step("合并召回")
async def merge_retrieved_info(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Metrics bring their columns, tables their keys and the joins between them, values go to their columns."""
    context = runtime.context
    if all(state.get(branch) is None for branch in _BRANCHES):
        raise StoreUnavailable(
            "三路召回都失败了 / all three recall branches failed",
            hint="run `data-agent doctor` to see which store is down",
        )
    reading = _read(state, context)
    say(runtime, Reasoning(text=explain(reading, context.catalog, reading.language), reading=reading))
    metrics = _metrics(state, context, reading)
    tables, joins = merged_tables(
        context.catalog,
        JoinGraph.of(context.catalog.relationships),
        best=_best_tables(state, context, reading),
        values=state["recalled_values"] or (),
        metrics=metrics,
    )
    return {"reading": reading, "metrics": metrics, "tables": list(tables), "joins": list(joins)}


def _read(state: DataAgentState, context: DataAgentContext) -> Reading:
    return read(
        state["query"],
        catalog=context.catalog,
        lexicon=context.lexicon,
        values=state["recalled_values"] or (),
        now=context.clock.now(),
        calendar=context.options.calendar,
        margin=context.options.ambiguity_margin,
        choices=state["choices"],
        previous=state.get("previous"),
    )


def _best_tables(state: DataAgentState, context: DataAgentContext, reading: Reading) -> list[str]:
    """The tables a complete reading names; else those that schema linking ranks first, for the model to choose from."""
    if not context.options.needs_model(reading):
        return list(reading.tables)
    found, values = state["recalled_columns"] or (), state["recalled_values"] or ()
    linked = link(found, context.catalog, state["keywords"], values)
    return [name for name, _ in linked.tables[: context.options.max_tables]]


def _metrics(state: DataAgentState, context: DataAgentContext, reading: Reading) -> list[Metric]:
    """The metrics that were read first, then the recalled ones, with those they are computed from."""
    names = [part.metric for part in reading.metrics if part.metric]
    names += [hit.metric for hit in state["recalled_metrics"] or ()][: context.options.max_tables]
    found = [metric for name in dict.fromkeys(names) if (metric := context.catalog.metric(name))]
    for metric in found:
        found += [part for part in context.catalog.parts_of(metric) if part not in found]
    return found
