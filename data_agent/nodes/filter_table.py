"""Keep only the tables and columns the question needs."""

from pydantic import BaseModel

from data_agent.ask_model import ask_structured
from data_agent.catalog.choose import chosen_tables
from data_agent.catalog.describe import fits, metrics_text, tables_text, within_budget
from data_agent.context import Run
from data_agent.domain.language import language_of
from data_agent.linking.link import link
from data_agent.prompts import render
from data_agent.state import DataAgentState
from data_agent.step import step


class TableChoice(BaseModel):
    """Numbers or names of the tables to keep, and `table.column` names of the columns to keep in them."""

    tables: list[str] = []
    columns: list[str] = []


@step("过滤表格")
async def filter_table(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Let the model choose, let the code cut: a name it invents selects nothing, an empty choice keeps all."""
    options, tables, metrics = runtime.context.options, state["tables"], state["metrics"]
    if not options.needs_model(state["reading"]) or runtime.context.llm is None:
        return {}
    if fits(tables, metrics, options.token_budget):
        return {}
    ranks = _ranks(state, runtime)
    shown = within_budget(tables, ranks, options.filter_budget)
    prompt = render(
        "filter_table",
        language_of(state["query"]),
        question=state["query"],
        tables=tables_text(shown),
        metrics=metrics_text(metrics),
    )
    choice = await ask_structured(runtime, "filter_table", prompt, TableChoice)
    kept = chosen_tables(tables, choice.tables, choice.columns, state["joins"], metrics)
    return {"tables": list(within_budget(kept or tables, ranks, options.filter_budget))}


def _ranks(state: DataAgentState, runtime: Run) -> dict[str, int]:
    """Columns by what linking thinks of them: where not all can be shown, the likeliest are."""
    found, values = state["recalled_columns"] or (), state["recalled_values"] or ()
    linked = link(found, runtime.context.catalog, state["keywords"], values)
    return {name: rank for rank, (name, _) in enumerate(linked.columns)}
