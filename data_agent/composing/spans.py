"""Which time ranges go with the periods of a reading."""

from datetime import date

from data_agent.domain.reading import Reading, ReadTime
from data_agent.domain.time import Grain


def time_place(reading: Reading) -> int | None:
    """The position of the first dimension that is cut into periods."""
    return next((number for number, each in enumerate(reading.dimensions) if each.grain), None)


def grain_of(reading: Reading) -> Grain:
    """The grain of the periods, else of the first range."""
    place = time_place(reading)
    grain = reading.dimensions[place].grain if place is not None else None
    return grain or reading.times[0].range.grain


def same_time(reading: Reading) -> list[ReadTime]:
    """The ranges that restrict the column that periods are cut from."""
    place = time_place(reading)
    if place is None:
        return [time for time in reading.times if time.column == reading.times[0].column]
    wanted = reading.dimensions[place].column or None
    return [time for time in reading.times if time.column in {wanted, None} or wanted is None]


def ends(reading: Reading) -> tuple[date | None, date | None]:
    """First day and end of the ranges of the periods together; None where one of them is open, or none is given."""
    spans = [time.range for time in same_time(reading)]
    starts, ends = [span.start for span in spans], [span.end for span in spans]
    start = min((day for day in starts if day), default=None) if all(starts) else None
    end = max((day for day in ends if day), default=None) if all(ends) else None
    return start, end
