"""Values compared as a database would compare them."""

from typing import Any, NamedTuple


class Overlap(NamedTuple):
    """Of `asked` different values of one column, `found` stand in the other."""

    asked: int
    found: int

    @property
    def share(self) -> float:
        """The part that was found, 0 to 1."""
        return self.found / self.asked if self.asked else 0.0

    def say(self) -> str:
        """The measurement in words."""
        return f"{self.found} of {self.asked} sampled values found there"


def cell_text(value: Any) -> str:
    """Numbers by value, text without letter case and trailing blanks."""
    text = str(value).rstrip().casefold()
    return text.rstrip("0").rstrip(".") if "." in text and text.replace(".", "", 1).lstrip("-").isdigit() else text
