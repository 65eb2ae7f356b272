"""Stop until a person has chosen what a word means, then go on with the same question."""

from langgraph.types import interrupt

from data_agent.answers.messages import what_is_asked
from data_agent.context import Run
from data_agent.domain.language import language_of
from data_agent.events import HumanReviewRequest
from data_agent.state import DataAgentState
from data_agent.step import step


@step("等待选择")
async def choose_meaning(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Nothing else happens here: what stands before an interrupt runs again when the person has answered."""
    asked = state["asked"]
    question = what_is_asked(asked, language_of(state["query"]))
    chosen: dict[str, str] = interrupt(HumanReviewRequest(kind="clarify", question=question, ambiguities=tuple(asked)))
    return {"choices": chosen, "asked": []}
