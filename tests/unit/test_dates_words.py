"""What each way of naming a date means, on Tuesday 31 March 2026."""

from datetime import datetime

import pytest

from data_agent.dates import day_types, grains, latest, resolve
from data_agent.domain.time import CalendarSettings, TimeRange
from data_agent.errors import AmbiguousDate, ImpossibleDate, InvalidSettings

NOW = datetime(2026, 3, 31, 10)


def ranges(question: str, **settings: int) -> list[str]:
    found = resolve(question, NOW, CalendarSettings(**settings))  # type: ignore[arg-type]
    return [f"{item.start or ''}/{item.end or ''}" for item in found]


def only(question: str, **settings: int) -> TimeRange:
    (found,) = resolve(question, NOW, CalendarSettings(**settings))  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("今天", "2026-03-31/2026-04-01"),
        ("大前天", "2026-03-28/2026-03-29"),
        ("明天", "2026-04-01/2026-04-02"),
        ("上上周", "2026-03-16/2026-03-23"),
        ("上上个月", "2026-01-01/2026-02-01"),
        ("下个月", "2026-04-01/2026-05-01"),
        ("前年", "2024-01-01/2025-01-01"),
        ("本周三", "2026-04-01/2026-04-02"),
        ("上周五", "2026-03-27/2026-03-28"),
        ("上周末", "2026-03-28/2026-03-30"),
        ("近七天", "2026-03-25/2026-04-01"),
        ("最近三个月", "2026-01-01/2026-04-01"),
        ("过去一年", "2025-04-01/2026-04-01"),
        ("前7天", "2026-03-24/2026-03-31"),
        ("未来7天", "2026-04-01/2026-04-08"),
        ("近三个完整月", "2025-12-01/2026-03-01"),
        ("3天前", "2026-03-28/2026-03-29"),
        ("年初至今", "2026-01-01/2026-04-01"),
        ("今年以来", "2026-01-01/2026-04-01"),
        ("上半年", "2026-01-01/2026-07-01"),
        ("下半年", "2025-07-01/2026-01-01"),
        ("第四季度", "2025-10-01/2026-01-01"),
        ("2025年前三季度", "2025-01-01/2025-10-01"),
        ("去年后三个月", "2025-10-01/2026-01-01"),
        ("上旬", "2026-03-01/2026-03-11"),
        ("2025年2月下旬", "2025-02-21/2025-03-01"),
        ("二〇二五年第十二周", "2025-03-17/2025-03-24"),
        ("二十五号的订单", "2026-03-25/2026-03-26"),
        ("２０２５年３月", "2025-03-01/2025-04-01"),
        ("25年3月", "2025-03-01/2025-04-01"),
        ("2025/3/5", "2025-03-05/2025-03-06"),
        ("2025.03", "2025-03-01/2025-04-01"),
        ("20250305", "2025-03-05/2025-03-06"),
        ("2025年Q1", "2025-01-01/2025-04-01"),
        ("1Q25", "2025-01-01/2025-04-01"),
        ("2月29日", "2024-02-29/2024-03-01"),
        ("去年今天", "2025-03-31/2025-04-01"),
        ("去年年底", "2025-12-31/2026-01-01"),
        ("双十一", "2025-11-11/2025-11-12"),
        ("618销售额", "2025-06-18/2025-06-19"),
        ("春节销量", "2026-02-15/2026-02-24"),
        ("2024年国庆", "2024-10-01/2024-10-08"),
        ("国庆节当天", "2025-10-01/2025-10-02"),
        ("2025年中秋", "2025-10-06/2025-10-07"),
        ("端午假期", "2025-05-31/2025-06-03"),
        ("元旦", "2026-01-01/2026-01-02"),
        ("国庆前7天", "2025-09-24/2025-10-01"),
        ("3月5日到10日", "2026-03-05/2026-03-11"),
        ("11月到2月", "2025-11-01/2026-03-01"),
        ("2025年1-6月", "2025-01-01/2025-07-01"),
        ("28号到3号", "2026-03-28/2026-04-04"),
        ("从2025-03-01到2025-03-31", "2025-03-01/2025-04-01"),
        ("20250301-20250331", "2025-03-01/2025-04-01"),
        ("3月1日之后", "2026-03-02/"),
        ("2025年3月之前", "/2025-03-01"),
        ("三个月前", "2025-12-01/2026-01-01"),
        ("2025年3月前三的品类", "2025-03-01/2025-04-01"),
        ("截至昨天", "/2026-03-31"),
        ("自3月以来", "2026-03-01/2026-04-01"),
        ("不晚于2025年3月", "/2025-04-01"),
        ("不早于2025年3月", "2025-03-01/"),
        ("2025年3月及以后", "2025-03-01/"),
        ("2025/01-2025/06", "2025-01-01/2025-07-01"),
        ("2025年第10-12周", "2025-03-03/2025-03-24"),
        ("2025年全年", "2025-01-01/2026-01-01"),
    ],
)
def test_chinese_words_name_one_range(question: str, expected: str) -> None:
    assert ranges(question) == [expected]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("the day before yesterday", "2026-03-29/2026-03-30"),
        ("last week", "2026-03-23/2026-03-30"),
        ("past week", "2026-03-25/2026-04-01"),
        ("last 7 days", "2026-03-25/2026-04-01"),
        ("previous 7 days", "2026-03-24/2026-03-31"),
        ("rolling 30 days", "2026-03-02/2026-04-01"),
        ("last two weeks", "2026-03-18/2026-04-01"),
        ("last 3 complete months", "2025-12-01/2026-03-01"),
        ("the month before last", "2026-01-01/2026-02-01"),
        ("previous quarter", "2025-10-01/2026-01-01"),
        ("next month", "2026-04-01/2026-05-01"),
        ("MTD", "2026-03-01/2026-04-01"),
        ("qtd", "2026-01-01/2026-04-01"),
        ("year to date", "2026-01-01/2026-04-01"),
        ("WTD", "2026-03-30/2026-04-01"),
        ("last Monday", "2026-03-30/2026-03-31"),
        ("Monday of last week", "2026-03-23/2026-03-24"),
        ("next Friday", "2026-04-03/2026-04-04"),
        ("last March", "2025-03-01/2025-04-01"),
        ("sales in May", "2025-05-01/2025-06-01"),
        ("March of last year", "2025-03-01/2025-04-01"),
        ("Mar 5 2025", "2025-03-05/2025-03-06"),
        ("5 March", "2026-03-05/2026-03-06"),
        ("the 1st quarter of 2025", "2025-01-01/2025-04-01"),
        ("in the last quarter of 2025", "2025-10-01/2026-01-01"),
        ("last month of 2025", "2025-12-01/2026-01-01"),
        ("the last week of June 2025", "2025-06-24/2025-07-01"),
        ("H1 2025", "2025-01-01/2025-07-01"),
        ("week 12 of 2025", "2025-03-17/2025-03-24"),
        ("the 2010s", "2010-01-01/2020-01-01"),
        ("Black Friday", "2025-11-28/2025-11-29"),
        ("Christmas 2024", "2024-12-25/2024-12-26"),
        ("monthly revenue in 2025", "2025-01-01/2026-01-01"),
        ("top 3 categories by units sold in 2026", "2026-01-01/2027-01-01"),
        ("since 2025-03", "2025-03-01/2026-04-01"),
        ("until yesterday", "/2026-03-31"),
        ("before 2025", "/2025-01-01"),
        ("after 2025-03-05", "2025-03-06/"),
        ("no later than 2025-03-05", "/2025-03-06"),
        ("not earlier than 2025-03-05", "2025-03-05/"),
        ("on or after 2025-03-05", "2025-03-05/"),
        ("on or before 2025-03-05", "/2025-03-06"),
        ("between March and May 2025", "2025-03-01/2025-06-01"),
        ("Mar 5 - Apr 10, 2025", "2025-03-05/2025-04-11"),
        ("Nov to Feb 2026", "2025-11-01/2026-03-01"),
        ("end of March stock", "2026-03-31/2026-04-01"),
        ("13/05/2025", "2025-05-13/2025-05-14"),
    ],
)
def test_english_words_name_one_range(question: str, expected: str) -> None:
    assert ranges(question) == [expected]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("2024年和2025年", ["2024-01-01/2025-01-01", "2025-01-01/2026-01-01"]),
        ("2025年Q3和Q4", ["2025-07-01/2025-10-01", "2025-10-01/2026-01-01"]),
        ("去年和今年3月", ["2025-03-01/2025-04-01", "2026-03-01/2026-04-01"]),
        ("January and February 2025", ["2025-01-01/2025-02-01", "2025-02-01/2025-03-01"]),
        ("3月5日、6日", ["2026-03-05/2026-03-06", "2026-03-06/2026-03-07"]),
        ("2026年3月比去年3月", ["2026-03-01/2026-04-01", "2025-03-01/2025-04-01"]),
    ],
)
def test_a_list_of_dates_shares_what_it_says_once(question: str, expected: list[str]) -> None:
    assert ranges(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        *("top 10 products", "近期销售", "3个月", "5月亮", "618型号的销量", "超过2000的订单", "top 2000 customers"),
        *(
            "5号店的销售额",
            "7日留存率",
            "30天内复购率",
            "连续3个月下单的客户",
            "订单20250305",
            "may I see orders",
            "3/5",
        ),
        *(
            "线上周边",
            "成本月报",
            "之前天猫的订单",
            "两年老客户",
            "奥迪Q5的销量",
            "between 100 and 200 orders",
            "last 24 hours",
        ),
        *(
            "每月销售额",
            "每年3月的销售额",
            "历年双十一",
            "every Monday",
            "周一到周五的订单",
            "周末的销售额",
            "当前库存",
        ),
        *("去年同期", "vs last year", "同比增长率", "环比上周", "哪个月销售额最高"),
    ],
)
def test_words_that_are_no_range_name_none(question: str) -> None:
    assert ranges(question) == []


