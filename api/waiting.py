"""A question that waits for a person: what was asked, and whether the reply to it is one that was offered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from api.questions import said
from data_agent.domain.language import language_of
from data_agent.domain.reading import Ambiguity
from data_agent.errors import NothingWaits, UnknownChoice


@dataclass(frozen=True)
class Waiting:
    """The question as it was put, and what its words may mean; nothing, when an approval is waited for."""

    question: str
    ambiguities: tuple[Ambiguity, ...]

    def checked(self, choices: Mapping[str, str], approve: bool | None = None) -> dict[str, str] | bool:
        """The approval, or the choices, each of them offered; words left out are asked again.

        Raises:
            UnknownChoice: a word was not asked about, an id was not offered, or nothing was chosen.
        """
        if not self.ambiguities:
            return self._approval(choices, approve)
        offered = {asked.words: [choice.id for choice in asked.choices] for asked in self.ambiguities}
        wrong = [f"{words}={chosen}" for words, chosen in choices.items() if chosen not in offered.get(words, [])]
        if wrong or not choices:
            listed = "; ".join(f"{words}: {', '.join(ids)}" for words, ids in offered.items())
            language, said_wrong = language_of(self.question), ", ".join(wrong) or "—"
            raise UnknownChoice(
                said(language, f"没有这个选项：{said_wrong}", f"not offered: {said_wrong}"),
                hint=said(language, f"可以选：{listed}", f"choose one of: {listed}"),
            )
        return dict(choices)

    def _approval(self, choices: Mapping[str, str], approve: bool | None) -> bool:
        if approve is None or choices:
            raise UnknownChoice(
                said(language_of(self.question), "这里需要批准或拒绝", "this waits for an approval"),
                hint='{"approve": true} · {"approve": false}',
            )
        return approve


async def waiting_in(graph: Any, name: str) -> Waiting:
    """What the thread kept as `name` waits for.

    Raises:
        NothingWaits: nothing.
    """
    state = await graph.aget_state({"configurable": {"thread_id": name}})
    asked = next((_ambiguities(interrupt.value) for interrupt in state.interrupts), None)
    if asked is None:
        raise NothingWaits(
            "this conversation waits for no choice · 这个会话没有等待选择的问题",
            hint="it was answered already, or never asked: put the question again · 可能已经回答过，请重新提问",
        )
    return Waiting(str(state.values["query"]), asked)


def _ambiguities(value: Any) -> tuple[Ambiguity, ...]:
    found: Sequence[Any] = getattr(value, "ambiguities", value)
    return tuple(found)
