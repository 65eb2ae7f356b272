"""Date questions that went wrong in other products, each with the range it should have had."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from data_agent.dates import base_range, bases, resolve, today_facts
from data_agent.domain.time import CalendarSettings

SHANGHAI = ZoneInfo("Asia/Shanghai")


def at(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=10, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("case", "question", "as_of", "fiscal", "start", "end"),
    [
        ("Q009", "今年的订单数", "2026-03-31", 1, "2026-01-01", "2027-01-01"),
        ("Q010", "上个月销售额", "2026-03-31", 1, "2026-02-01", "2026-03-01"),
        ("Q012", "last quarter revenue", "2026-01-15", 1, "2025-10-01", "2026-01-01"),
        ("Q026", "上周订单数", "2026-01-04", 1, "2025-12-22", "2025-12-29"),
        ("Q036", "3月30日到31日的访问用户数", "2026-03-31", 1, "2026-03-30", "2026-04-01"),
        ("Q037", "3月末库存是多少", "2026-03-31", 1, "2026-03-31", "2026-04-01"),
        ("Q039", "本月至今销售额同比", "2026-03-15", 1, "2026-03-01", "2026-03-16"),
        ("Q040", "3月已支付金额（不含测试账号）", "2026-03-31", 1, "2026-03-01", "2026-04-01"),
        ("Q087", "2026年3月已支付金额同比（下单时间，不含测试账号）", "2026-03-31", 1, "2026-03-01", "2026-04-01"),
        ("Q089", "本月初到昨天的销售额", "2026-03-01", 1, "2026-03-01", "2026-03-01"),
        ("Q128", "3月每天订单数", "2026-03-31", 1, "2026-03-01", "2026-04-01"),
        ("Q185", "3月的销售额", "2026-01-15", 1, "2025-03-01", "2025-04-01"),
        ("Q186", "上个季度的订单数", "2026-11-05", 1, "2026-07-01", "2026-10-01"),
        ("Q188", "本财年收入", "2026-03-31", 4, "2025-04-01", "2026-04-01"),
        ("Q189", "4月1日的埋点数", "2026-04-10", 1, "2026-04-01", "2026-04-02"),
        ("Q190", "3月10日订单数", "2026-03-10", 1, "2026-03-10", "2026-03-11"),
        ("Q190", "今天呢", "2026-03-31", 1, "2026-03-31", "2026-04-01"),
        ("Q225", "半年前到现在的销售趋势", "2026-03-31", 1, "2025-09-30", "2026-04-01"),
        ("Q226", "2027年1月的销售额", "2026-03-31", 1, "2027-01-01", "2027-02-01"),
        ("Q230", "Q1 华东GMV超过20万的A级客户top10", "2026-03-31", 1, "2026-01-01", "2026-04-01"),
        ("Q254", "last fiscal quarter", "2026-04-10", 4, "2026-01-01", "2026-04-01"),
        ("Q099", "3月北京已支付金额", "2026-03-31", 1, "2026-03-01", "2026-04-01"),
        ("Q035", "3月整体转化率", "2026-03-31", 1, "2026-03-01", "2026-04-01"),
    ],
)
def test_the_question_names_the_one_right_range(
    *, case: str, question: str, as_of: str, fiscal: int, start: str, end: str
) -> None:
    found = resolve(question, at(as_of), CalendarSettings(fiscal_year_start=fiscal))
    assert [(str(item.start), str(item.end)) for item in found] == [(start, end)], case


@pytest.mark.parametrize(
    ("question", "as_of", "start", "end"),
    [
        ("本月至今销售额同比", "2026-03-15", "2025-03-01", "2025-03-16"),
        ("今天的销售额同比", "2024-02-29", "2023-02-28", "2023-03-01"),  # q272
        ("2026年3月已支付金额同比（下单时间，不含测试账号）", "2026-03-31", "2025-03-01", "2025-04-01"),
        ("2026年3月已支付金额环比", "2026-03-31", "2026-02-01", "2026-03-01"),
        ("2026年1月环比", "2026-03-31", "2025-12-01", "2026-01-01"),
    ],
)
def test_the_base_has_the_same_days_a_year_or_a_period_before(question: str, as_of: str, start: str, end: str) -> None:
    found = bases(question, at(as_of), CalendarSettings())
    assert [(str(item.start), str(item.end)) for item in found] == [(start, end)]


def test_a_month_that_runs_is_not_set_against_a_whole_one() -> None:
    (month,) = resolve("本月销售额", at("2026-03-15"), CalendarSettings())
    base = base_range(month, "yoy", at("2026-03-15"), CalendarSettings())
    assert (base.start, base.end) == (date(2025, 3, 1), date(2025, 3, 16))


def test_the_answer_can_name_the_year_nobody_typed() -> None:
    assert resolve("3月的销售额", at("2026-01-15"), CalendarSettings())[0].label == "2025年3月"


def test_a_fiscal_quarter_is_named_after_the_year_it_began_in() -> None:
    (quarter,) = resolve("last fiscal quarter", at("2026-04-10"), CalendarSettings(fiscal_year_start=4))
    assert quarter.label == "FY2025 Q4"


@pytest.mark.parametrize(
    "question",
    [
        "超过20万的客户",
        "订单N3的金额",
        "不少于2000的订单",
        "top10 品牌",
        "各部门员工人数",
        "有多少笔已支付订单包含手机或配件",
    ],
)
def test_quantities_are_no_dates(question: str) -> None:
    assert resolve(question, at("2026-03-31"), CalendarSettings()) == []


def test_the_prompt_is_told_the_day_in_the_business_zone() -> None:
    before_eight = datetime(2026, 3, 30, 23, 0, tzinfo=ZoneInfo("UTC"))
    facts = today_facts(before_eight, CalendarSettings(fiscal_year_start=4), "zh")
    for fact in ("2026-03-31", "星期二", "第 1 季度", "2026-W14", "2025-04-01", "Asia/Shanghai"):
        assert fact in facts
    english = today_facts(before_eight, CalendarSettings(fiscal_year_start=4), "en")
    for fact in ("2026-03-31", "Tuesday", "Q1 2026", "2026-W14", "2025-04-01", "Monday", "Asia/Shanghai"):
        assert fact in english
