"""What an index run would change, as lines to read and as JSON."""

import json
from collections.abc import Iterator

from data_agent.indexing.plan import Changes, IndexPlan

SHOWN = 20


def plan_lines(plan: IndexPlan, seconds: float | None) -> Iterator[str]:
    """A diff: what comes (+), changes (~) and goes (-), what is read for it and how long it takes."""
    before = plan.version_before[:8] if plan.version_before else "nothing"
    if plan.nothing:
        yield f"nothing changes: catalog {before}, {plan.kept:,} values · 没有变化"
        return
    yield f"catalog {before} → {plan.version[:8]}"
    if plan.models:
        yield f"embedding model {plan.models[0]} → {plan.models[1]}: every text is embedded again · 全部文本重新向量化"
    yield from diff("columns · 字段", plan.columns)
    yield from diff("metrics · 指标", plan.metrics)
    yield from diff("values · 取值", plan.values)
    rows = "not known" if plan.rows is None else f"{plan.rows:,}"
    yield (
        f"to embed: {plan.texts:,} texts · to read: {len(plan.value_columns):,} columns, rows of their tables: {rows}"
        f" · kept: {plan.kept:,} values"
    )
    yield "time: " + ("not measured here yet" if seconds is None else f"about {seconds:,.0f} s, as past runs took")


def diff(title: str, changes: Changes) -> Iterator[str]:
    """The names of one kind, the first of many."""
    added, changed, removed = changes.added, changes.changed, changes.removed
    yield f"{title}: +{len(added):,} ~{len(changed):,} -{len(removed):,}"
    told = [(sign, name) for sign, names in (("+", added), ("~", changed), ("-", removed)) for name in names]
    yield from (f"  {sign} {name}" for sign, name in told[:SHOWN])
    if len(told) > SHOWN:
        yield f"  … {len(told) - SHOWN:,} more (--json lists all)"


def as_json(plan: IndexPlan, seconds: float | None) -> str:
    """The plan with its estimate, in one line."""
    told = plan.model_dump() | {"texts": plan.texts, "nothing": plan.nothing, "seconds": seconds}
    return json.dumps(told, ensure_ascii=False)
