"""Stop until a person has said whether an expensive statement may run."""

from langgraph.types import interrupt

from data_agent.context import Run
from data_agent.domain.language import language_of
from data_agent.errors import UnsafeSql
from data_agent.events import HumanReviewRequest
from data_agent.state import DataAgentState
from data_agent.step import step


@step("等待批准")
async def approve_cost(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Nothing else happens here: what stands before an interrupt runs again. What was approved is validated again."""
    allowed = interrupt(HumanReviewRequest(kind="approve", question=state["expensive"]))
    if allowed is not True:
        chinese = language_of(state["query"]) == "zh"
        message = "这条开销大的语句没有被批准，未执行。" if chinese else "The expensive statement was not approved."
        raise UnsafeSql(message, hint=state["expensive"], reason_code="not_approved")
    return {"approved": state["sql"], "expensive": ""}
