"""Characters and numbers as people type them, made one shape without moving any offset."""

_TRADITIONAL = dict(
    zip(
        "個週號當兩這間後來過開節國慶雙時內現曆財會計禮歷歲點從與為較對單",
        "个周号当两这间后来过开节国庆双时内现历财会计礼历岁点从与为较对单",
        strict=True,
    )
)
_SHAPES = str.maketrans(
    {chr(code): chr(code - 0xFEE0).lower() for code in range(0xFF01, 0xFF5F)}
    | {chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)}
    | {"\u3000": " ", "\xa0": " ", "’": "'", "‘": "'", "–": "-", "—": "-", "―": "-", "−": "-", "‐": "-", "〜": "~"}
    | {"\t": " ", "\n": " ", "\r": " "}
    | _TRADITIONAL
)
_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_POWERS = {"十": 10, "百": 100}
_WORDS = {
    word: value
    for value, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    )
} | {"a": 1, "an": 1}
_ORDINALS = {word: value for value, word in enumerate(("first", "second", "third", "fourth", "fifth"), 1)}

ZH = r"(?:\d{1,4}|[零〇一二两三四五六七八九十廿百]{1,5})"
EN = r"(?:\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"


def plain(text: str) -> str:
    """Lower case, half width, simplified; exactly as long as `text`."""
    return text.translate(_SHAPES)


def number(text: str) -> int:
    """The value of digits, Chinese numerals (二十五, 二〇二五) or an English number word up to twelve."""
    if text.isascii():
        return _WORDS.get(text) or _ORDINALS.get(text) or (int(text) if text.isdigit() else 0)
    if len(text) > 1 and all(char in _DIGITS for char in text):
        return int("".join(str(_DIGITS[char]) for char in text))
    total = last = 0
    for char in text:
        if char in _POWERS:
            total, last = total + (last or 1) * _POWERS[char], 0
        elif char == "廿":
            total, last = total + 20, 0
        else:
            last = _DIGITS.get(char, 0)
    return total + last


def full_year(text: str) -> int:
    """A year of two or four digits; two digits mean this century."""
    value = number(text)
    return value + 2000 if value < 100 else value
