"""Which real names are most like a name that does not exist."""

import re
from collections.abc import Iterable

from rapidfuzz import fuzz

# Words that people, and models, put for each other; one set is one meaning.
_SAME = (
    {"price", "amount", "total", "sum", "fee", "cost", "money", "sales", "revenue", "pay", "value", "gmv"},
    {"date", "time", "at", "day", "created", "on", "datetime", "timestamp"},
    {"id", "no", "number", "key", "code", "num"},
    {"name", "title", "label", "fullname"},
    {"count", "quantity", "qty", "units", "num", "cnt"},
    {"type", "kind", "category", "class", "level", "grade"},
    {"city", "region", "province", "area", "location", "country", "state"},
    {"user", "customer", "client", "member", "buyer"},
    {"product", "item", "goods", "sku"},
)
_ENOUGH = 45.0


def _words(name: str) -> set[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return {word for word in re.split(r"[\W_]+", spaced.casefold()) if word}


def likeness(wanted: str, name: str) -> float:
    """How much a name is like the wanted one, 0-100: spelling, shared words, words of one meaning."""
    spelling = fuzz.ratio(wanted.casefold(), name.casefold())
    left, right = _words(wanted), _words(name)
    meaning = sum(1 for group in _SAME if left & group and right & group)
    shared = len(left & right) / max(len(left | right), 1)
    return min(100.0, max(spelling, 100 * shared) + 35 * meaning)


def nearest(wanted: str, names: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The names most like the wanted one, best first; only those that are somewhat like it."""
    scored = sorted(((likeness(wanted, name), name) for name in dict.fromkeys(names)), key=lambda pair: -pair[0])
    return tuple(name for score, name in scored[:most] if score >= _ENOUGH)
