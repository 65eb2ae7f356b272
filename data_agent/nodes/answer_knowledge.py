"""Say what a metric, column or policy means, from the catalog and its documents, with the source."""

from data_agent.answers.knowledge import explained
from data_agent.context import Run
from data_agent.domain.answer import Answer
from data_agent.domain.language import language_of
from data_agent.errors import NotUnderstood
from data_agent.reading.mentions import mentions
from data_agent.state import DataAgentState
from data_agent.step import step


@step("解释口径")
async def answer_knowledge(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Only what the catalog says is said; nothing is made up."""
    context, language = runtime.context, language_of(state["query"])
    entries = explained(
        context.catalog, (thing.id for thing in mentions(state["query"], context.lexicon)), state["query"], language
    )
    if not entries:
        raise NotUnderstood(
            "数据目录里没有这个词的说明。" if language == "zh" else "The catalog does not explain that term.",
            hint="name a metric, a column or a table of the catalog",
        )
    summary = "\n\n".join(entry.text for entry in entries)
    sources = tuple(entry.source for entry in entries)
    decision = state["decision"]
    answer = Answer(
        question=state["query"],
        path="knowledge",
        intent=decision.intent,
        summary=summary,
        sources=sources,
        confidence=decision.confidence,
    )
    return {"answer": answer}
