"""What must hold for every text, every moment and every zone."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data_agent.dates import base_range, bases, comparisons, day_types, grains, latest, periods, resolve
from data_agent.dates.festivals import FESTIVALS, Named, period
from data_agent.dates.numerals import plain
from data_agent.domain.time import CalendarSettings, TimeRange
from data_agent.errors import InvalidInput

ZONES = ("Asia/Shanghai", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "UTC")
PHRASES = (
    *(
        "去年",
        "今年",
        "3月",
        "5日",
        "25号",
        "上周",
        "近7天",
        "第12周",
        "Q3",
        "FY25",
        "H2",
        "上半年",
        "下旬",
        "2025年",
        "2月29日",
    ),
    *(
        "到",
        "至今",
        "和",
        "前",
        "后",
        "之前",
        "以来",
        "环比",
        "同比",
        "去年同期",
        "初",
        "底",
        "-",
        " ",
        "of ",
        "to ",
        "since ",
    ),
    *(
        "last ",
        "3 months ago",
        "March ",
        "Monday ",
        "2025-02-30",
        "week 53 ",
        "9999年",
        "999个月",
        "between ",
        "and ",
        "的",
    ),
)
QUESTIONS = (
    "上个月各渠道的订单数和客单价",
    "2025年第一季度各大区的销售额",
    "monthly revenue in 2025",
    "去年12月到3月销售额同比",
)

calendars = st.builds(
    CalendarSettings,
    time_zone=st.sampled_from(ZONES),
    week_start=st.integers(0, 6),
    fiscal_year_start=st.integers(1, 12),
)
moments = st.datetimes(datetime(1950, 1, 1), datetime(2090, 12, 31), timezones=st.sampled_from([*map(ZoneInfo, ZONES)]))
texts = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(PHRASES), max_size=8).map("".join))
calm = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@calm
@given(texts, moments, calendars)
def test_any_text_gives_ordered_half_open_ranges_or_a_clear_refusal(
    text: str, now: datetime, calendar: CalendarSettings
) -> None:
    try:
        found = resolve(text, now, calendar)
        bases(text, now, calendar)
    except InvalidInput as error:
        assert error.message
        return
    for item in found:
        assert item.start is None or item.end is None or item.start <= item.end
        assert text[slice(*item.span)] == item.words
        assert item.label
    assert all(left.span[1] <= right.span[0] for left, right in pairwise(found))


@calm
@given(texts)
def test_marks_stand_where_they_say(text: str) -> None:
    marks = [(span, words) for span, words, _ in [*grains(text), *day_types(text), *comparisons(text)]]
    for (start, end), words in [*marks, *latest(text)]:
        assert text[start:end] == words != ""


@calm
@given(st.text(max_size=60))
def test_making_characters_plain_moves_no_offset(text: str) -> None:
    assert len(plain(text)) == len(text)


@calm
@given(moments, calendars)
def test_neighbours_touch_and_today_is_the_business_day(now: datetime, calendar: CalendarSettings) -> None:
    def one(text: str) -> TimeRange:
        (found,) = resolve(text, now, calendar)
        return found

    today = now.astimezone(ZoneInfo(calendar.time_zone)).date()
    assert (one("今天").start, one("今天").end) == (today, today + timedelta(days=1))
    for earlier, later in (
        *(
            ("昨天", "今天"),
            ("上周", "本周"),
            ("上个月", "本月"),
            ("上季度", "本季度"),
            ("去年", "今年"),
            ("本财年", "下财年"),
        ),
        *(
            ("last week", "this week"),
            ("last fiscal quarter", "this fiscal quarter"),
            ("前7天", "今天"),
            ("近7天", "未来7天"),
        ),
    ):
        assert one(earlier).end == one(later).start, (earlier, later)
    for text in ("本周", "本月", "本季度", "今年", "本财年", "本财季"):
        start, end = one(text).start, one(text).end
        assert start is not None and end is not None and start <= today < end


@calm
@given(
    st.dates(date(1990, 1, 1), date(2080, 1, 1)),
    st.integers(0, 800),
    st.sampled_from(["day", "week", "month", "quarter", "year"]),
    calendars,
)
def test_periods_cover_their_range_without_gap(start: date, days: int, grain: str, calendar: CalendarSettings) -> None:
    span = TimeRange(words="x", start=start, end=start + timedelta(days=days))
    found = periods(span, grain, calendar)  # type: ignore[arg-type]
    assert all(left.end == right.start for left, right in pairwise(found))
    assert (found[0].start, found[-1].end) == (span.start, span.end) if days else found == []


@calm
@given(moments, st.dates(date(1990, 1, 1), date(2080, 1, 1)), st.integers(1, 400), st.sampled_from(["yoy", "mom"]))
def test_a_base_lies_before_what_it_is_compared_with(now: datetime, start: date, days: int, comparison: str) -> None:
    span = TimeRange(words="x", start=start, end=start + timedelta(days=days))
    base = base_range(span, comparison, now, CalendarSettings())  # type: ignore[arg-type]
    assert base.start is not None and base.end is not None
    assert base.start < start and base.start <= base.end
    if comparison == "mom":
        assert base.end <= start


def test_the_same_instant_in_another_zone_is_the_same_day() -> None:
    night = datetime(2026, 3, 30, 23, 30, tzinfo=UTC)
    elsewhere = night.astimezone(ZoneInfo("America/New_York"))
    assert resolve("今天", night, CalendarSettings()) == resolve("今天", elsewhere, CalendarSettings())
    assert resolve("今天", night, CalendarSettings())[0].start == date(2026, 3, 31)


def test_the_hour_that_does_not_exist_is_still_a_day() -> None:
    zone = ZoneInfo("America/New_York")
    for hour in (1, 2, 3):
        (found,) = resolve("today", datetime(2026, 3, 8, hour, 30, tzinfo=zone), CalendarSettings(time_zone=zone.key))
        assert (found.start, found.end) == (date(2026, 3, 8), date(2026, 3, 9))


def test_every_festival_has_one_period_in_each_recent_year() -> None:
    for key in FESTIVALS:
        for year in range(2020, 2031):
            found = period(Named(key), year)
            assert found is not None and found.start < found.end and abs(found.start.year - year) <= 1
