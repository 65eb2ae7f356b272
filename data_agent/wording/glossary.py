"""Words that data is named with, in Chinese and English, so that a question in one finds names in the other."""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files

import yaml

from data_agent.wording.tokens import is_han, tokens

_LONGEST = 8
_PHRASES = frozenset(
    "毛利 共同基金 信用卡 金牌 年龄段 出生日期 法人 资本 首都 生活成本 国内生产总值 邮编 平均 总数 最大 最小".split()  # noqa: SIM905
)
"""Lines whose English is one phrase, or too general to name a column by."""
_SAID = {
    "name": "名 名称",
    "id": "id ID",
    "city": "市",
    "team": "队",
    "birth date": "出生日期 生日",
    "first name": "名 名字",
    "last name": "姓 姓氏",
    "middle name": "中间名",
    "net worth": "净资产 净值 身家",
    "life expectancy": "预期寿命 平均寿命 寿命",
    "surface area": "面积 表面积 国土面积",
    "official language": "官方语言",
    "payment method": "支付方式 付款方式",
    "phone number": "电话号码 手机号码 电话 手机号",
    "postal code": "邮编 邮政编码",
    "zip code": "邮编 邮政编码",
    "open date": "开业日期 开放日期",
    "release date": "发行日期 上映日期 发布日期",
    "birth year": "出生年份",
    "birth place": "出生地",
    "job title": "职位 职务",
    "credit card": "信用卡",
    "country code": "国家代码",
    "city code": "城市代码",
    "area code": "区号 地区代码",
    "series name": "系列名称",
    "song name": "歌名 歌曲名 歌曲名称",
}


@cache
def pairs() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Chinese word → English tokens, and English token → Chinese words."""
    lines = _lines()
    english: dict[str, list[str]] = {}
    chinese: dict[str, list[str]] = {}
    for left, right in lines.items():
        for word in left.split():
            english.setdefault(word, []).extend(tokens(right))
        for token in tokens(right):
            chinese.setdefault(token, []).extend(left.split())
    return {k: tuple(dict.fromkeys(v)) for k, v in english.items()}, {k: tuple(v) for k, v in chinese.items()}


@cache
def _strict() -> dict[str, tuple[str, ...]]:
    """English word or phrase → Chinese words that mean just that, for reading rather than searching."""
    found: dict[str, list[str]] = {}
    for left, right in _lines().items():
        phrase = left.split()[0] in _PHRASES
        for english in [right] if phrase else right.split():
            found.setdefault(" ".join(tokens(english)), []).extend(left.split())
    found["title"] = [word for word in found.get("title", []) if word not in {"姓名", "名字"}]
    for english, words in _SAID.items():
        found[english] = [*found.get(english, []), *words.split()]
    return {english: tuple(dict.fromkeys(words)) for english, words in found.items()}


def renderings(english: str) -> tuple[str, ...]:
    """Chinese words for an English word, or for a phrase with its words in the glossary's order."""
    known = _strict()
    return known.get(english) or known.get(" ".join(reversed(english.split())), ())


@cache
def _lines() -> dict[str, str]:
    held: dict[str, str] = yaml.safe_load(files(__package__).joinpath("glossary.yaml").read_text(encoding="utf-8"))
    return held


@lru_cache(maxsize=20_000)
def translated(text: str) -> tuple[str, ...]:
    """Tokens of the other language for every known word in `text`; the longest word wins at each place."""
    english, chinese = pairs()
    found = [token for word in _known(text, english) for token in english[word]]
    found += [pair for token in tokens(text) for word in chinese.get(token, ()) for pair in tokens(word)]
    return tuple(dict.fromkeys(found))


def spoken(words: Iterable[str]) -> set[str]:
    """Every token that the words say, in both languages."""
    return {token for word in words for token in (*tokens(word), *translated(word))}


def _known(text: str, known: dict[str, tuple[str, ...]]) -> Iterator[str]:
    start = 0
    while start < len(text):
        if not is_han(text[start]):
            start += 1
            continue
        word = next((text[start : start + n] for n in range(_LONGEST, 0, -1) if text[start : start + n] in known), "")
        if word:
            yield word
        start += len(word) or 1