@pytest.mark.parametrize(
    "question",
    [
        *("2月30日", "2025年2月29日", "13月", "0月", "month 13", "Q5", "2025年Q5", "第五季度", "2025-02-30", "2025-13"),
        *(
            "5月32日",
            "week 54 of 2025",
            "week 53 of 2025",
            "3月10日到5日",
            "2025-05 to 2025-03",
            "近9999年",
        ),
    ],
)
def test_a_date_that_cannot_be_is_an_error_in_both_languages(question: str) -> None:
    with pytest.raises(ImpossibleDate) as error:
        ranges(question)
    assert " / " in error.value.message


@pytest.mark.parametrize("question", ["03/05/2025", "3月第一周", "前三个月"])
def test_a_date_with_two_meanings_is_asked_back(question: str) -> None:
    with pytest.raises(AmbiguousDate) as error:
        ranges(question)
    assert error.value.hint


def test_an_unknown_zone_is_a_wrong_setting() -> None:
    with pytest.raises(InvalidSettings):
        resolve("今天", NOW, CalendarSettings(time_zone="Moon/Base"))


@pytest.mark.parametrize(
    ("question", "words", "grain", "label"),
    [
        ("看上个月的订单", "上个月", "month", "2026年2月"),
        ("从 2025年3月5日 至 10日 的订单", "从 2025年3月5日 至 10日", "day", "2025年3月5日至2025年3月10日"),
        ("2025年第四季度", "2025年第四季度", "quarter", "2025年第4季度"),
        ("Revenue Since 2025-03", "Since 2025-03", "month", "March 2025 to March 2026"),
        ("上周", "上周", "week", "2026年第13周"),
        ("FY2025 Q4", "FY2025 Q4", "quarter", "FY2025 Q4"),
        ("本月初到昨天", "本月初到昨天", "month", "2026年3月1日至2026年3月30日"),
        ("before 2025", "before 2025", "year", "before 2025-01-01"),
        ("2025年春节", "2025年春节", "day", "2025年春节"),
    ],
)
def test_a_range_keeps_its_words_grain_and_a_plain_name(question: str, words: str, grain: str, label: str) -> None:
    found = only(question)
    assert (found.words, found.grain, found.label) == (words, grain, label)
    assert question[slice(*found.span)] == words


