"""What is to be measured: a reading as it is handed in, the names that spell one, or both."""

from data_agent.context import DataAgentContext
from data_agent.domain.reading import Reading
from data_agent.reading.named import Named, reading_of, sound


def asked_reading(
    asked: Named | Reading, context: DataAgentContext, more: Named | None = None
) -> tuple[Reading, dict[str, str]]:
    """The reading, and the meanings chosen for its words; `more` names parts that come on top of a reading."""
    if isinstance(asked, Reading):
        if more is None:
            return sound(asked, context.catalog), {}
        return sound(_together(asked, _spelled(more, context)), context.catalog), more.choices
    return sound(_spelled(asked, context), context.catalog), asked.choices


def _spelled(names: Named, context: DataAgentContext) -> Reading:
    now, calendar = context.clock.now(), context.options.calendar
    return reading_of(names, lexicon=context.lexicon, now=now, calendar=calendar)


def _together(first: Reading, more: Reading) -> Reading:
    """Both readings as one: a time or a limit of `more` stands in place of the first one's."""
    return first.model_copy(
        update={
            "metrics": first.metrics + more.metrics,
            "dimensions": first.dimensions + more.dimensions,
            "filters": first.filters + more.filters,
            "having": first.having
            + tuple(each.model_copy(update={"metric": each.metric + len(first.metrics)}) for each in more.having),
            "times": more.times or first.times,
            "limit": more.limit or first.limit,
            "ambiguities": first.ambiguities + more.ambiguities,
        }
    )
