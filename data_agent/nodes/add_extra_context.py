"""Say what the model cannot know: today, the time ranges the question names, the database."""

from data_agent.context import Run
from data_agent.dates import today_facts
from data_agent.domain.language import language_of
from data_agent.domain.time import TimeRange
from data_agent.prompts import render
from data_agent.state import DataAgentState
from data_agent.step import step


@step("补充上下文")
async def add_extra_context(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Dates come from the injected clock, ranges from the reading, dialect and version from the warehouse."""
    context, language = runtime.context, language_of(state["query"])
    extra = render(
        "extra_context",
        language,
        today=today_facts(context.clock.now(), context.options.calendar, language),
        ranges="; ".join(range_text(time.range) for time in state["reading"].times) or "-",
        dialect=context.warehouse.dialect,
        version=await context.warehouse.version(),
    )
    return {"extra": extra}


def range_text(time: TimeRange) -> str:
    """`words: start <= t < end`."""
    lower = f"{time.start} <= " if time.start else ""
    upper = f" < {time.end}" if time.end else ""
    return f"{time.words}: {lower}t{upper}"
