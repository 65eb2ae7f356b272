"""Names nobody wrote down but everybody says: `pet_age` of pets is its age, 歌手 is `singer`, 实付 is 实付金额."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

from data_agent.domain.language import language_of
from data_agent.domain.schema import Column, Table
from data_agent.reading.text import Piece, pieces, stem
from data_agent.wording.glossary import renderings
from data_agent.wording.names import said

SHORTER, TRANSLATED, GENERIC = 0.9, 0.9, 0.85
_MOST = 24
_AMOUNT = "金额"
_DONE = "已"
_LEAST = 2
_ABBREVIATED = {
    "fname": "first name", "f name": "first name", "lname": "last name", "l name": "last name", "mname": "middle name",
}  # fmt: skip
_UNITS = frozenset("million millions thousand thousands usd eur dollars kg km cm lbs".split())  # noqa: SIM905
_KINDS = frozenset({"code", "name"})


def shorter_names(table: Table, column: Column) -> Iterator[str]:
    """The column's name without the name of its table."""
    own = {stem(word) for word in said(table.name).split()}
    words = said(column.name).split()
    rest = [word for word in words if stem(word) not in own]
    if rest and len(rest) < len(words):
        yield " ".join(rest)


def bare_names(column: Column) -> Iterator[str]:
    """Net worth for `net_worth_millions`, country for `country_code`, first name for `fname`."""
    words = said(column.name).split()
    joined = " ".join(words)
    if joined in _ABBREVIATED:
        yield _ABBREVIATED[joined]
    if len(words) > 1 and words[-1] in _UNITS and column.role == "measure":
        yield " ".join(words[:-1])
    if len(words) > 1 and words[-1] in _KINDS and column.role in {"dimension", "text", "foreign_key"}:
        yield " ".join(words[:-1])


def shorter_amounts(column: Column) -> Iterator[str]:
    """实付 for 实付金额."""
    if column.role == "measure":
        bare = (name.removesuffix(_AMOUNT) for name in column.aliases if name.endswith(_AMOUNT))
        yield from (name for name in bare if len(name) >= _LEAST)


def generic_names(column: Column) -> Iterator[str]:
    """金额 for 实付金额: weak, as every amount is called so."""
    if column.role == "measure" and any(name.endswith(_AMOUNT) for name in column.aliases):
        yield _AMOUNT


def shorter_labels(label: str) -> Iterator[str]:
    """取消 for the label 已取消."""
    if label.startswith(_DONE) and len(label) > _LEAST:
        yield label.removeprefix(_DONE)


def chinese_names(names: Iterable[str]) -> Iterator[str]:
    """What English names are called in Chinese, word by word, when the glossary knows every word of one.

    Names with a Chinese one among them need no translation.
    """
    listed = list(names)
    if any(language_of(name) == "zh" for name in listed):
        return
    for words in dict.fromkeys(tuple(stem(piece.text) for piece in _words(name)) for name in listed):
        yield from _translated(words)


def _words(name: str) -> list[Piece]:
    return pieces(said(name))


@cache
def _translated(words: tuple[str, ...]) -> tuple[str, ...]:
    known = [renderings(word) for word in words]
    whole = renderings(" ".join(words)) if len(words) > 1 else ()
    if not all(known):
        return whole
    spelled = ("".join(parts) for parts, _ in zip(product(*known), range(_MOST), strict=False))
    return tuple(dict.fromkeys((*whole, *spelled)))
