"""Personal data by its name or by its looks; such columns are flagged, never indexed, and show no examples."""

import re

from data_agent.introspection.profile import Profile
from data_agent.wording.names import said
from data_agent.wording.tokens import fold

_WORDS = frozenset(
    [
        "email",
        "mail",
        "phone",
        "mobile",
        "telephone",
        "cellphone",
        "cell",
        "fax",
        "ssn",
        "passport",
        "idcard",
        "password",
        "passwd",
        "pwd",
        "secret",
        "token",
        "iban",
        "wechat",
        "weixin",
        "openid",
        "unionid",
        "ip",
        "ipaddress",
        "dob",
        "salt",
    ]
)
_PHRASES = (
    "id card", "identity card", "id number", "social security", "bank account", "credit card number", "card number",
    "driver license", "phone number", "home address", "street address", "line 1", "line 2", "line 3", "address 1",
    "address 2", "line 1 address", "line 2 address", "national id", "tax id",
)  # fmt: skip
_WORDS_ZH = (
    "手机", "电话", "邮箱", "电子邮件", "身份证", "护照", "银行卡", "密码", "家庭住址", "详细地址", "收货地址",
    "联系方式", "微信号", "驾驶证", "社保号", "密钥",
)  # fmt: skip
_PERSON = frozenset(
    [
        "customer",
        "user",
        "member",
        "patient",
        "employee",
        "student",
        "person",
        "people",
        "salesperson",
        "contact",
        "client",
    ]
)
_LOOKS = (
    re.compile(r"[^@\s]+@[^@\s]+\.[a-zA-Z]{2,}"),
    re.compile(r"(\+?86[- ]?)?1[3-9]\d{9}"),
    re.compile(r"\d{17}[\dXx]"),
    re.compile(r"(\+?1[-. ]?)?\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}"),
)
_MOST_ALIKE = 0.8
_LEAST_SEEN = 3


def is_personal(profile: Profile, table_words: frozenset[str]) -> bool:
    """Whether this column holds personal data; `table_words` say what the table holds (an address of a person is)."""
    if profile.kind in {"boolean", "date", "datetime"}:
        return False
    text = said(profile.facts.name)
    words, comment = set(text.split()), fold(profile.facts.comment)
    if words & _WORDS or any(f" {phrase} " in f" {text} " for phrase in _PHRASES):
        return not words & {"count", "total", "type", "status", "area"}
    if any(word in profile.facts.name or word in comment for word in _WORDS_ZH):
        return True
    if "address" in words and table_words & _PERSON and words <= {"address", "full", "postal"} | table_words:
        return True
    return _looks_personal(profile)


def _looks_personal(profile: Profile) -> bool:
    seen = profile.texts[:200] if profile.kind == "text" else []
    if len(seen) < _LEAST_SEEN:
        return False
    return any(sum(bool(look.fullmatch(text)) for text in seen) >= _MOST_ALIKE * len(seen) for look in _LOOKS)
