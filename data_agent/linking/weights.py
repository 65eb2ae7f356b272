"""How much each side counts in linking; one set for all languages and databases."""

from data_agent.domain.frozen import Frozen


class Weights(Frozen):
    """Factors of the sides in `link`, each on z-scores, on a share of 0-1 or on a score already summed.

    Rounded by hand on purpose: weights climbed to the optimum of a few hundred questions did worse on databases that
    were left out than these (the ADR on fusing recall has the figures).
    """

    column_dense: float = 1.0
    column_name: float = 1.5
    column_text: float = 0.8
    column_exact: float = 0.5
    column_value: float = 2.0
    table_dense: float = 1.0
    table_name: float = 0.8
    table_text: float = 0.8
    table_exact: float = 0.3
    best_column: float = 0.7
    many_columns: float = 0.7
    table_covers: float = 1.5
    domain_covers: float = 2.0
    domain_best: float = 0.3
    domain_together: float = 2.0
    inherit: float = 1.3
    join: float = 1.5
    on_the_way: float = 1.0


WEIGHTS = Weights()
