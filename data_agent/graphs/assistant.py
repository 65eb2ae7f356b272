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
from data_agent.nodes.execute_sql import execute_sql
from data_agent.nodes.explain_empty import explain_empty
from data_agent.nodes.find_newest import find_newest
from data_agent.nodes.give_answer import give_answer
from data_agent.nodes.small_talk import small_talk
from data_agent.nodes.validate_sql import validate_sql
from data_agent.routing.intents import WAYS
from data_agent.state import DataAgentState

# what was approved is proven again: days may lie between, and another catalog or policy
APPROVAL = [approve_cost, validate_sql, execute_sql]
ENDS = [give_answer, answer_knowledge, small_talk, ask_back, decline]


def by_intent(state: DataAgentState) -> str:
    """The node (or graph) that answers this intent."""
    return WAYS[state["decision"].intent]


def after_question(state: DataAgentState) -> str:
    """Ask what only a person can say, else answer."""
    if state["expensive"]:
        return "approve_cost"
    return "count_choices" if state["asked"] else "find_newest"


def build(checkpointer: Checkpointer = None) -> nl2sql.Graph:
    """Compile the graph; the twelve-node graph is one of its nodes."""
    graph = StateGraph(DataAgentState, context_schema=DataAgentContext)
    graph.add_node("classify_intent", classify_intent)
    graph.add_node("nl2sql", nl2sql.build(checkpointer=False))
    for node in [count_choices, choose_meaning, *APPROVAL, find_newest, explain_empty, *ENDS]:
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "classify_intent")
    graph.add_conditional_edges("classify_intent", by_intent, sorted(set(WAYS.values())))
    graph.add_conditional_edges("nl2sql", after_question, ["count_choices", "approve_cost", "find_newest"])
    for before, after in pairwise([*APPROVAL, find_newest]):
        graph.add_edge(before.__name__, after.__name__)
    graph.add_edge("find_newest", "explain_empty")
    graph.add_edge("explain_empty", "give_answer")
    graph.add_edge("count_choices", "choose_meaning")
    graph.add_edge("choose_meaning", "nl2sql")
    for node in ENDS:
        graph.add_edge(node.__name__, END)
    return graph.compile(checkpointer=checkpointer, name="assistant")
