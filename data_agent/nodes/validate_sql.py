"""Prove the statement before it may run: the guard, the names, the caller's policy, EXPLAIN on the real database."""

from data_agent.ask_warehouse import let
from data_agent.context import Run
from data_agent.domain.language import language_of
from data_agent.errors import UnsafeSql
from data_agent.options import Limits
from data_agent.sql.cost import too_expensive
from data_agent.state import DataAgentState
from data_agent.step import step, tool_call


@step("校验语句")
async def validate_sql(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Every statement comes through here, corrected ones too. A complaint is data for the correction."""
    context, sql = runtime.context, state["sql"]
    try:
        statement = await let(runtime, sql, one_more(context.options.limits))
    except UnsafeSql as error:
        return {"admitted": None, "sql_error": error.message}
    async with tool_call(runtime, "warehouse", "explain"):
        plan = await context.warehouse.explain(statement.admitted)
    if plan.complaint:
        complaint = context.rights.told(plan.complaint, sql) if context.rights else plan.complaint
        return {"admitted": None, "sql_error": complaint}
    changes = DataAgentState(admitted=statement.admitted, shown_sql=statement.shown, sql_error="", expensive="")
    problem = too_expensive(statement.admitted, plan, context.options.limits)
    return changes if problem is None or state["approved"] == sql else expensive(problem, changes, state, runtime)


def expensive(problem: UnsafeSql, changes: DataAgentState, state: DataAgentState, runtime: Run) -> DataAgentState:
    """A person is asked, or it is refused; a model that forgot a join condition may add it first.

    Raises:
        UnsafeSql: it is refused.
    """
    why = problem.zh if language_of(state["query"]) == "zh" else problem.message
    if runtime.context.options.limits.on_expensive == "approve":
        return {**changes, "expensive": why}
    if problem.reason_code == "crossed" and state["written_by"] == "model":
        return {"admitted": None, "sql_error": problem.message}
    raise UnsafeSql(why, reason_code=problem.reason_code, zh=problem.zh)


def one_more(limits: Limits) -> Limits:
    """A row more than is shown, so that a result that was cut can say so."""
    return limits.model_copy(update={"max_rows": limits.max_rows + 1})
