import pytest

from data_agent.sql.layout import laid_out


def test_a_statement_is_laid_out_one_clause_a_line() -> None:
    text = laid_out("SELECT a, SUM(b) AS c FROM t WHERE a = 'x from y' GROUP BY a", "mysql")
    assert [line.split()[0] for line in text.splitlines() if not line.startswith(" ")] == [
        "SELECT",
        "FROM",
        "WHERE",
        "GROUP",
    ]
    assert "'x from y'" in text


@pytest.mark.parametrize("text", ["", "not sql at ((", "SELECT 'a"])
def test_what_cannot_be_laid_out_comes_back_as_it_is(text: str) -> None:
    assert laid_out(text, "mysql") == text
