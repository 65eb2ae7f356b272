"""The time, injected so that a test can hold it still."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time in the business time zone."""

    def now(self) -> datetime:
        """An aware datetime in the business time zone."""
        ...
