"""No attack statement is admitted, in either dialect it could be read in."""

from pathlib import Path

import pytest
import yaml

from data_agent.errors import UnsafeSql
from data_agent.options import Limits
from data_agent.sql.admit import admit
from tests.cases.sql_shop import sql_shop

ATTACKS = Path(__file__).parent.parent / "cases" / "attacks.yaml"


def attacks() -> list[tuple[str, str, str]]:
    """(class and name, dialect, statement)."""
    listed = []
    for kind, entry in yaml.safe_load(ATTACKS.read_text(encoding="utf-8")).items():
        dialect, statements = ("mysql", entry) if isinstance(entry, list) else (entry["dialect"], entry["statements"])
        listed += [(f"{kind}: {name}", dialect, sql) for name, sql in statements]
    return listed


@pytest.mark.parametrize(("dialect", "sql"), [pytest.param(d, s, id=name) for name, d, s in attacks()])
def test_an_attack_is_refused_with_a_reason_in_both_languages(dialect: str, sql: str) -> None:
    with pytest.raises(UnsafeSql) as refusal:
        admit(sql, catalog=sql_shop(), dialect=dialect, limits=Limits())
    assert refusal.value.reason_code not in {"unsafe", "guard_failed"}
    assert refusal.value.message
    assert refusal.value.zh != refusal.value.message


def test_there_are_at_least_150_attacks_and_no_name_stands_twice() -> None:
    names = [name for name, _, _ in attacks()]
    assert len(names) == len(set(names)) >= 150
