"""Candidate metrics that names suggest: counts, sums, distinct counts and ratios. Each is marked as inferred."""

import re
from collections.abc import Iterator, Sequence

from data_agent.domain.metric import Metric, NumberFormat
from data_agent.domain.schema import Column, Relationship, Table
from data_agent.introspection.names import glued, nouns
from data_agent.wording.names import said, shared_prefix, without

_MONEY = frozenset(
    [
        "amount",
        "revenue",
        "sale",
        "cost",
        "profit",
        "fee",
        "tax",
        "commission",
        "payment",
        "income",
        "freight",
        "discount",
        "expense",
        "premium",
        "turnover",
        "earning",
        "total",
        "fare",
        "charge",
        "refund",
        "receipt",
    ]
)
_COUNTED = frozenset(
    [
        "quantity",
        "unit",
        "count",
        "shares",
        "population",
        "goal",
        "click",
        "impression",
        "visit",
        "view",
        "like",
        "volume",
        "attendance",
    ]
)
_MONEY_ZH = ("金额", "收入", "销售额", "成本", "利润", "费用", "运费", "税额", "佣金", "总额", "营业额", "优惠")
_COUNTED_ZH = ("数量", "件数", "人数", "次数", "销量")
_NEVER = frozenset(
    [
        "rate",
        "ratio",
        "percent",
        "percentage",
        "average",
        "avg",
        "per",
        "proportion",
        "share_price",
        "growth",
        "index",
        "price",
        "score",
        "rating",
        "median",
        "limit",
        "balance",
        "proportion",
        "margin",
        "unit_price",
        "year",
        "term",
    ]
)
_NEVER_ZH = ("率", "比", "平均", "单价", "占比", "增长", "指数", "均价", "同比", "环比")
_EVERY = frozenset(["monthly", "annual", "yearly", "household"])  # an income told per month is one to average
_RATIOS = (
    ("profit", ("revenue", "sales", "amount", "income"), "profit_margin", ("profit margin", "利润率")),
    ("click", ("impression", "view"), "click_through_rate", ("click-through rate", "CTR", "点击率")),
    ("cost", ("revenue", "sales", "amount"), "cost_ratio", ("cost ratio", "成本率")),
    ("refund", ("sales", "amount", "revenue"), "refund_rate", ("refund rate", "退款率")),
    ("discount", ("sales", "amount", "revenue"), "discount_rate", ("discount rate", "折扣率")),
)
_PEOPLE = frozenset(["customer", "user", "member", "buyer", "client", "patient", "student", "player"])
_WORD = re.compile(r"\w+")


def candidate_metrics(tables: Sequence[Table], links: Sequence[Relationship], prefix: str) -> tuple[Metric, ...]:
    """Metrics of every fact; a name that is taken already gets its table in front."""
    found: dict[str, Metric] = {}
    words: set[str] = set()
    for table in tables:
        if table.role not in {"fact", "snapshot"}:
            continue
        for metric in _of(table, links, prefix):
            name = metric.name if metric.name.casefold() not in found else f"{_plain(table.name)}_{metric.name}"
            aliases = tuple(alias for alias in metric.aliases if alias.casefold() not in words)
            words |= {alias.casefold() for alias in aliases}
            found.setdefault(name.casefold(), metric.model_copy(update={"name": name, "aliases": aliases}))
    return tuple(found.values())


def _of(table: Table, links: Sequence[Relationship], prefix: str) -> Iterator[Metric]:
    time = f"{table.name}.{table.time_column}" if table.time_column else None
    if table.role == "fact":
        yield _count(table, prefix, time)
    sums = [column for column in table.columns if column.role == "measure" and adds_up(column)]
    yield from (_sum(table, column, time) for column in sums)
    if table.role == "fact":
        yield from _people(table, links, time)
        yield from _ratios(table, sums)


def _count(table: Table, prefix: str, time: str | None) -> Metric:
    words = said(table.name[len(prefix) :] if prefix else table.name)
    key = table.primary_key[0] if len(table.primary_key) == 1 else None
    chinese = tuple(f"{alias}{end}" for alias in table.aliases if not alias.isascii() for end in ("数", "数量"))
    return Metric(
        name=f"{_plain(words)}_count",
        aliases=(f"number of {words}", f"{words} count", *chinese) if words.isascii() else (*chinese, f"{words}数"),
        table=table.name,
        expression=f"COUNT({_column(table, key)})" if key else "COUNT(*)",
        time_column=time,
        format="integer",
        inferred=True,
        relevant_columns=_relevant(table, [key] if key else [], time),
    )


