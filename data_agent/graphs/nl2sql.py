"""The twelve nodes from a question to rows, wired on one screen."""

from collections.abc import Hashable

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from data_agent.context import DataAgentContext
from data_agent.nodes.add_extra_context import add_extra_context
from data_agent.nodes.correct_sql import correct_sql
from data_agent.nodes.execute_sql import execute_sql
from data_agent.nodes.extract_keywords import extract_keywords
from data_agent.nodes.filter_metric import filter_metric
from data_agent.nodes.filter_table import filter_table
from data_agent.nodes.generate_sql import generate_sql
from data_agent.nodes.merge_retrieved_info import merge_retrieved_info
from data_agent.nodes.recall_column import recall_column
from data_agent.nodes.recall_metric import recall_metric
from data_agent.nodes.recall_value import recall_value
from data_agent.nodes.validate_sql import validate_sql
from data_agent.state import DataAgentState

Graph = CompiledStateGraph[DataAgentState, DataAgentContext, DataAgentState, DataAgentState]
Unfinished = StateGraph[DataAgentState, DataAgentContext, DataAgentState, DataAgentState]

RECALLS = [recall_column, recall_value, recall_metric]
FILTERS = [filter_table, filter_metric]
LINE = [add_extra_context, generate_sql, validate_sql]
ENDS = [correct_sql, execute_sql]


async def after_generation(state: DataAgentState) -> str:
    """What a person has to choose first ends the walk."""
    return "asked" if state["asked"] else "validate_sql"


async def after_validation(state: DataAgentState) -> str:
    """Run what passed, mend what did not; what a person has to approve first ends the walk."""
    if state["expensive"]:
        return "expensive"
    return "correct_sql" if state["sql_error"] else "execute_sql"


def wire(graph: Unfinished, *, asked: str = END, expensive: str = END, done: str = END) -> None:
    """Put the twelve nodes into a graph, entered at `extract_keywords`.

    The three names are the nodes that go on where the walk ends: a person has to choose what a word means, or to
    approve a statement, or there are rows.
    """
    for node in [extract_keywords, *RECALLS, merge_retrieved_info, *FILTERS, *LINE, *ENDS]:
        graph.add_node(node.__name__, node)
    for recall in RECALLS:
        graph.add_edge("extract_keywords", recall.__name__)
    graph.add_edge([recall.__name__ for recall in RECALLS], "merge_retrieved_info")
    for keep in FILTERS:
        graph.add_edge("merge_retrieved_info", keep.__name__)
    graph.add_edge([keep.__name__ for keep in FILTERS], "add_extra_context")
    graph.add_edge("add_extra_context", "generate_sql")
    understood: dict[Hashable, str] = {"validate_sql": "validate_sql", "asked": asked}
    graph.add_conditional_edges("generate_sql", after_generation, understood)
    proven: dict[Hashable, str] = {"correct_sql": "correct_sql", "execute_sql": "execute_sql", "expensive": expensive}
    graph.add_conditional_edges("validate_sql", after_validation, proven)
    graph.add_edge("correct_sql", "validate_sql")
    graph.add_edge("execute_sql", done)


def build(checkpointer: Checkpointer = None) -> Graph:
    """Compile the graph of the twelve nodes alone."""
    graph: Unfinished = StateGraph(DataAgentState, context_schema=DataAgentContext)
    graph.add_edge(START, "extract_keywords")
    wire(graph)
    return graph.compile(checkpointer=checkpointer, name="nl2sql")
