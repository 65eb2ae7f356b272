"""The first stage: rules that decide in well under a millisecond, without a token, or leave it open."""

import re

from data_agent.domain.answer import Decision
from data_agent.reading.lexicon import Lexicon
from data_agent.reading.mentions import mentions
from data_agent.routing.intents import INTENTS

_SQL = re.compile(
    r"^\s*(--.*\n|/\*.*?\*/|\s)*(select\b.+\bfrom\b|with\s+\w+\s+as\s*\(|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b"
    r"|(drop|truncate|alter|create|grant)\s+(table|database|view|user|index|all)\b|show\s+tables\b|union\s+select\b)",
    re.IGNORECASE | re.DOTALL,
)
SQL_AS_QUESTION = "the question is a SQL statement"


def by_rules(question: str, lexicon: Lexicon) -> Decision | None:
    """The decision the wording makes certain, or None when it is left open.

    A data question is certain when a metric, or two words of the catalog, stand in it and no other sign does.
    """
    if _SQL.match(question):
        return Decision(intent="action", confidence=0.95, reasoning=SQL_AS_QUESTION, stage="rules")
    found = mentions(question, lexicon)
    for entry in INTENTS:
        sign = next((match for pattern in entry.signs if (match := pattern.search(question))), None)
        if sign and (found or not entry.needs_catalog_word):
            reason = f"wording: {sign.group(0).strip()!r}"
            return Decision(intent=entry.intent, confidence=entry.confidence, reasoning=reason, stage="rules")
    if len(found) >= _ENOUGH or any(thing.kind == "metric" for thing in found):
        reason = f"names of the catalog: {', '.join(thing.name for thing in found[:5])}"
        return Decision(intent="data_query", confidence=0.9, reasoning=reason, stage="rules")
    return None


_ENOUGH = 2


def by_default() -> Decision:
    """The full, safe path, for when nobody could decide."""
    return Decision(
        intent="data_query", confidence=0.5, reasoning="left open by the rules; the full path is safe", stage="default"
    )