def _sum(table: Table, column: Column, time: str | None) -> Metric:
    words = said(without(shared_prefix([each.name for each in table.columns]), column.name))
    names = (f"total {words}",) if words.isascii() and not words.startswith("total") else ()
    chinese = tuple(f"总{alias}" for alias in column.aliases if not alias.isascii())
    money: NumberFormat = "number" if set(words.split()) & _COUNTED else "currency"
    return Metric(
        name=_plain(words if words.startswith("total") else f"total {words}"),
        description=column.description,
        aliases=(*names, *chinese),
        table=table.name,
        expression=f"SUM({_column(table, column.name)})",
        time_column=time,
        additivity="semi_additive" if table.role == "snapshot" else "additive",
        format=money,
        unit=column.unit,
        inferred=True,
        relevant_columns=_relevant(table, [column.name], time),
    )


def _people(table: Table, links: Sequence[Relationship], time: str | None) -> Iterator[Metric]:
    for link in links:
        noun = nouns(link.to_table).last
        if link.from_table == table.name and len(link.from_columns) == 1 and noun in _PEOPLE:
            column = link.from_columns[0]
            yield Metric(
                name=f"distinct_{_plain(noun)}_count",
                aliases=(f"distinct {noun}s", f"unique {noun}s"),
                table=table.name,
                expression=f"COUNT(DISTINCT {_column(table, column)})",
                time_column=time,
                additivity="non_additive",
                format="integer",
                inferred=True,
                relevant_columns=_relevant(table, [column], time),
            )
            return


def _ratios(table: Table, sums: Sequence[Column]) -> Iterator[Metric]:
    for above, below, name, aliases in _RATIOS:
        top = next((c for c in sums if above in said(c.name).split()), None)
        bottom = next((c for word in below for c in sums if word in said(c.name).split() and c is not top), None)
        if top and bottom:
            yield Metric(
                name=name,
                aliases=aliases,
                table=table.name,
                expression=f"SUM({_column(table, top.name)}) / NULLIF(SUM({_column(table, bottom.name)}), 0)",
                time_column=f"{table.name}.{table.time_column}" if table.time_column else None,
                additivity="non_additive",
                format="percent",
                inferred=True,
                relevant_columns=_relevant(
                    table, [top.name, bottom.name], f"{table.name}.{table.time_column}" if table.time_column else None
                ),
            )


def adds_up(column: Column) -> bool:
    """Whether the sum of this column means something: an amount or a quantity, not a rate or a price."""
    written = said(column.name).split()
    words = {*written, *(end for word in written[-1:] if (end := glued(word, _MONEY | _COUNTED)))}
    singular = words | {word.removesuffix("s") for word in words}
    chinese = column.name + " ".join(column.aliases)
    if singular & _NEVER or (words & _EVERY and "income" in words) or any(word in chinese for word in _NEVER_ZH):
        return False
    return bool(singular & (_MONEY | _COUNTED)) or any(word in chinese for word in (*_MONEY_ZH, *_COUNTED_ZH))


def _relevant(table: Table, columns: Sequence[str], time: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*(f"{table.name}.{name}" for name in columns), *([time] if time else [])]))


def _column(table: Table, name: str) -> str:
    return f"{quoted(table.name)}.{quoted(name)}"


def quoted(name: str) -> str:
    """The name as an expression writes it: bare when it can be, else in backticks."""
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and name.casefold() not in RESERVED else f"`{name}`"


RESERVED = frozenset(
    [
        "order",
        "group",
        "rank",
        "key",
        "index",
        "select",
        "from",
        "where",
        "by",
        "desc",
        "asc",
        "limit",
        "range",
        "rows",
        "row",
        "left",
        "right",
        "case",
        "when",
        "then",
        "else",
        "end",
        "date",
        "time",
        "timestamp",
        "year",
        "month",
        "day",
        "interval",
        "count",
        "sum",
        "min",
        "max",
        "avg",
        "and",
        "or",
        "not",
        "in",
        "is",
        "null",
        "like",
        "between",
        "as",
        "on",
        "using",
        "table",
        "column",
        "values",
        "usage",
        "system",
        "match",
        "condition",
        "database",
    ]
)


def _plain(text: str) -> str:
    return "_".join(_WORD.findall(text)) or "rows"
