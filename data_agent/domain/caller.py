"""Who asks, and what they may see."""

from pydantic import Field

from data_agent.domain.frozen import Frozen


class Caller(Frozen):
    """The asker behind every door. `attributes` fill row filters (`:caller.region`)."""

    name: str = "local"
    role: str = "analyst"
    attributes: dict[str, str] = Field(default_factory=dict)
