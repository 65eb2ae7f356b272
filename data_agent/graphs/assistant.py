"""The front door: what kind of question it is, then the way that answers it."""

from itertools import pairwise

from langgraph.graph import END, START, StateGraph
from langgraph.types import Checkpointer

from data_agent.context import DataAgentContext
from data_agent.graphs import nl2sql
from data_agent.nodes.answer_knowledge import answer_knowledge
from data_agent.nodes.approve_cost import approve_cost
from data_agent.nodes.ask_back import ask_back
from data_agent.nodes.choose_meaning import choose_meaning
from data_agent.nodes.classify_intent import classify_intent
from data_agent.nodes.count_choices import count_choices
from data_agent.nodes.decline import decline
from data_agent.nodes.explain_empty import explain_empty
from data_agent.nodes.find_newest import find_newest
from data_agent.nodes.give_answer import give_answer
from data_agent.nodes.small_talk import small_talk
from data_agent.routing.intents import WAYS
from data_agent.state import DataAgentState

ASIDE = [count_choices, choose_meaning, approve_cost]
CLOSING = [find_newest, explain_empty, give_answer]
ENDS = [give_answer, answer_knowledge, small_talk, ask_back, decline]


async def by_intent(state: DataAgentState) -> str:
    """The node that answers this intent, or begins to."""
    return WAYS[state["decision"].intent]


def build(checkpointer: Checkpointer = None) -> nl2sql.Graph:
    """Compile the graph: the twelve nodes, and around them what only a front door does."""
    graph: nl2sql.Unfinished = StateGraph(DataAgentState, context_schema=DataAgentContext)
    for node in [classify_intent, *ASIDE, *CLOSING[:-1], *ENDS]:
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "classify_intent")
    graph.add_conditional_edges("classify_intent", by_intent, sorted(set(WAYS.values())))
    nl2sql.wire(graph, asked="count_choices", expensive="approve_cost", done="find_newest")
    graph.add_edge("count_choices", "choose_meaning")
    graph.add_edge("choose_meaning", "extract_keywords")
    # what was approved is proven again: days may lie between, and another catalog or policy
    graph.add_edge("approve_cost", "validate_sql")
    for before, after in pairwise(CLOSING):
        graph.add_edge(before.__name__, after.__name__)
    for node in ENDS:
        graph.add_edge(node.__name__, END)
    return graph.compile(checkpointer=checkpointer, name="assistant")
