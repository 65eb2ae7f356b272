"""Keep only metrics whose parts are all there and that do not go round in a circle."""

from collections.abc import Iterator, Mapping

from data_agent.catalog.formula import parts_of
from data_agent.domain.metric import Metric
from data_agent.exchange.result import NotCarried


def whole(found: Mapping[str, Metric]) -> tuple[dict[str, Metric], list[NotCarried]]:
    """The metrics that can be computed, and why the others cannot; a metric whose part is missing goes with it."""
    kept, left_out = dict(found), []
    while broken := dict(_broken(kept)):
        for name, why in broken.items():
            left_out.append(NotCarried(what=f"metric {name}", why=why))
            del kept[name]
    return kept, left_out


def _broken(found: Mapping[str, Metric]) -> Iterator[tuple[str, str]]:
    for name, metric in found.items():
        missing = [part for part in parts_of(metric.expression) if part not in found]
        if missing:
            yield name, f"it stands on `{missing[0]}`, which could not be imported"
        elif _circular(name, found):
            yield name, "it goes round in a circle"


def _circular(name: str, found: Mapping[str, Metric]) -> bool:
    seen: set[str] = set()
    queue = list(parts_of(found[name].expression))
    while queue:
        part = queue.pop()
        if part == name:
            return True
        if part in found and part not in seen:
            seen.add(part)
            queue += parts_of(found[part].expression)
    return False
