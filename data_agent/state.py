"""The state of one question: one line per key, its comment names the nodes that write it."""

from collections.abc import Mapping
from operator import or_
from typing import Annotated, TypedDict

from langgraph.channels import UntrackedValue

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.answer import Answer, Decision, ResultColumn, Rows
from data_agent.domain.metric import Metric
from data_agent.domain.reading import Ambiguity, Reading
from data_agent.domain.schema import Relationship, Table
from data_agent.domain.value import ColumnHit, MetricHit, Value


class DataAgentState(TypedDict, total=False):
    """Plain values and frozen models only, so that a checkpoint gives back what it was given.

    Lists, not tuples: at this level a checkpoint would give tuples back as lists. What was recalled is of no use after
    the merge, so it is never stored.
    """

    query: str  # the door
    choices: Annotated[dict[str, str], or_]  # the door, choose_meaning: words → id of what they mean in this thread
    decision: Decision  # classify_intent
    keywords: list[str]  # extract_keywords
    recalled_columns: Annotated[list[ColumnHit] | None, UntrackedValue]  # recall_column; None: the branch failed
    recalled_values: Annotated[list[Value] | None, UntrackedValue]  # recall_value
    recalled_metrics: Annotated[list[MetricHit] | None, UntrackedValue]  # recall_metric
    tables: list[Table]  # merge_retrieved_info, filter_table
    metrics: list[Metric]  # merge_retrieved_info, filter_metric
    joins: list[Relationship]  # merge_retrieved_info
    reading: Reading  # merge_retrieved_info
    previous: Reading | None  # generate_sql: what the thread's last answer was read as, for a question that goes on
    asked: list[Ambiguity]  # generate_sql, count_choices, choose_meaning: what a person has to choose first
    extra: str  # add_extra_context: the prompt's paragraph on today, time ranges and dialect
    sql: str  # generate_sql, correct_sql
    written_by: str  # generate_sql: "reading" or "model"
    shape: list[ResultColumn]  # generate_sql: what each result column is called and measured in
    notes: list[str]  # generate_sql: what a reader of the number must know
    admitted: AdmittedSql | None  # validate_sql
    shown_sql: str  # validate_sql: the admitted statement as its reader may see it; empty: as it is
    sql_error: str  # validate_sql; empty when the statement passed
    expensive: str  # validate_sql, approve_cost: why a person has to approve the statement first; empty: no need
    approved: str  # approve_cost: the statement that may run whatever it costs
    attempts: list[str]  # correct_sql: every statement that failed
    rows: Rows  # execute_sql
    newest: str  # find_newest: the newest day of what dates the numbers; empty when it cannot be told
    why_empty: list[str]  # explain_empty: what removed the rows; empty when there are some
    answer: Answer  # the end nodes of the assistant graph


def new_turn(query: str, choices: Mapping[str, str] | None = None) -> DataAgentState:
    """A state for the next question of a thread: every key is set, so nothing leaks from the last one.

    Two things stay: what words mean (`choices` come on top of those the thread remembers) and the `previous` reading.
    """
    return DataAgentState(
        query=query,
        choices=dict(choices or {}),
        keywords=[],
        recalled_columns=None,
        recalled_values=None,
        recalled_metrics=None,
        tables=[],
        metrics=[],
        joins=[],
        reading=Reading(question=query, language="zh"),
        asked=[],
        extra="",
        sql="",
        written_by="",
        shape=[],
        notes=[],
        admitted=None,
        shown_sql="",
        sql_error="",
        expensive="",
        approved="",
        attempts=[],
        rows=Rows(),
        newest="",
        why_empty=[],
    )
