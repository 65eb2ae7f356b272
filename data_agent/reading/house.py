"""House rules for numbers that are not in the catalog: what the metrics of a table all leave out is left out too."""

import re

from data_agent.domain.metric import Metric
from data_agent.domain.reading import Operator, ReadDimension, ReadFilter, ReadMetric
from data_agent.reading.draft import Draft
from data_agent.reading.rules import Allowed
from data_agent.reading.values import stored
from data_agent.wording.names import said

_COUNTS_ROWS = re.compile(r"^\s*COUNT\(\s*`?(\w+)`?\.`?(\w+)`?\s*\)\s*$", re.IGNORECASE)
_CALLED = frozenset({"name", "title", "fname", "lname"})
_BINARY = frozenset({"0", "1"})


def place_house_rules(draft: Draft) -> None:
    """First let the question overrule a count's own conditions, then give bare numbers those of their table."""
    if draft.included:
        draft.metrics = [(place, _without(draft, metric)) for place, metric in draft.metrics]
    draft.metrics = [(place, _overruled(draft, metric)) for place, metric in draft.metrics]
    bare = {metric.column.rpartition(".")[0] for _, metric in draft.metrics if metric.column}
    if draft.ranked and draft.ranked.column:
        bare.add(draft.ranked.column.rpartition(".")[0])
    if not bare:
        return
    for table in bare:
        rules = _shared(draft, table)
        rules = {name: rule for name, rule in rules.items() if name not in draft.included}
        if rules and not _speaks_of(draft, rules):
            _add(draft, table, rules)


def _without(draft: Draft, metric: ReadMetric) -> ReadMetric:
    """The metric without its rules on the columns that the question wants whole."""
    plain = metric.model_copy(update={"without": tuple(sorted(draft.included))}) if metric.metric else metric
    for threshold in draft.thresholds:
        threshold.metric = plain if threshold.metric == metric else threshold.metric
    if draft.ranked and draft.ranked.metric == metric:
        draft.ranked.metric = plain
    names = [column.label(draft.language) for name in draft.included if (column := draft.column(name))]
    zh, en = f"包括全部{'、'.join(names)}", f"all values of {', '.join(names)} are included"
    draft.notes.append(zh if draft.language == "zh" else en)
    return plain


def _overruled(draft: Draft, metric: ReadMetric) -> ReadMetric:
    """已取消的订单数: the catalog's count never holds a cancelled order, so all rows are, and a note says so."""
    known = draft.lexicon.catalog.metric(metric.metric) if metric.metric else None
    counted = _COUNTS_ROWS.match(known.expression) if known else None
    rules = draft.lexicon.rules.get(metric.metric or "", {})
    if known is None or counted is None or not known.table or not _overrules(draft, rules):
        return metric
    plain = ReadMetric(words=metric.words, aggregate="count", column=f"{known.table}.*")
    for threshold in draft.thresholds:
        threshold.metric = plain if threshold.metric == metric else threshold.metric
    if draft.ranked and draft.ranked.metric == metric:
        draft.ranked.metric = plain
    name, kept = known.label(draft.language), _in_words(draft, rules)
    zh = f"“{name}”平时只算 {kept}；这里问的是别的，所以按全部记录计数。"
    en = f'"{name}" normally counts only {kept}; this question asks for others, so all rows are counted.'
    draft.notes.append(zh if draft.language == "zh" else en)
    return plain


def _in_words(draft: Draft, rules: dict[str, Allowed]) -> str:
    """订单状态为 已付款、已发货、已完成，测试账号为 正式账号."""
    zh = draft.language == "zh"
    said = []
    for name, rule in rules.items():
        column = draft.column(name)
        label = column.label(draft.language) if column else name
        labels = column.labels if column else {}
        values = ("、" if zh else ", ").join(labels.get(value, value) for value in sorted(rule.values or ()))
        verb = ("不为" if zh else "is not") if rule.negated else ("为" if zh else "is")
        said.append(f"{label}{'' if zh else ' '}{verb} {values}")
    return ("，" if zh else "; ").join(said)


def _overrules(draft: Draft, rules: dict[str, Allowed]) -> bool:
    """Whether a condition shuts out what the rule lets in, or the groups are the very thing the rule narrows."""
    for condition in draft.filters:
        rule = rules.get(condition.column)
        values = frozenset(str(value) for value in condition.values)
        if rule and condition.operator in {"=", "in"} and not rule.admits(values):
            return True
    asked = {condition.column for condition in draft.filters}
    return any(place.column in rules and place.column not in asked for _, place in draft.dimensions)


def _shared(draft: Draft, table: str) -> dict[str, Allowed]:
    """The conditions that every plain metric of the table carries."""
    metrics = [m for m in draft.lexicon.catalog.metrics if m.table == table and not m.derived]
    found = [draft.lexicon.rules[metric.name] for metric in metrics]
    return (
        {name: rule for name, rule in found[0].items() if all(each.get(name) == rule for each in found)}
        if found
        else {}
    )


