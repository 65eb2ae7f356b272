"""Run the admitted statement, read-only and within limits."""

from collections.abc import Sequence

from data_agent.context import Run
from data_agent.domain.answer import ResultColumn, Rows
from data_agent.errors import StatementFailed, UnsafeSql
from data_agent.state import DataAgentState
from data_agent.step import step, tool_call, warn


@step("执行查询")
async def execute_sql(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Only what the guard and EXPLAIN passed ever gets here; names and units come from the composed shape."""
    admitted = state["admitted"]
    if admitted is None:
        raise UnsafeSql("a statement that was not admitted reached execution")
    rights = runtime.context.rights
    try:
        async with tool_call(runtime, "warehouse", "fetch"):
            rows = await runtime.context.warehouse.fetch(admitted, runtime.context.options.limits)
    except StatementFailed as error:
        raise StatementFailed(rights.told(error.message, state["sql"]), hint=error.hint) if rights else error from None
    for notice in rows.notices:
        warn(runtime, notice, "warehouse")
    return {"rows": shaped(rows, state["shape"])}


def shaped(rows: Rows, shape: Sequence[ResultColumn]) -> Rows:
    """Give the result the labels, units and formats that its statement was composed with."""
    if len(shape) != len(rows.columns):
        return rows
    columns = (
        found.model_copy(update={"label": known.label, "unit": known.unit, "format": known.format})
        for found, known in zip(rows.columns, shape, strict=True)
    )
    return rows.model_copy(update={"columns": tuple(columns)})
