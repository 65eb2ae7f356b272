"""Names of tables and columns as people would say them: shared prefixes off, common abbreviations written out."""

import re
from collections.abc import Sequence

from data_agent.wording.tokens import spelled_out

_PAIRS = (
    "cust=customer tx=transaction txn=transaction trans=transaction amt=amount qty=quantity num=number nbr=number "
    "addr=address desc=description dept=department emp=employee acct=account dob=birth dt=date yr=year mth=month "
    "cnt=count avg=average pct=percent cat=category prod=product ord=order inv=invoice tel=telephone "
    "lat=latitude lng=longitude lon=longitude org=organization mgr=manager univ=university temp=temperature "
    "pos=position stat=status med=medicine dia=diagnosis bal=balance curr=currency ctry=country lang=language"
)
_ABBREVIATIONS = dict(pair.split("=") for pair in _PAIRS.split(" "))
_LEAST_PREFIX = 2
_LEAST_TABLES = 3
_MOST_UNSEPARATED = 3  # all lower case: `sb` of sbcustomer is a prefix, `count` of counts and countries is not


def said(name: str) -> str:
    """A name in words, abbreviations written out: `sbCustName` → `sb customer name`."""
    return " ".join(_ABBREVIATIONS.get(word, word) for word in spelled_out(name.rpartition(".")[2]).split())


def shared_prefix(names: Sequence[str]) -> str:
    """What every one of at least three names starts with, cut where a word ends; empty when nothing would be left."""
    shorts = [name.rpartition(".")[2] for name in names]
    if len(shorts) < _LEAST_TABLES:
        return ""
    common = _common_start([short.casefold() for short in shorts])
    if "_" in common:
        common = common[: common.rindex("_") + 1]
    elif not all(_word_starts(short, len(common)) for short in shorts):
        common = _at_word_end(shorts, common)
    if not common.endswith("_") and not any(re.search("[A-Z]", short[1:]) for short in shorts):
        common = common if len(common) <= _MOST_UNSEPARATED else ""
    return common if len(common) >= _LEAST_PREFIX and all(len(short) > len(common) for short in shorts) else ""


def without(prefix: str, name: str) -> str:
    """The last part of the name with the shared prefix off."""
    short = name.rpartition(".")[2]
    return short[len(prefix) :] if prefix and short.casefold().startswith(prefix) else short


def _common_start(names: Sequence[str]) -> str:
    first, last = min(names), max(names)
    same = next((at for at, char in enumerate(first) if not last.startswith(char, at)), len(first))
    return first[:same]


def _word_starts(name: str, at: int) -> bool:
    return at >= len(name) or name[at].isupper() or not re.search("[A-Z]", name)


def _at_word_end(names: Sequence[str], common: str) -> str:
    """The longest start of `common` after which every name begins a new word (`sbTr` of sbTransaction is `sb`)."""
    ends = (end for end in range(len(common), 0, -1) if all(_word_starts(name, end) for name in names))
    return common[: next(ends, 0)]