def _speaks_of(draft: Draft, rules: dict[str, Allowed]) -> bool:
    """Whether the question itself settles one of these columns; then it settles them all."""
    conditions = {condition.column for condition in draft.filters}
    return bool(rules.keys() & (conditions | {place.column for _, place in draft.dimensions}))


def _add(draft: Draft, table: str, rules: dict[str, Allowed]) -> None:
    strangers = [m for _, m in draft.metrics if m.metric and not _is_of(draft.lexicon.catalog.metric(m.metric), table)]
    filters = [_filter(draft, name, rule) for name, rule in rules.items()]
    if strangers or any(condition is None for condition in filters):
        draft.doubts += [metric.words for _, metric in draft.metrics if metric.column]
        return
    draft.filters += [condition for condition in filters if condition]


def _is_of(metric: Metric | None, table: str) -> bool:
    return metric is not None and metric.table == table


def _filter(draft: Draft, name: str, rule: Allowed) -> ReadFilter | None:
    """The rule as a condition; one that lets empty values pass is said by what it shuts out."""
    column = draft.column(name)
    if column is None or rule.values is None:
        return None
    values, negated = rule.values, rule.negated
    if rule.keeps_empty:
        everything = frozenset(column.labels) or (_BINARY if values <= _BINARY else frozenset())
        values, negated = everything - values, not negated
    if not values:
        return None
    operators: tuple[Operator, Operator] = ("!=", "not_in") if negated else ("=", "in")
    shown = tuple(stored(value, column) for value in sorted(values))
    return ReadFilter(words="", column=name, operator=operators[len(shown) > 1], values=shown)


def place_rows(draft: Draft) -> None:
    """Names of singers with more than one song: each singer is counted apart, though two may share a name."""
    tables = {place.column.rpartition(".")[0] for _, place in draft.dimensions if place.column}
    if not draft.rows or not draft.metrics or not (draft.thresholds or draft.ranked) or len(tables) != 1:
        return
    table = draft.lexicon.catalog.table(next(iter(tables)))
    if table is None or len(table.primary_key) != 1 or (draft.ranked and draft.ranked.limit is None):
        return
    key = f"{table.name}.{table.primary_key[0]}"
    if not any(_names_rows(draft, place.column) for _, place in draft.dimensions if place.column):
        return
    if all(place.column != key for _, place in draft.dimensions):
        draft.dimensions.append((-1, ReadDimension(words="", column=key, hidden=True)))
        draft.filters.append(ReadFilter(words="", column=key, operator="not_null"))


def _names_rows(draft: Draft, name: str) -> bool:
    """Whether a column names single rows rather than classes of them."""
    column = draft.column(name)
    words = said(column.name).split() if column else []
    return bool(column) and (draft.row_name(name.rpartition(".")[0]) == name or bool(_CALLED & set(words)))


def place_entities(draft: Draft) -> None:
    """Rows that share a name are still two: a ranked or limited person is told by key, and nobody is not a person."""
    place_rows(draft)
    for place, dimension in tuple(draft.dimensions):
        table = draft.lexicon.catalog.table(dimension.column.rpartition(".")[0])
        if table is None or not draft.metrics or not table.label_column or len(table.primary_key) != 1:
            continue
        if any(place.hidden for _, place in draft.dimensions):
            return
        label, key = table.column(table.label_column), f"{table.name}.{table.primary_key[0]}"
        if label is None or label.id != dimension.column or label.role != "text" or _is_code(label.name):
            continue
        keyed = ReadDimension(words=dimension.words, column=key)
        draft.dimensions.append((place - 1, keyed))
        draft.each += [keyed] if dimension in draft.each else []
        if draft.ranked or draft.thresholds:
            draft.filters.append(ReadFilter(words="", column=key, operator="not_null"))


def place_names(draft: Draft) -> None:
    """A city that is not filled in is no city: it is neither ranked nor counted among the different ones."""
    ranked = draft.ranked.dimension if draft.ranked and draft.ranked.limit else None
    wanted = [ranked.column] if ranked and ranked.column and not ranked.grain else []
    if len(draft.metrics) == 1 and (metric := draft.metrics[0][1]).aggregate == "count_distinct":
        wanted.append(metric.column or "")
    for name in wanted:
        if _may_be_empty(draft, name):
            draft.filters.append(ReadFilter(words="", column=name, operator="not_null"))
            draft.filters.append(ReadFilter(words="", column=name, operator="!=", values=("",)))


def _may_be_empty(draft: Draft, name: str) -> bool:
    """Whether it is a text that may be missing; what numbers the rows that are counted is always there."""
    column = draft.column(name)
    if column is None or not column.nullable or draft.numeric(name) or column.role not in {"dimension", "text"}:
        return False
    homes = {table for _, metric in draft.metrics for table in draft.tables_of(metric)}
    return column.role == "dimension" or column.table not in homes


def _is_code(name: str) -> bool:
    return name.casefold().endswith(("no", "code", "number", "id", "sn", "号"))
