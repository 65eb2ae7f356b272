"""Longest matches over token sequences, in time that does not grow with the number of names."""

from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
_END = ""


class Trie(Generic[Item]):
    """Names as paths of tokens; each end holds the items of that name."""

    def __init__(self) -> None:
        self._root: dict[str, Any] = {}

    def add(self, key: Sequence[str], item: Item) -> None:
        """Put an item at the end of its path; an empty key is ignored."""
        if not key:
            return
        node = self._root
        for token in key:
            node = node.setdefault(token, {})
        found: list[Item] = node.setdefault(_END, [])
        if item not in found:
            found.append(item)

    def get(self, key: Sequence[str]) -> tuple[Item, ...]:
        """The items of exactly this name."""
        node = self._root
        for token in key:
            if token not in node:
                return ()
            node = node[token]
        return tuple(node.get(_END, ()))

    def walk(self, tokens: Sequence[str], start: int, joined: Sequence[bool]) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Every name that begins at `start`, as (token after its end, items); `joined[i]`: token i touches i - 1."""
        node = self._root
        for index in range(start, len(tokens)):
            if index > start and not joined[index]:
                return
            if tokens[index] not in node:
                return
            node = node[tokens[index]]
            if _END in node:
                yield index + 1, tuple(node[_END])
