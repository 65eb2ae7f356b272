"""Metrics by name and columns with an aggregate word; then lists, and columns that stand alone."""

from data_agent.domain.reading import ReadMetric
from data_agent.reading.dimensions import can_group, dimension_at
from data_agent.reading.draft import Draft
from data_agent.reading.marks import Mark
from data_agent.reading.measures import adds_up, count_of, measure_at


def place_metrics(draft: Draft) -> None:
    """Everything that is a number by its own words."""
    for index, mark in enumerate(draft.marks):
        if mark.used or mark.time or not mark.of("metric", "column"):
            continue
        metric = measure_at(draft, index)
        if metric is not None:
            draft.add_metric(mark, metric)
            _use_average(draft, index, metric)
            _also(draft, index, metric)


def _also(draft: Draft, index: int, metric: ReadMetric) -> None:
    """The average and maximum age: two numbers of one column."""
    last = draft.at(draft.neighbour(index, -1, "of"))
    place = draft.marks.index(last) if last else 0
    link, first = draft.at(place - 1), draft.at(place - 2)
    if not metric.column or not last or not link or not first or not link.says("and") or first.used or first.things:
        return
    other = first.payload("agg")
    if other in {"avg", "sum", "max", "min"} and last.payload("agg") == metric.aggregate:
        first.used = True
        words = f"{first.text} {draft.marks[index].text}"
        draft.metrics.append((first.start, metric.model_copy(update={"words": words, "aggregate": other})))


def place_echoes(draft: Draft) -> None:
    """Units of LEGO sold: a verb that says the metric again; where nothing else is asked for it is the metric."""
    for mark in draft.marks:
        echo = mark.payload("echo")
        if mark.used or mark.things or not echo:
            continue
        names = [thing.name for thing in draft.lexicon.lookup(echo) if thing.kind == "metric"]
        if any(metric.metric in names for _, metric in draft.metrics):
            mark.used = True
        elif names and not draft.metrics and not draft.dimensions and draft.filters:
            draft.add_metric(mark, ReadMetric(words=mark.text, metric=names[0]))


def _use_average(draft: Draft, index: int, metric: ReadMetric) -> None:
    """平均客单价: an average that is one already."""
    known = draft.lexicon.catalog.metric(metric.metric) if metric.metric else None
    before = draft.at(draft.neighbour(index, -1, "of"))
    averages = known is not None and ("AVG(" in known.expression.upper() or known.derived) and known.format != "percent"
    if before and averages and before.payload("agg") == "avg" and not before.things:
        before.used = True


def place_lists(draft: Draft) -> None:
    """有哪些品牌, which brands, list the customers: what is asked for by name."""
    for index, mark in enumerate(draft.marks):
        if mark.used or mark.things or not mark.says("list"):
            continue
        after, before = draft.neighbour(index, 1, "of", "measure", "each"), draft.neighbour(index, -1, "of")
        for target in (after, before):
            if target is not None and _names(draft, draft.marks[target]) and dimension_at(draft, target):
                _use_between(draft, index, target)
                break
        else:
            mark.used = bool(draft.metrics or draft.dimensions) and _only_shows(draft, mark, after)


def _names(draft: Draft, mark: Mark) -> bool:
    return can_group(draft, mark) and not mark.of("value", "metric")


def _only_shows(draft: Draft, mark: Mark, after: int | None) -> bool:
    """list/show before a metric; a which or 哪 that found nothing still asks for something."""
    following = draft.at(after)
    placed = following is None or following.used or bool(following.of("metric"))
    return placed and (mark.says("stop") or mark.text.casefold().startswith(("list", "列", "罗列")))


def _use_between(draft: Draft, first: int, last: int) -> None:
    for mark in draft.marks[min(first, last) : max(first, last) + 1]:
        if not mark.things:
            mark.used = True


def place_alone(draft: Draft) -> None:
    """Columns and tables that no marker claimed: listed when no number is asked, a grouping when it is plain."""
    listing = not draft.metrics
    for index, mark in enumerate(draft.marks):
        if mark.used or mark.time or mark.of("metric", "value"):
            continue
        if mark.says("period") and draft.thresholds and not draft.dimensions and not mark.things:
            dimension_at(draft, index)
        elif mark.of("column", "table"):
            (_list if listing else _beside_metric)(draft, index, mark)


