"""What readers see under an alias: one or several indexes, each with the columns that a newer one has taken over."""

import re
import time
import uuid
from typing import Any, NamedTuple

from data_agent.ports.recall import ValuePart


class Live(NamedTuple):
    """The indexes under an alias by name, with the columns hidden in each; `newest` keeps stamp and account."""

    hidden: dict[str, tuple[str, ...]]
    newest: str

    def only_visible(self, query: dict[str, Any]) -> dict[str, Any]:
        """The query, without what is hidden."""
        told = [
            {"bool": {"filter": [{"term": {"_index": name}}, {"terms": {"owner": list(columns)}}]}}
            for name, columns in self.hidden.items()
            if columns
        ]
        return {"bool": {"must": [query], "must_not": told}} if told else query

    def without(self, name_of: dict[str, str], keep: set[str]) -> dict[str, tuple[str, ...]]:
        """What has to be hidden in each index once only `keep` stays; an index that keeps nothing is left out.

        `name_of` says in which index each column lies.
        """
        found = {}
        for name, before in self.hidden.items():
            own = {column for column, place in name_of.items() if place == name}
            if own & keep:
                found[name] = tuple(sorted({*before, *(own - keep)}))
        return found


class Held(NamedTuple):
    """Where a column's values lie, and what is known of them."""

    place: str
    part: ValuePart


def live_of(alias: str, answer: dict[str, Any]) -> Live:
    """The server's answer to the question what the alias means."""
    hidden, newest = {}, ""
    for name, held in answer.items():
        own = held["aliases"][alias]
        hidden[name] = hidden_by(own.get("filter"))
        if own.get("is_write_index") or not newest:
            newest = name
    return Live(hidden, newest)


def hiding(columns: tuple[str, ...]) -> dict[str, Any]:
    """The alias filter that hides these columns."""
    return {"bool": {"must_not": [{"terms": {"owner": list(columns)}}]}}


def hidden_by(told: dict[str, Any] | None) -> tuple[str, ...]:
    """The columns that such a filter hides."""
    return tuple(told["bool"]["must_not"][0]["terms"]["owner"]) if told else ()


def moves(alias: str, before: Live | None, after: dict[str, tuple[str, ...]], fresh: str) -> list[dict[str, Any]]:
    """One atomic step from what is live to `after` and the fresh index."""
    gone = [name for name in (before.hidden if before else ()) if name not in after]
    steps: list[dict[str, Any]] = [{"remove": {"index": name, "alias": alias}} for name in gone]
    for name, columns in after.items():
        told = {"filter": hiding(columns)} if columns else {}
        steps.append({"add": {"index": name, "alias": alias, "is_write_index": False, **told}})
    return [*steps, {"add": {"index": fresh, "alias": alias, "is_write_index": True}}]


def fresh_name(alias: str) -> str:
    """A name for a new index that no other run uses."""
    return f"{alias}-{time.strftime('%Y%m%d%H%M%S', time.gmtime())}-{uuid.uuid4().hex[:6]}"


def is_build_of(alias: str, name: str) -> bool:
    """Whether an index of that name was made for this alias, not for one whose name only begins alike."""
    return re.fullmatch(rf"{re.escape(alias)}-\d{{14}}-[0-9a-f]{{6}}", name) is not None
