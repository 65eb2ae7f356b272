"""Quality modes: which of the three models plays a role (economy: the fast one; premium: the smart one)."""

from typing import Literal

from data_agent.domain.answer import Usage
from data_agent.ports.llm import Llm, OnToken, Reply, Role

QualityMode = Literal["economy", "balanced", "premium"]

_CAST: dict[QualityMode, dict[Role, Role]] = {
    "economy": {"fast": "fast", "smart": "fast", "judge": "fast"},
    "balanced": {"fast": "fast", "smart": "smart", "judge": "judge"},
    "premium": {"fast": "smart", "smart": "smart", "judge": "judge"},
}


class Graded:
    """A language model that follows the question's quality mode."""

    def __init__(self, llm: Llm, mode: QualityMode) -> None:
        self._llm = llm
        self._cast = _CAST[mode]

    @property
    def name(self) -> str:
        """The model's name, for people."""
        return self._llm.name

    async def complete(self, prompt: str, role: Role = "smart", on_token: OnToken | None = None) -> tuple[str, Usage]:
        """The reply as text."""
        return await self._llm.complete(prompt, self._cast[role], on_token)

    async def structured(self, prompt: str, schema: type[Reply], role: Role = "fast") -> tuple[Reply, Usage]:
        """The reply as `schema`."""
        return await self._llm.structured(prompt, schema, self._cast[role])

    async def ping(self) -> str:
        """A cheap proof that the model answers."""
        return await self._llm.ping()

    async def close(self) -> None:
        """Leave the shared connections to their owner."""
