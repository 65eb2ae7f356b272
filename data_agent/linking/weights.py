"""How much each side counts in linking; one set for all languages and databases."""

from data_agent.domain.frozen import Frozen


class Weights(Frozen):
    """Factors of the sides in `link`, each on z-scores or on a share of 0-1."""

    column_dense: float = 1.0
    column_name: float = 1.0
    column_text: float = 0.7
    column_exact: float = 0.0
    column_value: float = 2.0
    table_dense: float = 1.0
    table_name: float = 0.8
    table_text: float = 0.7
    table_exact: float = 0.0
    best_column: float = 0.7
    best_columns: float = 0.7
    domain: float = 0.3
    neighbour: float = 0.0
    inherit: float = 1.0


WEIGHTS = Weights()
