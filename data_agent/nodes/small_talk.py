"""Be friendly, briefly, and say what can be asked here."""

from data_agent.context import Run
from data_agent.domain.answer import Answer
from data_agent.domain.language import in_language, language_of
from data_agent.state import DataAgentState
from data_agent.step import step


@step("日常对话")
async def small_talk(state: DataAgentState, runtime: Run) -> DataAgentState:
    """No model: the same honest sentence, with metrics of this very catalog as examples."""
    language = language_of(state["query"])
    labels = [in_language(metric.aliases, language) for metric in runtime.context.catalog.metrics]
    known = [label for label in labels if label][:4] or [m.name for m in runtime.context.catalog.metrics][:4]
    if language == "zh":
        summary = "你好，我可以用一句话帮你查数据。" + (f"比如可以问：{'、'.join(known)}。" if known else "")
    else:
        summary = "Hello, ask me about your data in one sentence." + (f" I know {', '.join(known)}." if known else "")
    decision = state["decision"]
    answer = Answer(
        question=state["query"],
        path="chitchat",
        intent=decision.intent,
        summary=summary,
        confidence=decision.confidence,
    )
    return {"answer": answer}
