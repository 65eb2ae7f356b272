"""Find the words of the question that name something, catalog words kept whole."""

from data_agent.context import Run
from data_agent.reading.keywords import keywords
from data_agent.state import DataAgentState
from data_agent.step import step


@step("提取关键词")
async def extract_keywords(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Deterministic, no model; falls back to the whole question when nothing stands out."""
    return {"keywords": list(keywords(state["query"], runtime.context.lexicon))}
