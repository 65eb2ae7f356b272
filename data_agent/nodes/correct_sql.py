"""Mend a statement that did not pass: mechanically where the mend is certain, else by the model."""

from collections.abc import Sequence

from data_agent.ask_model import ask_text
from data_agent.catalog.describe import schema_text
from data_agent.context import Run
from data_agent.domain.language import language_of
from data_agent.errors import CorrectionRepeated, CorrectionsExhausted
from data_agent.prompts import render
from data_agent.sql.repair import repair
from data_agent.sql.replies import clean
from data_agent.state import DataAgentState
from data_agent.step import step, warn


@step("修正语句")
async def correct_sql(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Bounded by `max_corrections`; a statement that comes back unchanged ends it at once."""
    context, failed = runtime.context, state["sql"]
    attempts = [*state["attempts"], failed]
    if len(attempts) > context.options.max_corrections:
        raise CorrectionsExhausted(f"{len(attempts)} attempts failed; the last reason: {state['sql_error']}")
    mended = repair(failed, catalog=context.catalog, dialect=context.warehouse.dialect)
    if mended and not repeats(mended[0], attempts):
        warn(runtime, "; ".join(mended[1]), "correct_sql")
        return {"sql": mended[0], "attempts": attempts}
    sql = clean(await ask_text(runtime, "correct_sql", _prompt(state, runtime)), context.warehouse.dialect)
    if repeats(sql, attempts):
        raise CorrectionRepeated(f"the correction came back unchanged; the reason was: {state['sql_error']}")
    return {"sql": sql, "attempts": attempts}


def repeats(sql: str, attempts: Sequence[str]) -> bool:
    """Whether a statement was tried before, letter case and white space aside."""
    return " ".join(sql.split()).casefold() in {" ".join(tried.split()).casefold() for tried in attempts}


def _prompt(state: DataAgentState, runtime: Run) -> str:
    return render(
        "correct_sql",
        language_of(state["query"]),
        question=state["query"],
        schema=schema_text(state["tables"], state["metrics"], state["joins"]),
        extra=state["extra"],
        sql=state["sql"],
        error=state["sql_error"],
        limit=runtime.context.options.limits.max_rows,
    )
