"""The knobs of the workflow; every one has a safe default."""

from data_agent.domain.frozen import Frozen
from data_agent.domain.policy import OnExpensive
from data_agent.domain.reading import Reading
from data_agent.domain.time import CalendarSettings


class Limits(Frozen):
    """What one statement may cost: rows and bytes returned, seconds run, rows EXPLAIN expects to be read.

    `max_crossed_rows` bounds that estimate where nothing joins some of the tables (None: no bound). What is over a
    bound is refused, or a person has to approve it: `on_expensive`.
    """

    max_rows: int = 1000
    max_bytes: int = 5_000_000
    seconds: float = 30.0
    max_estimated_rows: int | None = None
    max_crossed_rows: int | None = 1_000_000
    on_expensive: OnExpensive = "refuse"


class Options(Frozen):
    """Settings of the question graph.

    `token_budget` is the size, in estimated tokens, up to which candidates need no filtering; `filter_budget` bounds
    what a filter prompt may show. `recall_limit` is how many tables and columns linking weighs: what
    `data-agent eval linking` measures with. `compose: false` lets the model write every statement, to measure it.
    `ambiguity_margin` is how close a second candidate may score before we ask (0-1).
    """

    max_question_chars: int = 2000
    max_corrections: int = 2
    total_seconds: float = 60.0
    compose: bool = True
    recall_limit: int = 200
    recall_seconds: float = 5.0
    max_tables: int = 8
    value_limit: int = 8
    token_budget: int = 3000
    filter_budget: int = 6000
    confidence_threshold: float = 0.6
    ambiguity_margin: float = 0.08
    limits: Limits = Limits()
    calendar: CalendarSettings = CalendarSettings()

    def composes(self, reading: Reading) -> bool:
        """Whether SQL is composed from this reading, so that no model is asked."""
        return self.compose and reading.complete

    def needs_model(self, reading: Reading) -> bool:
        """Whether a model has to write the statement: it can neither be composed nor is it a person who must choose."""
        return not self.composes(reading) and not reading.undecided
