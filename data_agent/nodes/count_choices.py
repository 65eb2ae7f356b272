"""Count the rows behind each meaning a person can choose, where that is cheap."""

import asyncio

from data_agent.ask_warehouse import probe
from data_agent.context import Run
from data_agent.domain.language import language_of
from data_agent.domain.reading import Ambiguity, Choice, ReadFilter, Reading, ReadMetric
from data_agent.state import DataAgentState
from data_agent.step import step

MOST, SECONDS = 6, 2.0


@step("统计候选")
async def count_choices(state: DataAgentState, runtime: Run) -> DataAgentState:
    """At most six counts within two seconds; a choice whose count takes longer is offered without one."""
    counts: dict[str, int] = {}
    wanted = [choice for ambiguity in state["asked"] for choice in ambiguity.choices if choice.kind == "value"][:MOST]
    try:
        async with asyncio.timeout(SECONDS):
            for choice in wanted:
                rows = await probe(runtime, _rows_of(choice, state["query"]))
                if rows is not None and rows.rows:
                    counts[choice.id] = int(rows.rows[0][0])
    except TimeoutError:
        pass
    return {"asked": [_counted(ambiguity, counts) for ambiguity in state["asked"]]}


def _rows_of(choice: Choice, question: str) -> Reading:
    """How many rows of its own table hold this value; `column:products.brand=苹果` is how a value is called."""
    column, _, value = choice.id.removeprefix("column:").partition("=")
    return Reading(
        question=question,
        language=language_of(question),
        metrics=(ReadMetric(words="", aggregate="count", column=f"{column.rpartition('.')[0]}.*"),),
        filters=(ReadFilter(words=value, column=column, values=(value,)),),
    )


def _counted(ambiguity: Ambiguity, counts: dict[str, int]) -> Ambiguity:
    choices = tuple(choice.model_copy(update={"count": counts.get(choice.id)}) for choice in ambiguity.choices)
    return ambiguity.model_copy(update={"choices": choices})
