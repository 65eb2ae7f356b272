"""The most common citizenship of singers, 最常见的城市: groups by how many rows they have."""

from data_agent.domain.reading import ReadMetric
from data_agent.reading.draft import Draft, Ranked


def place_commonest(draft: Draft) -> None:
    """The column after the word is grouped by; the rows of its table, or of the one named with it, are counted."""
    for index, mark in enumerate(draft.marks):
        if not mark.says("common") or mark.used or mark.things or draft.ranked is not None:
            continue
        target = draft.neighbour(index, 1, "of", "measure")
        counted = draft.at(target)
        columns = [thing for thing in counted.of("column") if draft.groupable(thing.name)] if counted else []
        thing = draft.settle(counted, among=columns) if counted and columns else None
        if counted is None or thing is None:
            continue
        table = thing.table
        metric = ReadMetric(words=mark.text, aggregate="count", column=f"{table}.*")
        mark.used = True
        dimension = draft.add_dimension(counted, thing.name)
        kept = draft.add_metric(mark, metric, asked=False)
        draft.ranked = Ranked(mark.text, kept, descending=True, limit=1, dimension=dimension)
