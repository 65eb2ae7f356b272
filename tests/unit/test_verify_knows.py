"""What the verifier knows, it knows by itself, and it knows no less than the guard lets through."""

import ast
import hashlib
from datetime import date
from pathlib import Path

import duckdb
import pytest

import data_agent.verify
from data_agent.domain.policy import Mask
from data_agent.sql.dialects import facts_for
from data_agent.sql.nodes import FUNCTIONS, STRUCTURE
from data_agent.verify.known import ANONYMOUS, CLASSES
from data_agent.verify.masks import form_of

ALLOWED = ("sqlglot", "data_agent.domain.", "data_agent.errors", "data_agent.verify.")
ROOM = Path(data_agent.verify.__file__).parent


@pytest.mark.parametrize("path", sorted(ROOM.glob("*.py")), ids=lambda path: path.name)
def test_the_verifier_shares_no_code_with_what_it_checks(path: Path) -> None:
    standard = {"collections.abc", "dataclasses", "functools", "json", "logging", "typing"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        assert all(name in standard or name.startswith(ALLOWED) for name in names)


@pytest.mark.parametrize("dialect", ["mysql", "mariadb", "duckdb"])
def test_the_verifier_knows_every_construct_that_the_guard_lets_through(dialect: str) -> None:
    facts = facts_for(dialect)
    assert facts is not None
    assert (STRUCTURE | FUNCTIONS | facts.classes) - CLASSES[dialect] == set()
    assert facts.functions - ANONYMOUS[dialect] == set()


def masked(mask: Mask, value: str) -> object:
    form = form_of(mask, "x", "'0123456789abcdef'", "duckdb")
    return duckdb.connect().execute(f"SELECT {form} FROM (SELECT {value} AS x)").fetchall()[0][0]


@pytest.mark.parametrize(
    ("mask", "value", "seen"),
    [
        (Mask(column="t.c", kind="hash"), "'a'", hashlib.sha256(b"0123456789abcdefa").hexdigest()),
        (Mask(column="t.c", kind="hash"), "NULL", None),
        (Mask(column="t.c", kind="partial", keep_first=3, keep_last=2), "'13912345611'", "139****11"),
        (Mask(column="t.c", kind="partial", keep_first=3, keep_last=2), "'12345'", "****"),
        (Mask(column="t.c", kind="partial", keep_first=3, keep_last=2), "NULL", None),
        (Mask(column="t.c", kind="bucket", size=10), "27", 20),
        (Mask(column="t.c", kind="bucket", size=10), "-27", -30),
        (Mask(column="t.c", kind="bucket", by="quarter"), "DATE '2025-05-17'", date(2025, 4, 1)),
        (Mask(column="t.c", kind="bucket", by="week"), "DATE '2025-05-17'", date(2025, 5, 12)),
    ],
)
def test_a_mask_as_the_verifier_knows_it_does_what_the_policy_promises(mask: Mask, value: str, seen: object) -> None:
    assert masked(mask, value) == seen


def test_a_null_mask_has_no_form_that_reads_the_column() -> None:
    assert form_of(Mask(column="t.c", kind="null"), "x", "''", "mysql") is None
