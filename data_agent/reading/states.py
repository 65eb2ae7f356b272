"""退款订单数 where orders have a state 已退款: the word before a count names the state, not another number."""

from itertools import pairwise

from data_agent.reading.draft import Draft
from data_agent.reading.lexicon import Thing
from data_agent.reading.marks import Mark

_DONE = "已"


def place_states(draft: Draft) -> None:
    """Turn such a word into the value it means; the rule for values then gives it its place."""
    for mark, after in pairwise(draft.marks):
        if mark.end != after.start or mark.time or mark.of("value") or not mark.of("metric", "table", "column"):
            continue
        if state := _state(draft, mark, after):
            mark.things = (state,)
            draft.notes.append(f"{mark.text} → {_DONE}{mark.text}")


def _state(draft: Draft, mark: Mark, after: Mark) -> Thing | None:
    """The one label called so in the table whose rows are counted next."""
    metrics = [draft.lexicon.catalog.metric(thing.name) for thing in after.of("metric")]
    counted = {metric.table for metric in metrics if metric and metric.expression.upper().startswith("COUNT(")}
    found = [
        thing
        for thing in draft.lexicon.lookup(f"{_DONE}{mark.text}")
        if thing.kind == "value" and thing.table in counted
    ]
    return found[0] if len(found) == 1 else None
