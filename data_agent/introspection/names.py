"""What a name says: its words, whether it is a key, and what it is a key of."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from data_agent.wording.names import said
from data_agent.wording.tokens import singular

KEY_WORDS = ("identifier", "number", "code", "guid", "uuid", "key", "num", "nbr", "id", "no", "sn", "sk", "pk", "fk")
ID_WORDS = frozenset({"id", "identifier", "guid", "uuid", "key", "sk", "pk", "fk"})
KEY_WORDS_ZH = ("编号", "编码", "代码", "主键", "外键", "标识", "号码", "id", "号")
FILLERS = frozenset(
    [
        "base",
        "data",
        "info",
        "information",
        "list",
        "table",
        "tbl",
        "dim",
        "fact",
        "fct",
        "stg",
        "ods",
        "dwd",
        "dws",
        "ads",
        "t",
        "f",
        "d",
        "tb",
        "ref",
        "details",
        "detail",
    ]
)
FILLERS_ZH = ("信息表", "维度表", "事实表", "基础表", "数据表", "信息", "表", "维表", "记录")
LEAST_ENDING = 4
PARENTS = frozenset({"parent", "manager", "boss", "superior", "supervisor", "leader", "上级", "父", "父级"})


class KeyName(NamedTuple):
    """A name as a key: its `words`, `joined` without separators, the `stem` before the key word, and that `word`."""

    words: tuple[str, ...]
    joined: str
    stem: str
    word: str

    @property
    def generic(self) -> bool:
        """Whether it says nothing of what it identifies (`id`, `code`)."""
        return not self.stem

    @property
    def identifies(self) -> bool:
        """Whether its last word is one that only keys have."""
        return self.word in ID_WORDS or self.word in KEY_WORDS_ZH


@lru_cache(maxsize=100_000)
def key_name(name: str) -> KeyName:
    """Take a column's name apart."""
    words = tuple(singular(word) for word in said(name).split())
    joined = "".join(words)
    word = next((key for key in KEY_WORDS_ZH if joined.endswith(key) and re.search(r"[\u4e00-\u9fff]", joined)), "")
    if word:
        return KeyName(words, joined, joined[: -len(word)], word)
    if words and words[-1] in KEY_WORDS:
        return KeyName(words, joined, "".join(words[:-1]), words[-1])
    if glued := re.fullmatch(r"([a-z]{2,}?)(id)", joined):
        return KeyName(words, joined, singular(glued[1]), "id")
    return KeyName(words, joined, joined, "")


def glued(word: str, endings: Iterable[str]) -> str:
    """The longest of the endings that a word written without separators has (`totalamount` → `amount`)."""
    fitting = (end for end in endings if word.endswith(end) and LEAST_ENDING <= len(end) < len(word) - 1)
    return max(fitting, key=len, default="")


class Nouns(NamedTuple):
    """What a table holds one of: `full` is its whole name joined, `last` its last word, both singular."""

    full: str
    last: str
    words: tuple[str, ...]


@lru_cache(maxsize=20_000)
def nouns(name: str, prefix: str = "") -> Nouns:
    """The nouns of a table's name; `prefix` is what all tables share and says nothing."""
    short = name[len(prefix) :] if prefix and name.casefold().startswith(prefix) else name
    words = [singular(word) for word in said(short).split()]
    kept = tuple(word for word in words if word not in FILLERS) or tuple(words)
    full = "".join(kept)
    for filler in FILLERS_ZH:
        full = full.removesuffix(filler) or full
    return Nouns(full, kept[-1] if len(kept) > 1 else full, kept)
