"""A value that a database quotes in a complaint is not told, whatever quotes and line breaks it holds."""

import pytest

from data_agent.policy.rights import Rights
from tests.cases.policy_star import CALLER, POLICY, star

RIGHTS = Rights.of(star(), POLICY, CALLER)


@pytest.mark.parametrize("value", ["'hush", "o'hush", "' hush '", "'hush\\n", "o\\nhush", "hush\\nmore", '"hush'])
def test_a_value_with_quotes_or_line_breaks_is_not_told_by_a_failed_cast(value: str):
    complaint = f"Conversion Error: Could not convert string '{value}' to INT32"
    assert "hush" not in RIGHTS.told(complaint, "SELECT CAST(CONCAT('o', area) AS INT) FROM regions")


def test_a_misspelt_column_is_still_told():
    complaint = 'Binder Error: Referenced column "are" not found in FROM clause!'
    assert RIGHTS.told(complaint, "SELECT are FROM regions") == complaint
