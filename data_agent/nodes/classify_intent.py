"""Decide what kind of question it is: rules first, the model for what they leave open, a safe default."""

from typing import get_args

from pydantic import BaseModel

from data_agent.ask_model import ask_structured
from data_agent.context import Run
from data_agent.domain.answer import Decision, Intent
from data_agent.domain.language import language_of
from data_agent.errors import CannotAnswer, DependencyError
from data_agent.events import IntentClassified
from data_agent.prompts import render
from data_agent.routing.intents import INTENTS
from data_agent.routing.rules import by_default, by_rules
from data_agent.state import DataAgentState
from data_agent.step import say, step, warn


class IntentReply(BaseModel):
    """The model's decision; `intent` is one of the offered names."""

    intent: str
    confidence: float = 0.5
    reasoning: str = ""


@step("识别意图")
async def classify_intent(state: DataAgentState, runtime: Run) -> DataAgentState:
    """A decision below the confidence threshold takes the full, safe path."""
    decision = by_rules(state["query"], runtime.context.lexicon)
    if decision is None and runtime.context.llm is not None:
        decision = await _by_model(state["query"], runtime)
    decision = decision or by_default()
    threshold = runtime.context.options.confidence_threshold
    if decision.confidence < threshold and decision.intent != "data_query":
        reason = f"{decision.intent} is below {threshold}: {decision.reasoning}"
        decision = decision.model_copy(update={"intent": "data_query", "reasoning": reason})
    say(runtime, IntentClassified(decision=decision))
    return {"decision": decision}


async def _by_model(question: str, runtime: Run) -> Decision | None:
    listed = "\n".join(f"- {entry.intent}: {entry.meaning}; e.g. {' | '.join(entry.examples)}" for entry in INTENTS)
    prompt = render("classify_intent", language_of(question), question=question, intents=listed)
    try:
        reply = await ask_structured(runtime, "classify_intent", prompt, IntentReply)
    except (DependencyError, CannotAnswer) as error:
        warn(runtime, f"classify_intent: {error.message}", "llm")
        return None
    if reply.intent not in get_args(Intent):
        return None
    confidence = min(max(reply.confidence, 0.0), 1.0)
    return Decision(intent=reply.intent, confidence=confidence, reasoning=reply.reasoning, stage="model")
