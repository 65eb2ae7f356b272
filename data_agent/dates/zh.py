"""How Chinese names dates: tables of words and the rules made of them."""

import re
from collections.abc import Callable, Iterable

from data_agent.dates.festivals import Named
from data_agent.dates.frames import Fields, Part
from data_agent.dates.numerals import ZH, full_year, number
from data_agent.dates.rules import Read, Rule, current, nearest_edge, rule
from data_agent.dates.spans import (
    Moment,
    Period,
    Unit,
    add,
    completed,
    fiscal_year_of,
    relative,
    rolling,
    starting,
    upcoming,
    year_start,
)

UNITS: dict[str, Unit] = {
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "月": "month",
    "季度": "quarter",
    "季": "quarter",
    "年度": "year",
    "年": "year",
    "半年": "half",
    "财政年度": "fiscal_year",
    "会计年度": "fiscal_year",
    "财年": "fiscal_year",
    "财季": "fiscal_quarter",
}
DAYS = {
    "今天": 0,
    "今日": 0,
    "当天": 0,
    "当日": 0,
    "本日": 0,
    "昨天": -1,
    "昨日": -1,
    "前天": -2,
    "前日": -2,
    "大前天": -3,
    "明天": 1,
    "明日": 1,
    "后天": 2,
    "大后天": 3,
}
YEARS = {"今年": 0, "当年": 0, "去年": -1, "前年": -2, "大前年": -3, "明年": 1, "来年": 1, "后年": 2}
FESTIVALS = {
    "元旦": "new_year",
    "春节": "spring",
    "过年": "spring",
    "大年初一": "spring",
    "正月初一": "spring",
    "除夕": "spring_eve",
    "元宵": "lantern",
    "情人节": "valentine",
    "妇女节": "women",
    "三八节": "women",
    "清明": "qingming",
    "五一": "labour",
    "劳动节": "labour",
    "母亲节": "mother",
    "六一": "children",
    "儿童节": "children",
    "父亲节": "father",
    "端午": "dragon_boat",
    "中秋": "mid_autumn",
    "国庆": "national",
    "万圣节": "halloween",
    "双十一": "double_11",
    "双11": "double_11",
    "双12": "double_12",
    "双十二": "double_12",
    "感恩节": "thanksgiving",
    "黑色星期五": "black_friday",
    "黑五": "black_friday",
    "网络星期一": "cyber_monday",
    "圣诞": "christmas",
    "平安夜": "christmas_eve",
    "跨年夜": "new_year_eve",
}
WEEKDAYS = {char: index for index, char in enumerate("一二三四五六", 1)} | {"日": 7, "天": 7}
ONE_DAY = ("大年初一", "正月初一")


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_UNIT = _any(UNITS.keys() - {"半年"})
_COUNTED = (
    rf"(?:(?P<n>{ZH})\s*个?\s*(?P<u>天|日|周(?!末|岁|年|边)|星期|礼拜|"
    rf"月(?!龄|租|卡)|季度|财年|财季|年(?!级|龄|限))|(?P<h>半)年)"
)
# 三个月前 is a distance, 三月前 is before March
_DISTANCE = rf"(?:(?P<n>{ZH})\s*(?:(?P<u>天|周|年)|个?(?P<v>星期|礼拜)|个(?P<w>月|季度))|(?P<h>半)年)"
_PLACE = r"上{1,4}|下{1,4}"
_YEAR = r"(?:19|20|21)\d\d|[一二][零〇一二三四五六七八九]{3}"
# 1-3月, 第1至3季度: the first number borrows the unit of the last
_TO = r"\s*(?:-|~|到|至|、)\s*"
_UNBOUND = r"(?<![\d年月日号节天周度季一五夜])"
_NOT_AFTER_NUMBER = r"(?<![\d.a-z零〇一二两三四五六七八九十百第#])"
_MONTH = rf"{_NOT_AFTER_NUMBER}(?P<n>\d{{1,2}}|二?十[一二三四五六七八九]?|[零一二三四五六七八九])"
_SMALL = r"(?:\d{1,2}|[一二三四五六七八九十]{1,2})"
_THINGS = r"(?!亮|饼|球|嫂|子|台|租|供|卡|票|龄|薪|老|光)"
_DAY = r"\d{1,2}|[二三]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|[一二三四五六七八九]"
_NAMES = (
    r"(?!楼|线|店|门|仓|院|机|馆|桥|厅|桌|室|房|车|柜|商|产|客|员|用|"
    r"码|均|内|留存|游|元|文|本|历|期|前|后|活|常|志|报|售)"
)
_EXTENT = r"(?P<x>小长假|黄金周|长假|假期|放假|假日|期间|当天|当日)?"


def _count(match: re.Match[str]) -> tuple[int, Unit]:
    if match["h"]:
        return 1, "half"
    return number(match["n"]), UNITS[match["u"]]


def _spanning(make: Callable[[Moment, int, Unit], Period]) -> Read:
    return lambda match, moment: Fields(period=make(moment, *_count(match))) if _count(match)[0] else None


