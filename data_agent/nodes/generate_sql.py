"""Write the statement: composed from a complete reading, else by the model with the reading as hints."""

from data_agent.answers.messages import not_understood, what_is_ambiguous
from data_agent.ask_model import ask_text
from data_agent.catalog.describe import schema_text
from data_agent.composing.compose import compose
from data_agent.context import DataAgentContext, Run
from data_agent.domain.language import language_of
from data_agent.domain.reading import Reading
from data_agent.errors import CannotAnswer, NeedsClarification, NotUnderstood
from data_agent.events import PathDecision
from data_agent.prompts import render
from data_agent.reading.explain import explain
from data_agent.sql.replies import clean
from data_agent.state import DataAgentState
from data_agent.step import say, step, warn


@step("生成语句")
async def generate_sql(state: DataAgentState, runtime: Run) -> DataAgentState:
    """A complete reading needs no model; an incomplete one without a model says which words have no place."""
    reading, context = state["reading"], runtime.context
    composed = _composed(reading, runtime) if context.options.composes(reading) else None
    if composed is not None:
        say(runtime, PathDecision(path="reading", reason="the reading explains every word"))
        return composed
    _ask_back(reading, context)
    say(runtime, PathDecision(path="model", reason="some words have no place in the reading"))
    prompt = render(
        "generate_sql",
        language_of(state["query"]),
        question=state["query"],
        schema=schema_text(state["tables"], state["metrics"], state["joins"]),
        extra=state["extra"],
        hints=explain(reading, context.catalog, reading.language),
        limit=context.options.limits.max_rows,
    )
    return {
        "sql": clean(await ask_text(runtime, "generate_sql", prompt), context.warehouse.dialect),
        "written_by": "model",
    }


def _composed(reading: Reading, runtime: Run) -> DataAgentState | None:
    """The composed statement; None when it cannot be composed but a model may still write it."""
    context = runtime.context
    try:
        composed = compose(
            reading,
            catalog=context.catalog,
            dialect=context.warehouse.dialect,
            now=context.clock.now(),
            calendar=context.options.calendar,
        )
    except CannotAnswer as error:
        if context.llm is None:
            raise
        warn(runtime, error.message, "composing")
        return None
    return {
        "sql": composed.sql,
        "written_by": "reading",
        "shape": list(composed.columns),
        "notes": list(composed.notes),
    }


def _ask_back(reading: Reading, context: DataAgentContext) -> None:
    """Ask a person when only ambiguity is in the way, or when there is no model to ask."""
    if reading.ambiguities and (context.llm is None or not reading.unplaced):
        raise NeedsClarification(what_is_ambiguous(reading), choices=reading.ambiguities)
    if context.llm is None:
        raise NotUnderstood(not_understood(reading), hint="set up a language model, or rephrase with the names above")
