"""Whose conversation it is: every caller's threads are kept under names of their own."""

from hashlib import sha256
from json import dumps

from data_agent.domain.caller import Caller
from data_agent.domain.policy import Role


def kept_as(thread_id: str, caller: Caller, role: Role | None = None) -> str:
    """The name a caller's thread is kept under.

    Somebody else who gives the same id, and the same caller once its role or attributes have changed, or what `role`
    may see, finds nothing there: neither rows, nor remembered choices, nor the names of what they once were offered.
    A thread id holds no slash, so no caller can spell the name of another one's thread.
    """
    if role is None and caller == Caller():
        return thread_id
    whose = [caller.model_dump(mode="json"), role.model_dump(mode="json") if role else None]
    return f"{sha256(dumps(whose, sort_keys=True).encode()).hexdigest()[:32]}/{thread_id}"
