"""Clocks: the real one in the business time zone, and one that is held still for the demo."""

from datetime import datetime
from zoneinfo import ZoneInfo


class SystemClock:
    """Now, in the business time zone: in UTC, 今天 would be yesterday until 08:00 in China."""

    def __init__(self, time_zone: str) -> None:
        self._zone = ZoneInfo(time_zone)

    def now(self) -> datetime:
        """An aware datetime."""
        return datetime.now(self._zone)


class HeldClock:
    """Always the same moment."""

    def __init__(self, moment: datetime, time_zone: str) -> None:
        self._moment = moment.astimezone(ZoneInfo(time_zone))

    def now(self) -> datetime:
        """The moment it was given."""
        return self._moment