def _relative(match: re.Match[str], moment: Moment) -> Fields:
    return current(moment, UNITS[match["u"]], _offset(match["d"]))


def _offset(word: str) -> int:
    """上上 is two back, 下 one on, 前一 one back; 本, 这 and 当 stay."""
    return {"上": -len(word), "下": len(word), "前": -1}.get(word[0], 0)


def _festival(match: re.Match[str], _: Moment) -> Fields:
    extent = match["x"] or ""
    one_day = match["f"] in ONE_DAY or extent.startswith("当")
    return Fields(festival=Named(FESTIVALS[match["f"]], "day" if one_day else "break" if "假" in extent else "usual"))


def _weekend(match: re.Match[str], moment: Moment) -> Fields:
    week = relative(moment, "week", _offset(match["d"])).start
    return Fields(period=starting(add(week, (5 - week.weekday()) % 7, "day"), "day", 2))


def _this_day(match: re.Match[str], moment: Moment) -> Fields:
    return Fields(period=starting(add(moment.today, YEARS[match["y"]], "year"), "day"))


def _bare_edge(match: re.Match[str], moment: Moment) -> Fields:
    return nearest_edge(moment, UNITS[match["u"]], "start" if match["e"] == "初" else "end")


def _ago(match: re.Match[str], _: Moment) -> Fields | None:
    """三年前 is a distance, 2025年前 is not."""
    if match["h"]:
        return Fields(ago=(1, "half"))
    count, unit = number(match["n"]), UNITS[match["u"] or match["v"] or match["w"]]
    return Fields(ago=(count, unit)) if count and not (unit == "year" and count > 1000) else None


def _decade(match: re.Match[str], _: Moment) -> Fields:
    first = number(match["n"])
    return Fields(period=starting(year_start(first + 1900 if first < 100 else first), "year", 10))


def _part(match: re.Match[str], _: Moment) -> Fields | None:
    count, unit = _count(match)
    return Fields(part=Part(count, unit, from_end=match["d"] not in ("前", "头"))) if count else None


def _edge(match: re.Match[str], _: Moment) -> Fields:
    return Fields(edge="start" if match["e"] == "初" else "end")


def _day_of_month(match: re.Match[str], _: Moment) -> Fields | None:
    """3月5日 and 3月5号; a bare 3月5 only when nothing counts with it."""
    marked = match[0][-1] in "日号"
    rest = match.string[match.end() :]
    return Fields(day=number(match["n"])) if marked or not rest or rest[0] in " -~到至,，、和与" else None


def _bare_day(match: re.Match[str], _: Moment) -> Fields | None:
    day = number(match["n"])
    return Fields(day=day) if 1 <= day <= 31 else None


def _weekday(match: re.Match[str], _: Moment) -> Fields:
    return Fields(weekday=WEEKDAYS[match["w"]])


def _weekday_of(match: re.Match[str], moment: Moment) -> Fields:
    return Fields(week_of=relative(moment, "week", _offset(match["d"])).start, weekday=WEEKDAYS[match["w"]])


