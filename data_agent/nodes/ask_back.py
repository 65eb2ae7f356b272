"""Ask for what is missing when a question is too vague to look anything up."""

from data_agent.context import Run
from data_agent.domain.language import in_language, language_of
from data_agent.errors import NeedsClarification
from data_agent.state import DataAgentState
from data_agent.step import step


@step("请求澄清")
async def ask_back(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Name what this catalog can be asked for."""
    language = language_of(state["query"])
    metrics = runtime.context.catalog.metrics
    known = [in_language(metric.aliases, language) or metric.name for metric in metrics][:5]
    if language == "zh":
        message = "想查哪个指标、哪个时间段？" + (f"例如：{'、'.join(known)}。" if known else "")
    else:
        message = "Which number, and for which period?" + (f" For example: {', '.join(known)}." if known else "")
    raise NeedsClarification(message)
