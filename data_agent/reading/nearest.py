"""Known names near a word that could not be placed."""

from rapidfuzz import fuzz, process

from data_agent.reading.lexicon import Lexicon, Names
from data_agent.reading.text import fold, key_of, parts_of

_ENOUGH = 55.0
_MOST = 1500


def nearest(word: str, lexicon: Lexicon, limit: int = 3) -> tuple[str, ...]:
    """Up to `limit` catalog names that look like the word, best first; none when nothing does."""
    wanted = fold(word).strip()
    near = _candidates(wanted, lexicon.readable)
    if not wanted or not near:
        return ()
    scorer = fuzz.WRatio if len(wanted) > 2 else fuzz.partial_ratio
    found = process.extract(wanted, near, scorer=scorer, limit=limit, score_cutoff=_ENOUGH)
    return tuple(lexicon.readable.names[index] for _, _, index in found)


def _candidates(wanted: str, names: Names) -> dict[int, str]:
    """Names that share a Han character or the first two letters of a word; the rare ones first, and not too many."""
    lists = sorted((names.by_part.get(part, []) for part in parts_of(key_of(wanted))), key=len)
    found: dict[int, str] = {}
    for indexes in lists:
        if len(found) > _MOST:
            break
        found |= {index: names.folded[index] for index in indexes[:_MOST]}
    return found
