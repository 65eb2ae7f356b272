"""The base of every model that travels in the state: frozen, closed, equal by value."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Immutable and without unknown fields, so a checkpoint gives back exactly what it was given."""

    model_config = ConfigDict(frozen=True, extra="forbid")