def _list(draft: Draft, index: int, mark: Mark) -> None:
    columns = mark.of("column")
    if not columns:
        _table_alone(draft, index, mark)
        return
    measures = [thing for thing in columns if not draft.groupable(thing.name)]
    asked = any(other.says("list") for other in draft.marks)
    if measures and not _row_is_known(draft) and not asked and (draft.each or not draft.dimensions):
        _sum(draft, mark)
        return
    open_ = [thing for thing in columns if not (column := draft.column(thing.name)) or not column.personal]
    thing = draft.settle(mark, among=open_) if open_ else None
    if thing is not None:
        draft.add_dimension(mark, thing.name)


def _row_is_known(draft: Draft) -> bool:
    """Whether a condition names one row by its key or number."""
    return any(condition.operator == "=" and _is_key(draft, condition.column) for condition in draft.filters)


def _is_key(draft: Draft, name: str) -> bool:
    column = draft.column(name)
    if column is None:
        return False
    names = (column.name, *column.aliases)
    return column.role == "primary_key" or any(
        n.casefold().endswith(("_no", "编号", "号", "number", "code")) for n in names
    )


def _table_alone(draft: Draft, index: int, mark: Mark) -> None:
    """The table is what is listed, unless columns of it are."""
    tables = {thing.name for thing in mark.of("table")}
    named = {thing.table for i, other in enumerate(draft.marks) if i != index for thing in other.of("column")}
    if tables & named and not _listed_itself(draft, index):
        mark.used = draft.rows = True
        return
    if draft.ranked is not None and draft.ranked.column:
        dimension_at(draft, index)
        return
    if _is_fact(draft, mark):
        metric = count_of(draft, mark, mark.text)
        if metric:
            draft.add_metric(mark, metric)
    elif draft.thresholds or any(condition.operator.endswith("_rows") for condition in draft.filters):
        dimension_at(draft, index)


def _listed_itself(draft: Draft, index: int) -> bool:
    """List the students and …: the table stands right after the word that lists."""
    before = draft.at(draft.neighbour(index, -1, "measure", "of"))
    return before is not None and not before.things and before.says("list")


def _is_fact(draft: Draft, mark: Mark) -> bool:
    """Orders of last month are counted, not listed; for things with names a bare word does not tell which."""
    tables = [draft.lexicon.catalog.table(thing.name) for thing in mark.of("table")]
    asked = any(other.says("list") for other in draft.marks) or not (draft.times or draft.filters or draft.each)
    return not asked and all(table is not None and table.role == "fact" for table in tables)


def _sum(draft: Draft, mark: Mark) -> None:
    """运费 alone is its total when the name tells that it adds up; a price alone is not a number yet."""
    columns = [thing for thing in mark.of("column") if not draft.groupable(thing.name)]
    thing = draft.settle(mark, among=columns) if columns else None
    column = draft.column(thing.name) if thing else None
    if thing is not None and column is not None and adds_up(column):
        draft.add_metric(mark, ReadMetric(words=mark.text, aggregate="sum", column=thing.name))


def _beside_metric(draft: Draft, index: int, mark: Mark) -> None:
    columns = mark.of("column")
    if columns and not any(draft.groupable(thing.name) for thing in columns):
        _sum(draft, mark)
        return
    link = draft.at(index - 1)
    if link and link.says("and") and not link.things and (said := draft.at(index - 2)) and said.of("value"):
        return
    if draft.thresholds and not draft.dimensions:
        dimension_at(draft, index)
        return
    after = draft.at(draft.neighbour(index, 1, "of"))
    if columns and draft.language == "zh" and after and after.of("metric") and not draft.dimensions:
        dimension_at(draft, index)
    elif mark.of("table") and _carries_value(draft, index, mark):
        mark.used = True
    elif mark.of("table") and {thing.name for thing in mark.of("table")} & _own_tables(draft):
        mark.used = bool(after and (after.of("metric") or after.used)) or draft.at(index + 1) is None


def _carries_value(draft: Draft, index: int, mark: Mark) -> bool:
    """金卡客户, gold members, Apple brand products: the value says which of them, the table adds nothing."""
    before = draft.at(draft.neighbour(index, -1, "of"))
    while before and before.used and not before.of("value") and (before.of("column", "table") or before.unknown):
        index -= 1
        before = draft.at(draft.neighbour(index, -1, "of"))
    if before is None or not before.used or not before.of("value"):
        return False
    owners = {thing.table for thing in before.of("value")}
    linked = draft.lexicon.reach.linked
    return any(owner == t.name or owner in linked(t.name) for owner in owners for t in mark.of("table"))


def _own_tables(draft: Draft) -> set[str]:
    """Tables whose rows the metrics are made of: naming them adds nothing (天猫订单的销售额)."""
    return {table for _, metric in draft.metrics for table in draft.tables_of(metric)}
