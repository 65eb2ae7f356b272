"""From a reading straight to rows: the same proof, the same way to the warehouse; no recall, no model."""

from itertools import pairwise

from langgraph.graph import END, START, StateGraph

from data_agent.context import DataAgentContext
from data_agent.domain.answer import Decision
from data_agent.domain.reading import Reading
from data_agent.graphs.nl2sql import Graph
from data_agent.nodes.execute_sql import execute_sql
from data_agent.nodes.explain_empty import explain_empty
from data_agent.nodes.find_newest import find_newest
from data_agent.nodes.generate_sql import generate_sql
from data_agent.nodes.give_answer import give_answer
from data_agent.nodes.stop_short import stop_short
from data_agent.nodes.validate_sql import validate_sql
from data_agent.state import DataAgentState, new_turn

LINE = [execute_sql, find_newest, explain_empty, give_answer]
HANDED_IN = Decision(intent="data_query", confidence=1.0, reasoning="the reading was handed in", stage="rules")


def begin(reading: Reading, choices: dict[str, str]) -> DataAgentState:
    """The state that starts from a reading."""
    return {**new_turn(reading.question, choices), "reading": reading, "decision": HANDED_IN}


async def after_generation(state: DataAgentState) -> str:
    """What is open is not guessed."""
    return "stop_short" if state["asked"] else "validate_sql"


async def after_validation(state: DataAgentState) -> str:
    """Only what was proven runs; there is nobody to correct it."""
    return "execute_sql" if state["admitted"] and not state["expensive"] else "stop_short"


def build() -> Graph:
    """Compile the graph."""
    graph = StateGraph(DataAgentState, context_schema=DataAgentContext)
    for node in [generate_sql, validate_sql, stop_short, *LINE]:
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "generate_sql")
    graph.add_conditional_edges("generate_sql", after_generation, ["validate_sql", "stop_short"])
    graph.add_conditional_edges("validate_sql", after_validation, ["execute_sql", "stop_short"])
    for before, after in pairwise(LINE):
        graph.add_edge(before.__name__, after.__name__)
    graph.add_edge("give_answer", END)
    graph.add_edge("stop_short", END)
    return graph.compile(name="measure")
