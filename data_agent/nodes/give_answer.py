"""Put the rows into an answer that can be checked: reading, statement, notes, one summarising sentence."""

from data_agent.answers.freshness import short_of
from data_agent.answers.summary import confidence_of, summarise
from data_agent.context import Run
from data_agent.domain.answer import Answer
from data_agent.domain.language import language_of
from data_agent.state import DataAgentState
from data_agent.step import step


@step("整理答案")
async def give_answer(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Deterministic: the summary says only what the rows say."""
    rows, reading, admitted = state["rows"], state["reading"], state["admitted"]
    answer = Answer(
        question=state["query"],
        path="reading" if state["written_by"] == "reading" else "model",
        intent=state["decision"].intent,
        reading=reading,
        sql=(state["shown_sql"] or admitted.sql) if admitted else None,
        dialect=runtime.context.warehouse.dialect,
        columns=rows.columns,
        rows=rows.rows,
        row_count=len(rows.rows),
        truncated=rows.truncated,
        summary=" ".join([summarise(rows, reading), *state["why_empty"]]),
        freshness=state["newest"],
        confidence=confidence_of(state["written_by"], corrected=bool(state["attempts"])),
        warnings=(
            *state["notes"],
            *short_of(reading, state["newest"]),
            *_policy_notes(state, runtime),
            *(admitted.repairs if admitted else ()),
        ),
    )
    return {"answer": answer}


def _policy_notes(state: DataAgentState, runtime: Run) -> tuple[str, ...]:
    rights, admitted = runtime.context.rights, state["admitted"]
    return rights.notes(admitted, language_of(state["query"])) if rights and admitted else ()
