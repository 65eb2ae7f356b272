"""Metrics: named numbers with one agreed definition."""

from typing import Literal

from data_agent.domain.frozen import Frozen
from data_agent.domain.language import Language, in_language
from data_agent.domain.schema import Proposal

Additivity = Literal["additive", "semi_additive", "non_additive"]
NumberFormat = Literal["number", "currency", "percent", "integer"]


class Metric(Frozen):
    """A named number.

    `expression` is an aggregate over columns of the home `table` (`SUM(orders.pay_amount)`), or, for a derived
    metric, arithmetic over other metrics in braces (`{sales} - {refunds}`); a derived metric has no table.
    `filters` are conditions that always apply (`orders.status = 1`, may name columns of joined dimension tables).
    `time_column` is `table.column`. A semi-additive metric takes the last value in time. `finer` names the metric that
    stands in when a dimension lies below this one's grain (order sales by brand are item sales). `inferred` marks a
    candidate that names suggested and no person has confirmed.
    """

    name: str
    description: str = ""
    aliases: tuple[str, ...] = ()
    table: str | None = None
    expression: str = ""
    filters: tuple[str, ...] = ()
    time_column: str | None = None
    additivity: Additivity = "additive"
    format: NumberFormat = "number"
    unit: str = ""
    domain: str | None = None
    relevant_columns: tuple[str, ...] = ()
    finer: str | None = None
    inferred: bool = False
    proposed: Proposal | None = None

    @property
    def derived(self) -> bool:
        """Whether it is computed from other metrics."""
        return "{" in self.expression

    def label(self, language: Language) -> str:
        """What an answer calls this metric."""
        return in_language(self.aliases, language) or self.name
