"""Is a proven statement too expensive to run unasked? EXPLAIN against the budget, and joins without a key."""

from data_agent.domain.admitted import AdmittedSql, Plan
from data_agent.errors import UnsafeSql
from data_agent.options import Limits
from data_agent.sql.reasons import refuse


def too_expensive(admitted: AdmittedSql, plan: Plan, limits: Limits) -> UnsafeSql | None:
    """Why it is, or None.

    Tables that nothing joins are an explosion when the product is over `max_crossed_rows` or cannot be estimated: a
    calendar crossed with six channels is no harm. `reason_code` is "crossed" or "too_expensive".
    """
    rows, names = plan.estimated_rows, ", ".join(admitted.unjoined)
    crossed = limits.max_crossed_rows
    if names and crossed is not None and (rows is None or rows > crossed):
        return refuse("crossed", names=names, rows="?" if rows is None else f"{rows:,}", budget=f"{crossed:,}")
    budget = limits.max_estimated_rows
    if rows is not None and budget is not None and rows > budget:
        return refuse("too_expensive", rows=f"{rows:,}", budget=f"{budget:,}")
    return None
