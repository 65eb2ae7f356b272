"""A language model."""

from collections.abc import Callable
from typing import Literal, Protocol, TypeVar

from pydantic import BaseModel

from data_agent.domain.answer import Usage

Role = Literal["fast", "smart", "judge"]
Reply = TypeVar("Reply", bound=BaseModel)
OnToken = Callable[[str], None]


class Llm(Protocol):
    """A chat model behind one prompt. Every call has a time limit and retries only on 429, 5xx and time-outs.

    Raises:
        ModelUnavailable, ModelTimeout, ModelRejected: the model could not be asked.
        ReplyTruncated: the reply was cut (finish reason `length`, or the stream ended without one).
        ReplyUnreadable: the structured reply could not be read in any mode.
    """

    @property
    def name(self) -> str:
        """The model's name, for people."""
        ...

    async def complete(self, prompt: str, role: Role = "smart", on_token: OnToken | None = None) -> tuple[str, Usage]:
        """The reply as text; `on_token` hears each piece as it comes."""
        ...

    async def structured(self, prompt: str, schema: type[Reply], role: Role = "fast") -> tuple[Reply, Usage]:
        """The reply as `schema`: JSON schema → function calling → JSON mode → text and parser, remembered per model."""
        ...

    async def ping(self) -> str:
        """A cheap proof that the model answers; the text names it."""
        ...

    async def close(self) -> None:
        """Close connections."""
        ...
