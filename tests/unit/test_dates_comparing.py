"""Comparison words and the range they set the current one against."""

from datetime import date, datetime

import pytest

from data_agent.dates import base_range, bases, comparisons, periods, resolve
from data_agent.domain.time import CalendarSettings, TimeRange
from data_agent.errors import ImpossibleDate

NOW = datetime(2026, 3, 31, 10)
CALENDAR = CalendarSettings()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("销售额同比增长", [("同比", "yoy")]),
        ("10日环比", [("环比", "mom")]),
        ("和去年同期比", [("和去年同期比", "yoy")]),
        ("上月同期", [("上月同期", "mom")]),
        ("较上个月", [("较上个月", "mom")]),
        ("revenue vs last year", [("vs last year", "yoy")]),
        ("same period last year", [("same period last year", "yoy")]),
        ("YoY and MoM", [("YoY", "yoy"), ("MoM", "mom")]),
        ("growth over last month", [("over last month", "mom")]),
        ("3月15日比上周", []),
        ("比去年3月", []),
        ("2023年同期", []),
        ("Wow, last year", []),
    ],
)
def test_comparison_words_say_against_what(question: str, expected: list[tuple[str, str]]) -> None:
    assert [(marker.words, marker.comparison) for marker in comparisons(question)] == expected
    assert all(question[slice(*marker.span)] == marker.words for marker in comparisons(question))


@pytest.mark.parametrize(
    ("question", "now", "start", "end"),
    [
        ("去年同期", "2026-03-31", "2025-01-01", "2025-04-01"),
        ("去年同月", "2026-03-15", "2025-03-01", "2025-03-16"),
        ("2024年2月同比", "2026-03-31", "2023-02-01", "2023-03-01"),
        ("2025年2月同比", "2026-03-31", "2024-02-01", "2024-03-01"),
        ("2024年2月28日同比", "2026-03-31", "2023-02-28", "2023-03-01"),
        ("2025年2月28日同比", "2026-03-31", "2024-02-28", "2024-02-29"),
        ("上周同比", "2026-03-31", "2025-03-24", "2025-03-31"),
        ("2020年第53周同比", "2026-03-31", "2019-12-23", "2019-12-30"),
        ("春节同比", "2026-03-31", "2025-01-28", "2025-02-05"),
        ("本月环比", "2026-03-30", "2026-02-01", "2026-03-01"),
        ("本月环比", "2026-03-10", "2026-02-01", "2026-02-11"),
        ("本季度环比", "2026-02-28", "2025-10-01", "2025-12-01"),
        ("2025年Q1环比", "2026-03-31", "2024-10-01", "2025-01-01"),
        ("2025年上半年环比", "2026-03-31", "2024-07-01", "2025-01-01"),
        ("今年比去年", "2026-03-31", "2025-01-01", "2025-04-01"),
        ("昨天环比", "2026-03-31", "2026-03-29", "2026-03-30"),
        ("近7天环比", "2026-03-31", "2026-03-18", "2026-03-25"),
        ("3月5日到10日环比", "2026-03-31", "2026-02-27", "2026-03-05"),
        ("this week vs last week", "2026-04-01", "2026-03-23", "2026-03-26"),
    ],
)
def test_the_base_is_as_long_as_what_has_passed(question: str, now: str, start: str, end: str) -> None:
    (base,) = bases(question, datetime.fromisoformat(now), CALENDAR)
    assert (str(base.start), str(base.end)) == (start, end)


def test_a_bare_comparison_word_has_no_base() -> None:
    for question in ("各品类销售额同比", "销售额月环比", "week-over-week growth", "YoY"):
        assert bases(question, NOW, CALENDAR) == []


def test_a_base_is_named_like_its_range() -> None:
    (quarter,) = resolve("FY2025 Q1", NOW, CalendarSettings(fiscal_year_start=4))
    base = base_range(quarter, "mom", NOW, CalendarSettings(fiscal_year_start=4))
    assert (base.label, base.grain) == ("FY2024 Q4", "quarter")


def test_a_range_without_a_beginning_has_no_base() -> None:
    (until,) = resolve("until 2025", NOW, CALENDAR)
    with pytest.raises(ImpossibleDate):
        base_range(until, "yoy", NOW, CALENDAR)


def test_periods_of_a_range_are_clipped_to_it_and_named() -> None:
    span = TimeRange(words="3月5日到4月2日", start=date(2026, 3, 5), end=date(2026, 4, 3))
    found = periods(span, "month", CALENDAR)
    assert [(str(item.start), str(item.end)) for item in found] == [
        ("2026-03-05", "2026-04-01"),
        ("2026-04-01", "2026-04-03"),
    ]
    assert found[0].label == "2026年3月5日至2026年3月31日"


def test_an_open_range_has_no_list_of_periods() -> None:
    with pytest.raises(ValueError, match="open side"):
        periods(TimeRange(words="", start=None, end=date(2026, 1, 1)), "day", CALENDAR)
