"""Say why a reading that was handed in leads to no rows: a person has to choose, or the statement may not run."""

from data_agent.answers.messages import what_is_asked
from data_agent.context import Run
from data_agent.errors import CannotAnswer, NeedsClarification
from data_agent.state import DataAgentState
from data_agent.step import step


@step("说明原因")
async def stop_short(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Nobody waits here: who hands in a reading hands it in again, with the choice."""
    if state["asked"]:
        raise NeedsClarification(what_is_asked(state["asked"], state["reading"].language), choices=state["asked"])
    raise CannotAnswer(state["expensive"] or state["sql_error"])
