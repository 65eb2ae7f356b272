"""The warehouse of a conversation: a graph of one node keeps it, and waits for a person where it is not chosen yet."""

from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from data_agent.domain.reading import Ambiguity

WORDS = "warehouse"
"""What a choice of the warehouse is called in `choices`."""


class Chosen(TypedDict):
    """What the router remembers of a thread."""

    query: str
    warehouse: str
    offered: list[Ambiguity]


async def choose(state: Chosen) -> dict[str, str]:
    """Wait for a person where no warehouse is chosen yet."""
    if state["warehouse"]:
        return {}
    picked: dict[str, str] = interrupt(state["offered"])
    return {"warehouse": picked[WORDS].partition(":")[2]}


def choosing(saver: Any) -> Any:
    """The graph of one node that keeps each thread's warehouse."""
    graph = StateGraph(Chosen)
    graph.add_node("choose", choose)
    graph.add_edge(START, "choose")
    graph.add_edge("choose", END)
    return graph.compile(checkpointer=saver)
