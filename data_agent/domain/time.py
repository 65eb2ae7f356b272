"""Time ranges: always half-open, always with the words they came from."""

from datetime import date
from typing import Literal

from data_agent.domain.frozen import Frozen

Grain = Literal["day", "week", "month", "quarter", "year"]


class TimeRange(Frozen):
    """`start` ≤ t < `end` in the business time zone. `words` is the part of the question; None is an open side.

    `span` holds the character offsets of `words`. `label` says the range plainly ("2026年2月", "FY2025 Q4").
    """

    words: str
    start: date | None
    end: date | None
    grain: Grain = "day"
    label: str = ""
    span: tuple[int, int] = (0, 0)


class CalendarSettings(Frozen):
    """How this business counts time. `week_start` 0 is Monday; `fiscal_year_start` is a month, 1-12."""

    time_zone: str = "Asia/Shanghai"
    week_start: int = 0
    fiscal_year_start: int = 1
