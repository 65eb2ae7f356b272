"""On the terminal a person approves an expensive statement, declines it, or is not there."""

import pytest
from rich.console import Console

from scripts.ask import Asking, answered
from tests.fakes.graph import fake_service


@pytest.mark.parametrize(("said", "end"), [(True, "reading"), (False, "unsafe_sql"), (None, "clarify")])
async def test_only_a_yes_runs_an_expensive_statement(said: bool | None, end: str) -> None:
    shown: list[str | None] = []

    def approved(answer: object) -> bool | None:
        shown.append(getattr(answer, "sql", None))
        return said

    asking = Asking("贵的问题", approved=approved)
    found, _ = await answered(fake_service(), asking, lambda _: None, Console(quiet=True).status("…"))
    assert getattr(found, "code", found.answer.path if found.answer else "") == end
    assert len(shown) == 1 and shown[0]
