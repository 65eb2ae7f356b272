"""Schema linking: recalled hits in, ranked tables and columns out. Pure arithmetic, no model call.

Every side is made comparable within one question (z-scores) and added up. A column inherits from its table; a table
gains from its best columns, from covering many of the question's words, and from a domain that covers them; the tables
between good tables and the columns that join them come along. The ADR on fusing recall says why not by rank.
"""

from collections.abc import Sequence

import numpy as np

from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.domain.value import ColumnHit, Value
from data_agent.linking.candidates import Candidates, Rows, Scores, gather
from data_agent.linking.paths import ways
from data_agent.linking.weights import WEIGHTS, Weights

Ranked = tuple[tuple[str, float], ...]
_FAR = 5.0  # one lucky rare word must not outweigh everything else


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
    if not found.table_names:
        return Linked()
    own = column_scores(found, weights)
    tables = table_scores(found, own, weights)
    tables, keys = along_ways(found, tables, weights)
    columns = own + keys + weights.inherit * tables[found.owner]
    return Linked(tables=ranked(found.table_names, tables), columns=ranked(found.column_names, columns))


def column_scores(found: Candidates, weights: Weights) -> Scores:
    """What speaks for each column itself. A lexical side that found nothing is all zero and so says nothing."""
    side = found.column
    total = weights.column_dense * z(side.dense) + weights.column_name * z(side.name)
    total = total + weights.column_text * z(side.text) + weights.column_exact * side.exact
    return total + weights.column_value * found.value


def table_scores(found: Candidates, own: Scores, weights: Weights) -> Scores:
    """What speaks for each table: itself, its columns, the words it covers, its domain."""
    side, count = found.table, len(found.table_names)
    total = weights.table_dense * z(side.dense) + weights.table_name * z(side.name)
    total = total + weights.table_text * z(side.text) + weights.table_exact * side.exact
    total = total + weights.best_column * z(best_of(own, found.owner, count))
    total = total + weights.many_columns * z(summed(own, found.owner, count))
    covered = np.maximum(best_of(found.column.words, found.owner, count), side.words)
    total = total + weights.table_covers * z(mean(covered))
    domains = int(found.domain.max()) + 1
    if domains > 1:
        total = total + weights.domain_covers * z(mean(best_of(covered, found.domain, domains))[found.domain])
        total = total + weights.domain_best * best_of(total, found.domain, domains)[found.domain]
        total = total + weights.domain_together * z(best_of(total, found.domain, domains))[found.domain]
    return total


def along_ways(found: Candidates, tables: Scores, weights: Weights) -> tuple[Scores, Scores]:
    """Table scores, those between good tables as good as the lesser of the two, and what the columns that join gain."""
    lifted, keys = tables.copy(), weights.join * joining(found, tables)
    for link, end in ways(found, z(tables)):
        for table in (link.start, link.end):
            lifted[table] = max(lifted[table], tables[end])
        keys[[link.from_column, link.to_column]] += weights.on_the_way
    return lifted, keys


def joining(found: Candidates, tables: Scores) -> Scores:
    """For a column that joins two tables the score of the weaker one, -1 for every other column and below."""
    level = z(tables)
    gain: Scores = np.full(len(found.column_names), -1.0)
    left, right = found.edges[:, 0], found.edges[:, 1]
    weaker = np.minimum(level[found.owner[left]], level[found.owner[right]])
    np.maximum.at(gain, left, weaker)
    np.maximum.at(gain, right, weaker)
    return gain


def z(scores: Scores) -> Scores:
    """Distance from the mean in standard deviations, at most five; all alike is all zero."""
    spread = float(scores.std())
    if spread < 1e-9:
        return np.zeros_like(scores)
    near: Scores = np.clip((scores - scores.mean()) / spread, -_FAR, _FAR)
    return near


def best_of(scores: Scores, group: Rows, groups: int) -> Scores:
    """The best score of each group, row-wise where there are several scores."""
    best: Scores = np.full((groups, *scores.shape[1:]), float(scores.min()) if scores.size else 0.0)
    np.maximum.at(best, group, scores)
    return best


def summed(own: Scores, owner: Rows, tables: int) -> Scores:
    """A soft count of good columns: the logarithm of the summed exponentials of each table's columns."""
    total = np.bincount(owner, weights=np.exp(own - own.max()), minlength=tables)
    return np.asarray(np.log(total + 1e-9), dtype=np.float64)


def mean(covered: Scores) -> Scores:
    """How well the words are covered on average; no words, no difference."""
    return covered.mean(axis=1) if covered.shape[1] else np.zeros(len(covered))


def ranked(names: Sequence[str], scores: Scores) -> Ranked:
    """Names with scores, best first, ties by name."""
    pairs = ((name, round(float(score), 4)) for name, score in zip(names, scores, strict=True))
    return tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))
