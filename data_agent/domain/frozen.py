"""The base of every model that travels in the state: frozen, closed, equal by value."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Immutable and without unknown fields, so a checkpoint gives back exactly what it was given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A changed copy. What was worked out from the old fields and remembered (`cached_property`) is forgotten."""
        copied = super().model_copy(update=update, deep=deep)
        for name in set(copied.__dict__) - set(type(copied).model_fields):
            del copied.__dict__[name]
        return copied
