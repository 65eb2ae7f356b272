"""What columns and tables are for: keys, times, measures, names of rows; facts, dimensions, bridges, snapshots."""

import re
from collections.abc import Iterable, Sequence

from data_agent.domain.schema import Column, ColumnRole, Relationship, TableRole
from data_agent.introspection.names import glued, key_name, nouns
from data_agent.introspection.profile import DATED, NUMERIC, Profile, Profiled
from data_agent.wording.names import said

_NOT_MEASURED = frozenset(
    [
        "year",
        "month",
        "day",
        "week",
        "quarter",
        "hour",
        "rank",
        "ranking",
        "code",
        "number",
        "no",
        "id",
        "identifier",
        "key",
        "zip",
        "postal",
        "postcode",
        "zipcode",
        "latitude",
        "longitude",
        "season",
        "flag",
        "is",
        "position",
        "sort",
        "order",
        "level",
        "type",
        "status",
        "version",
        "seed",
        "phone",
        "tel",
        "serial",
    ]
)
_NOT_MEASURED_ZH = (
    "编号",
    "编码",
    "代码",
    "年份",
    "月份",
    "排名",
    "等级",
    "状态",
    "类型",
    "序号",
    "邮编",
    "经度",
    "纬度",
    "版本",
)
_GLUED = frozenset(["code", "number"])
_ID = re.compile(r"[a-z]id")
_FLAGS = 2
_LONG_TEXT = 80
_FEW = 20
_LABELS = ("name", "title", "fullname", "label", "subject", "名称", "姓名", "标题", "名")
_SNAPSHOTS = frozenset(["snapshot", "stock", "inventory", "balance", "库存", "快照", "余额"])
_BORN = (
    "order",
    "create",
    "created",
    "crtd",
    "transaction",
    "sale",
    "payment",
    "event",
    "occur",
    "occurrence",
    "start",
)
_BORN_ZH = ("下单", "创建", "交易", "发生", "统计", "开始", "支付")
_LATER = frozenset(
    [
        "update",
        "updated",
        "modify",
        "modified",
        "birth",
        "expire",
        "expiration",
        "expiry",
        "due",
        "end",
        "close",
        "closed",
        "delete",
    ]
)
_LATER_ZH = ("更新", "修改", "出生", "到期", "结束", "删除", "关闭")
_EVENTS = frozenset(
    [
        "order",
        "sale",
        "transaction",
        "log",
        "event",
        "payment",
        "record",
        "claim",
        "visit",
        "review",
        "match",
        "game",
        "ride",
        "trip",
        "invoice",
        "booking",
        "refund",
        "shipment",
        "vote",
        "flight",
        "revenue",
        "tip",
        "checkin",
    ]
)


def column_role(profile: Profile, keys: tuple[str, ...], references: frozenset[str]) -> ColumnRole:
    """What one column is for."""
    name = profile.facts.name
    if keys == (name,):
        return "primary_key"
    if name in references:
        return "foreign_key"
    if profile.kind in DATED or profile.dated_text:
        return "time"
    if profile.kind in NUMERIC:
        return "measure" if measures(profile) else "dimension"
    return "text" if profile.kind == "text" and profile.mean_length > _LONG_TEXT else "dimension"


def measures(profile: Profile) -> bool:
    """Whether a number is one to add up or average: not a code, a year, a rank or a flag."""
    words = said(profile.facts.name).split()
    if profile.kind == "integer" and profile.complete and profile.rows > _FLAGS and _is_flag(profile):
        return False
    last = words[-1:] and (glued(words[-1], _GLUED) or words[-1])
    numbered = profile.unique and profile.rows >= _FEW and bool(_ID.fullmatch(profile.facts.name.casefold()))
    coded = numbered or last in _NOT_MEASURED or words[:1] == ["is"] or "epoch" in words
    coded = coded or key_name(profile.facts.name).identifies
    return not coded and not any(word in profile.facts.name + profile.facts.comment for word in _NOT_MEASURED_ZH)


def _is_flag(profile: Profile) -> bool:
    return set(profile.values) <= {0, 1} and bool(profile.values)


def label_column(table: Profiled, columns: Sequence[Column], prefix: str) -> str | None:
    """The column that names a row: `name`, `title`, `<table>_name`, else the first short text that never repeats."""
    named = (c for c in columns if c.role == "dimension" or (c.role == "primary_key" and not key_name(c.name).word))
    texts = [c for c in named if table.by_name[c.name].kind == "text" and not c.personal]
    own = nouns(table.facts.name, prefix)
    best = max(texts, key=lambda c: _label_score(c, table.by_name[c.name], own.full, own.last), default=None)
    if best is None or _label_score(best, table.by_name[best.name], own.full, own.last) <= 0:
        return None
    return best.name


def _label_score(column: Column, profile: Profile, full: str, last: str) -> int:
    name = key_name(column.name)
    if name.joined in _LABELS or column.description in _LABELS:
        return 10
    for noun in (full, last):
        if name.joined in {f"{noun}{label}" for label in _LABELS}:
            return 9
    if name.joined in {full, last} and profile.kind == "text":
        return 6
    ends = any(name.joined.endswith(label) for label in _LABELS)
    unique = profile.unique and profile.rows > 1 and not profile.dated_text
    few = profile.rows < _FEW
    return (4 if ends and unique else 2 if ends and few else 0) + (
        1 if unique and profile.mean_length < _LONG_TEXT else 0
    )


def time_column(columns: Iterable[Column]) -> str | None:
    """The column that dates a row: when it came about, never when it was changed or will end."""
    times = [column for column in columns if column.role == "time"]
    scored = [(_time_score(column), -at, column.name) for at, column in enumerate(times)]
    best = max(scored, default=None)
    return best[2] if best and best[0] >= 0 else None


def _time_score(column: Column) -> int:
    words = set(said(column.name).split())
    text = column.name + column.description
    if words & _LATER or any(word in text for word in _LATER_ZH):
        return -1
    born = any(word in words for word in _BORN) or any(word in text for word in _BORN_ZH)
    return (2 if born else 0) + (1 if column.type in DATED else 0)


def table_role(
    table: Profiled, columns: Sequence[Column], links: Sequence[Relationship], prefix: str, *, sole: bool
) -> TableRole:
    """What a table is for; `links` are those that touch it, `sole` says that the database holds no other table."""
    words = set(nouns(table.facts.name, prefix).words)
    dated = time_column(columns) is not None
    out = [link for link in links if link.from_table == table.facts.name]
    incoming = [link for link in links if link.to_table == table.facts.name != link.from_table]
    linked = {name for link in out for name in link.from_columns}
    rest = [c for c in columns if c.name not in linked and c.role != "primary_key"]
    measured = [c for c in rest if c.role == "measure"]
    if len({link.to_table for link in out}) >= 2 and not incoming and not measured and len(rest) <= 1:
        return "bridge"
    if words & _SNAPSHOTS and dated and (out or measured):
        return "snapshot"
    event = bool(words & _EVENTS) and (dated or bool(measured))
    leaf = bool(out) and not incoming and (dated or bool(measured))
    alone = not out and not incoming and bool(measured) and (dated or sole)
    return "fact" if event or leaf or alone else "dim"
