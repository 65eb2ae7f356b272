"""A language model that says what it was told to say."""

from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel

from data_agent.domain.answer import Usage
from data_agent.errors import ReplyUnreadable
from data_agent.ports.llm import OnToken, Role

Reply = TypeVar("Reply", bound=BaseModel)


class FakeLlm:
    """Gives `replies` in order; an exception among them is raised, a model or dict answers a structured call."""

    def __init__(self, replies: Sequence[str | BaseModel | dict | Exception] = ()) -> None:
        self.replies = list(replies)
        self.prompts: list[str] = []
        self.closed = False

    @property
    def name(self) -> str:
        return "fake"

    def _next(self, prompt: str) -> object:
        self.prompts.append(prompt)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def complete(self, prompt: str, role: Role = "smart", on_token: OnToken | None = None) -> tuple[str, Usage]:
        reply = str(self._next(prompt))
        if on_token:
            on_token(reply)
        return reply, Usage(calls=1, prompt_tokens=len(prompt) // 4, completion_tokens=len(reply) // 4)

    async def structured(self, prompt: str, schema: type[Reply], role: Role = "fast") -> tuple[Reply, Usage]:
        reply = self._next(prompt)
        if isinstance(reply, str):
            raise ReplyUnreadable("junk")
        value = reply if isinstance(reply, schema) else schema.model_validate(reply)
        return value, Usage(calls=1, prompt_tokens=len(prompt) // 4, completion_tokens=1)

    async def ping(self) -> str:
        return "fake"

    async def close(self) -> None:
        self.closed = True
