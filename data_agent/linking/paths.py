"""The tables between the best ones: a question names both ends of a join, hardly ever what is in the middle."""

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from data_agent.linking.candidates import Candidates, Scores

_ENDS = 4
_NEAR = 1.5
"""How many standard deviations behind the best table of its domain a table may be and still be an end."""
_FARTHEST = 5.0
_KEY_OF_ITS_TABLE, _SHARED_NAME = 1.0, 2.5
_UNLIKELY = 0.3
_LIKELY = 2.0


class Link(NamedTuple):
    """One way from a table row to a table row, over a column row of each."""

    cost: float
    start: int
    end: int
    from_column: int
    to_column: int


Links = dict[int, list[Link]]


def ways(found: Candidates, level: Scores) -> list[tuple[Link, int]]:
    """The links that join the best tables of the best domain, each with the less likely end it was walked for.

    `level` are the z-scores of the tables. A way over likely tables, and over keys named after their table, is shorter.
    """
    ends = _ends(found, level)
    if len(ends) < 2:
        return []
    links, tree, used = _links(found), {ends[0]}, list[tuple[Link, int]]()
    for end in ends[1:]:
        way = _shortest(links, tree, end, level)
        tree |= {link.end for link in way}
        used += [(link, end) for link in way]
    return used


def _ends(found: Candidates, level: Scores) -> list[int]:
    best = int(level.argmax())
    near = (level >= level[best] - _NEAR) & (found.domain == found.domain[best])
    return sorted((int(row) for row in near.nonzero()[0]), key=lambda row: -level[row])[:_ENDS]


def _links(found: Candidates) -> Links:
    """Every pair of tables that can be joined, over the best of their column pairs."""
    best: dict[tuple[int, int], Link] = {}
    for left, right in found.edges.tolist():
        near, far = int(found.owner[left]), int(found.owner[right])
        named = _is_named_after_its_table(found, left) or _is_named_after_its_table(found, right)
        cost = _KEY_OF_ITS_TABLE if named else _SHARED_NAME
        for link in (Link(cost, near, far, left, right), Link(cost, far, near, right, left)):
            held = best.get((link.start, link.end))
            if near != far and (held is None or cost < held.cost):
                best[link.start, link.end] = link
    links: Links = defaultdict(list)
    for link in best.values():
        links[link.start].append(link)
    return links


def _is_named_after_its_table(found: Candidates, column: int) -> bool:
    """`Policy_Identifier` of Policy is; `Policy_Identifier` of Claim is not."""
    table = _bare(found.table_names[found.owner[column]])
    name = _bare(found.column_names[column])
    return name.startswith(table[: max(3, len(table) - 1)]) and len(name) - len(table) <= len("identifier") + 2


def _bare(name: str) -> str:
    return "".join(char for char in name.rpartition(".")[2].casefold() if char.isalnum())


def _shortest(links: Links, tree: Collection[int], end: int, level: Scores) -> Sequence[Link]:
    """The cheapest way from any table of the tree to `end`, from the tree outward; none: it is too far, or in it."""
    spent = dict.fromkeys(tree, 0.0)
    came: dict[int, Link] = {}
    heap = [(0.0, table) for table in tree]
    while heap:
        cost, table = heapq.heappop(heap)
        if table == end or cost > _FARTHEST:
            break
        for link in links.get(table, ()):
            total = cost + link.cost + _UNLIKELY * max(0.0, _LIKELY - float(level[link.end]))
            if total < spent.get(link.end, total + 1):
                spent[link.end], came[link.end] = total, link
                heapq.heappush(heap, (total, link.end))
    return [] if spent.get(end, _FARTHEST + 1) > _FARTHEST else list(_back(came, end))[::-1]


def _back(came: dict[int, Link], end: int) -> Iterator[Link]:
    while end in came:
        yield came[end]
        end = came[end].start
