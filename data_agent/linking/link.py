"""Schema linking: recalled hits in, ranked tables and columns out. Pure arithmetic, no model call.

Every side is made comparable within one question (z-scores) and added up; a column inherits from its table, a table
from its best columns, its neighbours over foreign keys and its domain. The ADR on fusing recall says why not by rank.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.domain.value import ColumnHit, Value
from data_agent.linking.candidates import Candidates, gather
from data_agent.linking.weights import WEIGHTS, Weights

Scores = NDArray[np.float64]
Ranked = tuple[tuple[str, float], ...]


class Linked(Frozen):
    """Tables by name and columns by `table.column`, likeliest first, with scores comparable within one question."""

    tables: Ranked = ()
    columns: Ranked = ()


def link(
    question_hits: Sequence[ColumnHit],
    catalog: Catalog,
    words: Sequence[str],
    values: Sequence[Value] = (),
    weights: Weights = WEIGHTS,
) -> Linked:
    """Rank the tables that were hit, and all their columns. Hits that the catalog does not hold are ignored."""
    found = gather(question_hits, catalog, words, values)
    if not found.tables:
        return Linked()
    own = column_scores(found, weights)
    tables = table_scores(found, own, weights)
    columns = own + weights.inherit * tables[found.owner]
    return Linked(tables=ranked(found.tables, tables), columns=ranked(found.columns, columns))


def column_scores(found: Candidates, weights: Weights) -> Scores:
    """What speaks for each column itself."""
    total = weights.column_dense * z(found.column_dense) + weights.column_name * z(found.column_name)
    if found.column_text.any():
        total = total + weights.column_text * z(found.column_text)
    return total + weights.column_exact * found.column_exact + weights.column_value * found.column_value


def table_scores(found: Candidates, own: Scores, weights: Weights) -> Scores:
    """What speaks for each table: itself, its columns, what lies around it."""
    total = weights.table_dense * z(found.table_dense) + weights.table_name * z(found.table_name)
    if found.table_text.any():
        total = total + weights.table_text * z(found.table_text)
    total = total + weights.best_column * z(best_of(own, found.owner, len(total), 1))
    total = total + weights.best_columns * z(best_of(own, found.owner, len(total), 3))
    total = total + weights.table_exact * found.table_exact
    total = total + weights.domain * best_of_group(total, found.domain)
    return total + weights.neighbour * best_neighbour(total, found.neighbours)


def z(scores: Scores) -> Scores:
    """Distance from the mean in standard deviations; all alike is all zero."""
    spread = float(scores.std())
    return (scores - scores.mean()) / spread if spread > 1e-9 else np.zeros_like(scores)


def best_of(own: Scores, owner: NDArray[np.int64], tables: int, count: int) -> Scores:
    """The mean of the `count` best columns of each table (of fewer when it has fewer)."""
    order = np.lexsort((-own, owner))
    first = np.searchsorted(owner[order], np.arange(tables))
    place = np.arange(len(order)) - first[owner[order]]
    kept = order[place < count]
    sums = np.bincount(owner[kept], weights=own[kept], minlength=tables)
    sizes = np.bincount(owner[kept], minlength=tables)
    floor = float(own.min()) if len(own) else 0.0
    return np.where(sizes > 0, sums / np.maximum(sizes, 1), floor)


def best_of_group(scores: Scores, group: NDArray[np.int64]) -> Scores:
    """For each table the best score of its domain; nothing when there is only one domain."""
    best: Scores = np.full(int(group.max()) + 1, -np.inf)
    np.maximum.at(best, group, scores)
    return best[group] if len(best) > 1 else np.zeros_like(scores)


def best_neighbour(scores: Scores, neighbours: Sequence[Sequence[int]]) -> Scores:
    """For each table the best score one foreign key away; one without keys gets the mean, so it is not punished."""
    mean = float(scores.mean())
    return np.array([max((float(scores[n]) for n in near), default=mean) for near in neighbours])


def ranked(names: Sequence[str], scores: Scores) -> Ranked:
    """Names with scores, best first, ties by name."""
    pairs = ((name, round(float(score), 4)) for name, score in zip(names, scores, strict=True))
    return tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))
