"""Words for time to half-open ranges, in Chinese and English."""

from data_agent.dates.bases import base_range, bases
from data_agent.dates.calendar_facts import periods, today_facts
from data_agent.dates.comparing import Comparison, Marker, comparisons
from data_agent.dates.marks import DayType, day_types, grains, latest
from data_agent.dates.resolver import resolve

__all__ = [
    "Comparison",
    "DayType",
    "Marker",
    "base_range",
    "bases",
    "comparisons",
    "day_types",
    "grains",
    "latest",
    "periods",
    "resolve",
    "today_facts",
]