RULES: tuple[Rule, ...] = (
    rule(rf"(?<![售之以前先])(?:{_any(DAYS)})(?!猫)", lambda m, now: current(now, "day", DAYS[m[0]])),
    rule(
        rf"(?<![之以过])(?P<y>{_any(YEARS)})(?:度|份|全年)?(?!纪|的?财|的?会计)",
        lambda m, now: current(now, "year", YEARS[m["y"]]),
    ),
    rule(rf"(?P<y>{_any(YEARS)})的?今[天日]", _this_day),
    rule(
        rf"(?P<y>{_any(YEARS)})的?(?:财年|财政年度|会计年度)", lambda m, now: current(now, "fiscal_year", YEARS[m["y"]])
    ),
    rule(
        rf"(?<![以线网晚早成基样版相之])(?P<d>{_PLACE}|本|这|当前?)(?:一个|一|个)?(?P<u>{_UNIT})(?:份)?",
        _relative,
    ),
    rule(rf"(?<![以线网])(?P<d>{_PLACE}|本|这)个(?P<u>半年)", _relative),
    rule(rf"{_UNBOUND}(?P<d>前)一个?(?P<u>天|日|周|星期|月|季度|年)", _relative),
    rule(rf"(?<![以线网])(?P<d>{_PLACE}|本|这|这个)周末", _weekend),
    rule(rf"(?:最近|过去|近)(?:的|这)?\s*{_COUNTED}", _spanning(rolling)),
    rule(rf"滚动\s*{_COUNTED}", _spanning(rolling)),
    rule(rf"(?:最近|过去|近)\s*(?P<n>{ZH})个?完整(?:的)?(?P<u>周|月|季度|年)(?P<h>)", _spanning(completed)),
    rule(rf"(?:未来|接下来|今后)(?:的)?\s*{_COUNTED}", _spanning(upcoming)),
    rule(rf"(?P<d>前|头|后|最后)\s*{_COUNTED}", _part),
    rule(rf"(?<![第\d]){_DISTANCE}\s*(?:之前|以前|前)(?!\d)", _ago),
    rule(rf"(?<![\d.])(?P<y>{_YEAR})\s*年(?:度|份|全年)?(?!代)", lambda m, _: Fields(year=number(m["y"]))),
    rule(rf"(?<![\d.])(?P<y>(?:19|20)\d\d)(?={_TO}(?:19|20)\d\d\s*年)", lambda m, _: Fields(year=number(m["y"]))),
    rule(
        r"(?<![\d.近去第满前后过])(?P<y>[1-3]\d)年(?:度|份)?(?!代|前|后|内|来|间|以|期|老|会|历|的?时间|质保|\d*个月)",
        lambda m, _: Fields(year=full_year(m["y"])),
    ),
    rule(
        rf"(?<![\d.])(?P<y>{_YEAR}|\d\d)\s*(?:财年|财政年度|会计年度)",
        lambda m, _: Fields(fiscal_year=full_year(m["y"])),
    ),
    rule(
        rf"第\s*(?P<q>{ZH})\s*财季",
        lambda m, now: Fields(fiscal_year=fiscal_year_of(now.today, now.calendar), quarter=number(m["q"])),
    ),
    rule(r"(?:上世纪|(?<!\d))(?P<n>(?:19|20)\d0|[5-9]0)年代", _decade),
    rule(r"上半年(?!度)", lambda *_: Fields(half=1)),
    rule(r"(?<!以)下半年(?!度)", lambda *_: Fields(half=2)),
    rule(rf"第\s*(?P<q>{ZH})\s*(?:个)?\s*(?:季度|季)", lambda m, _: Fields(quarter=number(m["q"]))),
    rule(r"(?<![\d.一二三四五六七八九十])(?P<q>[1-4一二三四])\s*季度", lambda m, _: Fields(quarter=number(m["q"]))),
    rule(rf"第?\s*(?P<q>[1-4一二三四])(?={_TO}第?[1-4一二三四]\s*季度)", lambda m, _: Fields(quarter=number(m["q"]))),
    rule(rf"{_MONTH}\s*月(?:份)?{_THINGS}", lambda m, _: Fields(month=number(m["n"]))),
    rule(
        rf"(?<!前){_MONTH}(?=(?:{_TO}{_SMALL})*{_TO}{_SMALL}\s*月{_THINGS})", lambda m, _: Fields(month=number(m["n"]))
    ),
    rule(r"(?P<t>[上中下])旬", lambda m, _: Fields(tenth="上中下".index(m["t"]) + 1)),
    rule(rf"(?<=月)(?:的)?\s*(?P<n>{_DAY})\s*[日号]?(?!\d|[.%]|个|名|大|件|单|家|笔|月|年)", _day_of_month),
    rule(rf"{_NOT_AFTER_NUMBER}(?P<n>{_DAY})\s*[日号]{_NAMES}", _bare_day),
    rule(rf"{_NOT_AFTER_NUMBER}(?P<n>{_DAY})(?={_TO}(?:{_DAY})\s*[日号]{_NAMES})", _bare_day),
    rule(rf"第\s*(?P<w>{ZH})\s*(?:个)?\s*(?:周|星期)(?!年|岁)", lambda m, _: Fields(week=number(m["w"]))),
    rule(rf"第\s*(?P<w>{ZH})(?={_TO}第?\s*{ZH}\s*周)", lambda m, _: Fields(week=number(m["w"]))),
    rule(rf"(?<=[-~到至、])(?P<w>{ZH})\s*周(?!末|岁|年)", lambda m, _: Fields(week=number(m["w"]))),
    rule(r"(?<![年\d每上下本这])(?:周|星期|礼拜)(?P<w>[一二三四五六日天])(?!共|起)", _weekday),
    rule(rf"(?P<d>{_PLACE}|本|这)(?:一个|个|一)?(?:周|星期|礼拜)(?P<w>[一二三四五六日天])(?!共)", _weekday_of),
    rule(rf"(?P<f>{_any(FESTIVALS)})(?!路|街|镇|村|区|店|公司|广场|月)(?:节(?!日|假|点))?{_EXTENT}", _festival),
    rule(r"(?<!双)十一(?P<f>)(?P<x>黄金周|长假|假期|期间)", lambda *_: Fields(festival=Named("national"))),
    rule(
        r"(?<![\d.a-z#号型款¥$])618(?=\s*(?:$|[^\d.a-z%\s元块万亿个件条笔人名位台套款型号次天年月家种分米单])|订单|单量)",
        lambda *_: Fields(festival=Named("618")),
    ),
    rule(r"11\.11(?=大促|购物节|活动|狂欢)", lambda *_: Fields(festival=Named("double_11"))),
    rule(r"(?<=[年月度季])(?:的)?(?:年|月|季度|季)?(?P<e>初|末|底)", _edge),
    rule(r"(?<![\d年月度季半])(?P<u>年|月|季度|季)(?P<e>初|末|底)", _bare_edge),
)
