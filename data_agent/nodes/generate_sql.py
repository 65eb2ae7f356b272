"""Write the statement: composed from a complete reading, else by the model with the reading as hints."""

from collections.abc import Mapping

from data_agent.answers.messages import how_to_go_on, not_understood
from data_agent.ask_model import ask_text
from data_agent.catalog.describe import schema_text
from data_agent.composing.chosen import compose_as_chosen
from data_agent.context import DataAgentContext, Run
from data_agent.domain.language import language_of
from data_agent.domain.reading import Ambiguity, Reading
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
    composed = _composed(reading, state["choices"], runtime) if context.options.composes(reading) else None
    if composed is not None:
        return composed
    if _undecided(reading, context):
        return {"asked": list(reading.ambiguities)}
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
        "previous": None,
    }


def _composed(reading: Reading, choices: Mapping[str, str], runtime: Run) -> DataAgentState | None:
    """The composed statement or what to ask first; None when it cannot be composed but a model may still write it."""
    context = runtime.context
    try:
        composed, reading = compose_as_chosen(
            reading,
            choices,
            catalog=context.catalog,
            dialect=context.warehouse.dialect,
            now=context.clock.now(),
            calendar=context.options.calendar,
        )
    except NeedsClarification as error:
        return {"asked": [ambiguity for ambiguity in error.choices if isinstance(ambiguity, Ambiguity)]}
    except CannotAnswer as error:
        if context.llm is None:
            raise
        warn(runtime, error.message, "composing")
        return None
    say(runtime, PathDecision(path="reading", reason="the reading explains every word"))
    return {
        "reading": reading,
        "previous": reading,
        "sql": composed.sql,
        "written_by": "reading",
        "shape": list(composed.columns),
        "notes": [*reading.notes, *composed.notes],
    }


def _undecided(reading: Reading, context: DataAgentContext) -> bool:
    """Whether to ask a person: only ambiguity is in the way, or there is no model to ask.

    Raises:
        NotUnderstood: there is neither a model nor anything to choose.
    """
    if reading.ambiguities and (context.llm is None or not reading.unplaced):
        return True
    if context.llm is None:
        raise NotUnderstood(not_understood(reading), hint=how_to_go_on(reading.language))
    return False
