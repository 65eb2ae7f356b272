"""How well a question fits what one warehouse knows: words that lead there, and how much a reading explains."""

import re
from collections.abc import Iterable, Sequence

from data_agent.context import DataAgentContext
from data_agent.domain.reading import Reading
from data_agent.domain.value import Value
from data_agent.errors import DataAgentError
from data_agent.policy.values import certain
from data_agent.reading.keywords import keywords
from data_agent.reading.read import read

LEAST_MEANING = 0.25
"""Cosine below which a nearest column or metric says nothing."""


async def fit(question: str, context: DataAgentContext, words: Sequence[str]) -> float:
    """The words of its domains count 1 each; to that comes the share of the question that its catalog explains.

    Where the catalog explains no word at all, half the cosine of the nearest metric or column stands in.
    """
    domains = (word for domain in context.catalog.domains for word in (domain.name, *domain.keywords))
    led = len({word.casefold() for word in (*words, *domains) if _in(word, question)})
    explained = share(await _read(question, context))
    return led + (explained or await _meaning(question, context) / 2)


def _in(word: str, question: str) -> bool:
    """Whether the word stands in the question; an English one as a whole word."""
    text = question.casefold()
    if not word.isascii():
        return word.casefold() in text
    plain = "".join(char if char.isalnum() and char.isascii() else " " for char in text)
    return f" {word.casefold()} " in f" {' '.join(plain.split())} "


def without(words: Iterable[str], question: str) -> str:
    """The question without these words and the particle behind them; the whole question when nothing is left."""
    for word in words:
        edges = ("", "") if not word.isascii() else (r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])")
        pattern = rf"(在)?{edges[0]}{re.escape(word)}{edges[1]}(里面?|中|库)?(的|'s)?"
        question = re.sub(pattern, " ", question, flags=re.IGNORECASE).strip() or question
    return question


def share(reading: Reading) -> float:
    """The part of a question's content words that a catalog explains, 0 to 1; words that are open count as known."""
    parts = [part.words for part in reading.metrics]
    parts += [part.words for part in reading.dimensions]
    parts += [part.words for part in reading.filters]
    known = _length((*parts, *(part.words for part in reading.ambiguities)))
    return known / (known + _length(part.words for part in reading.unplaced)) if known else 0.0


def _length(words: Iterable[str]) -> int:
    return sum(len(word) if not word.isascii() else len(word) // 2 + 1 for word in set(words) if word)


async def _read(question: str, context: DataAgentContext) -> Reading:
    return read(
        question,
        catalog=context.catalog,
        lexicon=context.lexicon,
        values=await _values(question, context),
        now=context.clock.now(),
        calendar=context.options.calendar,
        margin=context.options.ambiguity_margin,
        choices={},
    )


async def _values(question: str, context: DataAgentContext) -> list[Value]:
    """Stored values in the question that the caller may know of; none when their index is down."""
    try:
        found = await context.value_index.search(keywords(question, context.lexicon), context.options.value_limit)
    except DataAgentError:
        return []
    if context.rights:
        return certain(found, context.rights)
    return [value for value in found if context.catalog.column(value.column_id)]


async def _meaning(question: str, context: DataAgentContext) -> float:
    try:
        vectors = await context.embedder.embed([question])
        columns = await context.column_index.search(vectors, [question], 5)
        metrics = await context.metric_index.search(vectors, [question], 5)
    except DataAgentError:
        return 0.0
    seen = [hit.dense for hit in columns if hit.dense and context.catalog.table(hit.table)]
    seen += [hit.dense for hit in metrics if hit.dense and context.catalog.metric(hit.metric)]
    best = max(seen, default=0.0)
    return best if best >= LEAST_MEANING else 0.0
