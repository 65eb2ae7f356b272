"""Run one statement under the policy on everything, and plainly on the copy, and compare."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from data_agent.errors import UnsafeSql
from data_agent.options import Limits
from data_agent.policy.rights import Rights
from data_agent.sql.admit import admit
from tests.cases.policy_star import CALLER, POLICY, star

Run = Callable[[str], Iterable[tuple[Any, ...]]]
LIMITS = Limits(max_rows=100_000)
# Its storage engine for temporary tables could not make one: no fault of a statement, and it shows no row.
_INSIDE_MYSQL = "uses an extension that doesn't exist in this MySQL version"


@dataclass
class Tally:
    """What came of the statements; `differences` must stay empty. `broke` counts failures inside MySQL itself."""

    compared: int = 0
    with_rows: int = 0
    refused: int = 0
    failed: int = 0
    broke: int = 0
    differences: list[str] = field(default_factory=list)
    complaints: Counter[str] = field(default_factory=Counter)


def compare(statements: Iterable[str], on_all: Run, on_copy: Run, dialect: str) -> Tally:
    """Compare statement by statement. One that both sides refuse, or both databases complain about, is only counted."""
    rights, tally = Rights.of(star(), POLICY, CALLER), Tally()
    for sql in statements:
        try:
            plain = admit(sql, catalog=rights.view, dialect=dialect, limits=LIMITS).sql
        except UnsafeSql as refusal:
            tally.refused += 1
            tally.complaints[refusal.reason_code] += 1
            _both_refuse(sql, rights, dialect, tally)
            continue
        cut = admit(sql, catalog=rights.view, dialect=dialect, limits=LIMITS, rewrite=rights.rewriting(dialect)).sql
        _run_both(sql, (on_all, cut), (on_copy, plain), tally)
    return tally


def _both_refuse(sql: str, rights: Rights, dialect: str, tally: Tally) -> None:
    try:
        admit(sql, catalog=rights.view, dialect=dialect, limits=LIMITS, rewrite=rights.rewriting(dialect))
    except UnsafeSql:
        return
    tally.differences.append(f"admitted only under the policy: {sql}")


def _run_both(sql: str, under: tuple[Run, str], plainly: tuple[Run, str], tally: Tally) -> None:
    found, expected = (_result(*pair) for pair in (under, plainly))
    if isinstance(found, str) and isinstance(expected, str):
        tally.failed += 1
        tally.complaints[expected.splitlines()[0][:90]] += 1
    elif any(isinstance(each, str) and _INSIDE_MYSQL in each for each in (found, expected)):
        tally.broke += 1
    elif found != expected:
        tally.differences.append(f"{sql}\n  under the policy: {under[1]}\n  {found}\n  on the copy: {expected}")
    else:
        tally.compared += 1
        tally.with_rows += bool(expected)


def _result(run: Run, sql: str) -> Counter[tuple[Any, ...]] | str:
    try:
        return Counter(tuple(_cell(value) for value in row) for row in run(sql))
    except Exception as error:  # noqa: BLE001  whatever a database says is compared
        return f"{type(error).__name__}: {error}"


def _cell(value: Any) -> Any:
    if isinstance(value, Decimal | float | int):
        return round(float(value), 6)
    return value.decode() if isinstance(value, bytes) else value if value is None else str(value)
