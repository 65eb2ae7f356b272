"""What a waiting thread takes for an answer."""

import pytest

from api.waiting import Waiting
from data_agent.errors import UnknownChoice


@pytest.mark.parametrize("said", [True, False])
def test_an_approval_is_a_plain_yes_or_no(said: bool) -> None:
    assert Waiting("q", ()).checked({}, said) is said


@pytest.mark.parametrize(("choices", "approve"), [({}, None), ({"a": "b"}, True)])
def test_anything_else_approves_nothing(choices: dict[str, str], approve: bool | None) -> None:
    with pytest.raises(UnknownChoice):
        Waiting("q", ()).checked(choices, approve)
