"""Cells: whatever a driver gives, JSON holds it exactly."""

import json
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

import pytest

from data_agent.answers.cells import RawColumn, Sheet, cell, kind_of, unique
from data_agent.errors import ResultTooLarge
from data_agent.options import Limits


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, None),
        (True, True),
        (7, 7),
        (2**53 - 1, 9007199254740991),
        (2**53, "9007199254740992"),
        (-(2**53), "-9007199254740992"),
        (0.1 + 0.2, 0.30000000000000004),
        (float("nan"), None),
        (float("-inf"), None),
        (Decimal("12345678901234567890.12"), "12345678901234567890.12"),
        (Decimal("1E+3"), "1000"),
        (Decimal("0E-8"), "0.00000000"),
        (Decimal("NaN"), None),
        (date(2026, 3, 31), "2026-03-31"),
        (datetime(2026, 3, 31, 18, 30), "2026-03-31 18:30:00"),
        (datetime(2026, 3, 31, 18, 30, 0, 500000), "2026-03-31 18:30:00.500000"),
        (datetime(2026, 3, 31, tzinfo=UTC), "2026-03-31 00:00:00+00:00"),
        (time(8, 5), "08:05:00"),
        (timedelta(hours=838, minutes=59, seconds=59), "838:59:59"),
        (-timedelta(seconds=1), "-00:00:01"),
        (timedelta(milliseconds=-1500), "-00:00:01.500000"),
        (b"\x00\xff\x01\x02", "AP8BAg=="),
        (bytearray(b"\xff"), "/w=="),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        ([1, None, Decimal("1.50")], '[1, null, "1.50"]'),
        ({"日": date(2026, 1, 2), 3: float("nan")}, '{"日": "2026-01-02", "3": null}'),
        ("优秀👍", "优秀👍"),
    ],
)
def test_json_holds_every_value_exactly(value: object, shown: object) -> None:
    assert cell(value) == shown
    assert type(cell(value)) is type(shown)
    assert json.loads(json.dumps(cell(value), allow_nan=False)) == shown


def test_a_bool_is_not_taken_for_an_integer() -> None:
    assert kind_of(True) == "bool"
    assert kind_of(1) == "integer"
    assert kind_of(datetime(2026, 1, 1)) == "datetime"


@pytest.mark.parametrize(
    ("names", "told_apart"),
    [
        (["id", "id"], ("id", "id_2")),
        (["id", "id", "id"], ("id", "id_2", "id_3")),
        (["id", "id", "id_2"], ("id", "id_3", "id_2")),
        (["", ""], ("column", "column_2")),
        (["销售额", "区域"], ("销售额", "区域")),
    ],
)
def test_no_two_columns_share_a_name(names: list[str], told_apart: tuple[str, ...]) -> None:
    assert unique(names) == told_apart


def sheet(limits: Limits, *names: str) -> Sheet:
    return Sheet([RawColumn(name) for name in names], limits)


def test_one_integer_beyond_what_a_browser_holds_marks_its_column() -> None:
    taken = sheet(Limits(), "id")
    for value in (None, 1, 2**60, 2):
        taken.add((value,))
    assert taken.rows().columns[0].kind == "big_integer"
    assert taken.rows().rows == ((None,), (1,), (str(2**60),), (2,))


def test_a_column_of_nulls_keeps_the_kind_the_driver_told() -> None:
    taken = Sheet([RawColumn("told", "decimal"), RawColumn("untold")], Limits())
    taken.add((None, None))
    assert [column.kind for column in taken.rows().columns] == ["decimal", "null"]


def test_the_row_limit_itself_is_not_truncation() -> None:
    taken = sheet(Limits(max_rows=2), "n")
    assert taken.add((1,))
    assert taken.add((2,))
    assert not taken.truncated
    assert not taken.add((3,))
    assert taken.rows().truncated
    assert len(taken.rows().rows) == 2


def test_the_byte_limit_counts_utf8_and_not_characters() -> None:
    taken = sheet(Limits(max_bytes=100), "text")
    assert taken.add(("汉" * 20,))
    assert not taken.add(("汉" * 20,))
    assert taken.rows().truncated


def test_one_row_over_the_byte_limit_is_an_error_that_tells_the_mend() -> None:
    with pytest.raises(ResultTooLarge, match="more than 100") as caught:
        sheet(Limits(max_bytes=100), "text").add(("x" * 200,))
    assert caught.value.hint
