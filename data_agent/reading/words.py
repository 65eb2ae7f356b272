"""The function words of both languages as one lookup. Mixed questions are common, so both lists always apply."""

from functools import cache
from typing import NamedTuple

from data_agent.reading import words_en, words_zh
from data_agent.reading.idioms import IDIOMS
from data_agent.reading.text import plain_key
from data_agent.reading.trie import Trie


class Role(NamedTuple):
    """What a function word does: `cmp` with the payload `>`, `grain` with the payload `month`."""

    name: str
    payload: str = ""


@cache
def roles() -> Trie[Role]:
    """Every function word; one word can have several roles (最多: at most, the most)."""
    trie: Trie[Role] = Trie()
    for module in (words_zh, words_en):
        for group in (module.WORDS, module.GRAINS, module.EXTRA_GRAINS):
            for spoken, phrases in group.items():
                name, _, payload = spoken.partition(":")
                for phrase in phrases:
                    trie.add(plain_key(phrase), Role(name, payload))
    return trie


@cache
def idioms() -> Trie[str]:
    """Phrases that ask for a number by a verb, each with the catalog names it may mean."""
    trie: Trie[str] = Trie()
    for names, phrases in IDIOMS.items():
        for phrase in phrases:
            for name in names:
                trie.add(plain_key(phrase), name)
    return trie