def test_weeks_start_where_the_business_starts_them() -> None:
    assert ranges("上周", week_start=6) == ["2026-03-22/2026-03-29"]


def test_the_fiscal_year_starts_where_the_business_starts_it() -> None:
    assert ranges("FY25 Q2", fiscal_year_start=4) == ["2025-07-01/2025-10-01"]
    assert ranges("2025财年", fiscal_year_start=4) == ["2025-04-01/2026-04-01"]
    assert ranges("2025年Q2", fiscal_year_start=4) == ["2025-04-01/2025-07-01"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("每月销售额", [("每月", "month")]),
        ("按周统计订单", [("按周", "week")]),
        ("月度和年度报表", [("月度", "month"), ("年度", "year")]),
        ("daily sales by month", [("daily", "day"), ("by month", "month")]),
        ("按季度看", [("按季度", "quarter")]),
        ("哪个月最高", [("哪个月", "month")]),
        ("each day of last week", [("each day", "day")]),
        ("每周一的订单", []),
        ("本年度第三季度", []),
        ("month over month growth", []),
    ],
)
def test_words_that_only_name_a_grain_are_found(question: str, expected: list[tuple[str, str]]) -> None:
    assert [(words, grain) for _, words, grain in grains(question)] == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("周末的销售额", ["weekend"]),
        ("上周末的销售额", []),
        ("weekends vs workdays", ["weekend", "workday"]),
        ("工作日订单", ["workday"]),
        ("每周三", ["wednesday"]),
        ("on Mondays", ["monday"]),
        ("节假日", ["holiday"]),
    ],
)
def test_kinds_of_day_are_conditions(question: str, expected: list[str]) -> None:
    assert [kind for _, _, kind in day_types(question)] == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        *(
            ("当前库存", ["当前"]),
            ("最新库存", ["最新"]),
            ("latest stock", ["latest"]),
            ("stock right now", ["right now"]),
        ),
        *(("当前财年", []), ("current month", []), ("半年前到现在", [])),
    ],
)
def test_words_for_the_newest_state_are_found(question: str, expected: list[str]) -> None:
    assert [words for _, words in latest(question)] == expected


@pytest.mark.parametrize("question", ["12月到2月", "明年3月", "去年3月到5月", "next Christmas", "近7天", "年底"])
@pytest.mark.parametrize("now", [datetime(1, 1, 2), datetime(9999, 12, 30)])
def test_the_ends_of_the_calendar_refuse_instead_of_breaking(question: str, now: datetime) -> None:
    try:
        found = resolve(question, now, CalendarSettings())
    except ImpossibleDate:
        return
    assert found


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("2025年1月到3月、7月到9月的销售额", ("2025-07-01", "2025-10-01")),
        ("2024年3月到4月和8月到9月的订单数", ("2024-08-01", "2024-10-01")),
    ],
)
def test_a_second_span_of_months_takes_the_year_of_the_first(text: str, second: tuple[str, str]) -> None:
    found = resolve(text, datetime(2026, 7, 1, 9), CalendarSettings())
    assert (str(found[1].start), str(found[1].end)) == second
