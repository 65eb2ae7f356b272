"""Which columns say how fresh an answer is."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.reading import Reading, ReadMetric

_DATED = {"fact", "snapshot"}


def time_columns(reading: Reading, tables: Iterable[str], catalog: Catalog) -> tuple[str, ...]:
    """What dates the numbers of an answer: its metrics' own time columns, else those of the facts it was read from."""
    found = [column for metric in reading.metrics for column in _of_metric(metric, catalog)]
    found = found or [column for name in tables for column in _of_table(name, catalog, _DATED)]
    return tuple(column for column in dict.fromkeys(found) if catalog.column(column))


def newest_of(column: str, reading: Reading) -> Reading:
    """The question for the newest value of a time column."""
    newest = ReadMetric(words="", aggregate="max", column=column)
    return Reading(question=reading.question, language=reading.language, metrics=(newest,))


def short_of(reading: Reading, newest: str) -> tuple[str, ...]:
    """A note when the asked range goes on after the newest day of the data."""
    day = _day(newest)
    if day is None:
        return ()
    ends = [time.range.end for time in reading.times if time.range.end]
    last = max(ends, default=None)
    if last is None or last - timedelta(days=1) <= day:
        return ()
    asked = (last - timedelta(days=1)).isoformat()
    zh = f"数据只到 {newest}，{asked} 之前的其余日子还没有数据。"
    en = f"the data ends on {newest}; the days after it, up to {asked}, have none yet"
    return (zh if reading.language == "zh" else en,)


def _day(text: str) -> date | None:
    """The day a text says; None for none: what dates the rows may be a text column."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _of_metric(read: ReadMetric, catalog: Catalog) -> Iterator[str]:
    known = catalog.metric(read.metric) if read.metric else None
    if known is None:
        yield from _of_table((read.column or "").rpartition(".")[0], catalog)
    else:
        for metric in _parts(known, catalog):
            yield from [metric.time_column] if metric.time_column else _of_table(metric.table or "", catalog)


def _parts(metric: Metric, catalog: Catalog, above: tuple[str, ...] = ()) -> Iterator[Metric]:
    if not metric.derived:
        yield metric
    elif metric.name not in above:
        for part in catalog.parts_of(metric):
            yield from _parts(part, catalog, (*above, metric.name))


def _of_table(name: str, catalog: Catalog, roles: set[str] | None = None) -> Iterator[str]:
    table = catalog.table(name)
    if table and table.time_column and (roles is None or table.role in roles):
        yield table.time_column if "." in table.time_column else f"{table.name}.{table.time_column}"
