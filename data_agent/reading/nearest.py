"""Known names near a word that could not be placed."""

from rapidfuzz import fuzz, process

from data_agent.reading.lexicon import Lexicon
from data_agent.reading.text import fold

_ENOUGH = 55.0


def nearest(word: str, lexicon: Lexicon, limit: int = 3) -> tuple[str, ...]:
    """Up to `limit` catalog names that look like the word, best first; none when nothing does."""
    wanted = fold(word).strip()
    if not wanted:
        return ()
    found = process.extract(
        wanted,
        lexicon.folded,
        scorer=fuzz.WRatio if len(wanted) > 2 else fuzz.partial_ratio,
        limit=limit * 2,
        score_cutoff=_ENOUGH,
    )
    names = dict.fromkeys(lexicon.readable[index] for _, _, index in found)
    return tuple(names)[:limit]
