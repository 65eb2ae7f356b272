"""Which of several meanings fits best, and how the rest is offered as choices."""

from collections.abc import Sequence

from data_agent.domain.language import Language
from data_agent.domain.reading import Choice
from data_agent.reading.lexicon import Lexicon, Thing

_HOME, _NEAR, _APART, _KEY = 0.25, 0.15, -0.5, -0.3


def rank(things: Sequence[Thing], lexicon: Lexicon, homes: frozenset[str]) -> list[tuple[float, Thing]]:
    """Things with their score, best first; equal scores keep the catalog's order."""
    unique = {thing.id: thing for thing in sorted(things, key=lambda thing: thing.weight)}
    scored = [(_score(thing, lexicon, homes), thing) for thing in unique.values()]
    return sorted(scored, key=lambda pair: -pair[0])


def _score(thing: Thing, lexicon: Lexicon, homes: frozenset[str]) -> float:
    column = lexicon.columns.get(thing.name)
    key = _KEY if column is not None and column.role == "foreign_key" else 0.0
    return thing.weight + key + _closeness(thing.table, lexicon, homes)


def _closeness(table: str, lexicon: Lexicon, homes: frozenset[str]) -> float:
    """How well a table fits those the question is about: their own columns first, then what they can look up."""
    if not homes or not table:
        return 0.0
    if table in homes:
        return _HOME
    if any(table in lexicon.reach.safe(home) for home in homes):
        return _NEAR
    return 0.0 if any(table in lexicon.reach.linked(home) for home in homes) else _APART


def as_chosen(words: str, thing: Thing, lexicon: Lexicon, language: Language) -> str:
    """Which meaning a person gave to these words before."""
    label = choice_of(thing, lexicon, language).label
    return f"按您的选择，「{words}」指 {label}" if language == "zh" else f'as you chose, "{words}" means {label}'


def choice_of(thing: Thing, lexicon: Lexicon, language: Language) -> Choice:
    """A thing as a person chooses it: 品牌 = 苹果 (商品)."""
    table = lexicon.catalog.table(thing.table) if thing.table else None
    detail = table.label(language) if table else ""
    if thing.kind == "metric":
        metric = lexicon.catalog.metric(thing.name)
        label = metric.label(language) if metric else thing.name
        return Choice(id=thing.id, label=label, kind="metric", detail=metric.description if metric else "")
    if thing.kind == "table":
        return Choice(id=thing.id, label=detail or thing.name, kind="column", detail=thing.name)
    column = lexicon.columns.get(thing.name)
    name = column.label(language) if column else thing.name
    if thing.kind == "column":
        return Choice(id=thing.id, label=f"{name} ({detail})", kind="column", detail=thing.name)
    shown = ", ".join(column.labels.get(text, text) if column else text for text in thing.texts)
    return Choice(id=thing.id, label=f"{name} = {shown} ({detail})", kind="value", detail=thing.name)
