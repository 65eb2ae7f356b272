"""Rows by a number of their own: the oldest singer, 最贵的三个商品, names in descending order of net worth."""

import re
from collections.abc import Iterator

from data_agent.domain.schema import Column
from data_agent.reading.draft import Draft, Ranked
from data_agent.reading.lexicon import Thing
from data_agent.reading.marks import Mark
from data_agent.reading.text import stem
from data_agent.wording.names import said

_COUNTED = ("count", "each", "grain", "counted", "mean", "share", "never", "trend")
_ALPHABET = re.compile("alpha|lexico", re.IGNORECASE)
_BY = frozenset({"by", "按", "按照", "依", "依据", "根据"})
_ASKS = ("which", "who", "what", "whose", "哪", "谁", "什么")
_PRICE = ("price", "价格", "单价", "价")
_COST = ("cost", "fee", "fare", "amount", "成本", "费用", "金额")
_TIMES = ("date", "time", "year", "日期", "时间")
ADJECTIVES: dict[str, tuple[tuple[tuple[str, ...], bool], ...]] = {
    "old": ((("age", "年龄"), True), (("birth", "birthday", "birthdate", "dob", "出生日期", "生日"), False)),
    "young": ((("age", "年龄"), False), (("birth", "birthday", "birthdate", "dob", "出生日期", "生日"), True)),
    "tall": ((("height", "身高", "高度"), True),),
    "heavy": ((("weight", "重量", "体重"), True),),
    "light": ((("weight", "重量", "体重"), False),),
    "long": ((("length", "duration", "长度", "时长"), True),),
    "short": ((("length", "height", "duration", "长度", "身高", "时长"), False),),
    "dear": ((_PRICE, True), (_COST, True)),
    "cheap": ((_PRICE, False), (_COST, False)),
    "early": ((_TIMES, False),),
    "late": ((_TIMES, True),),
}
"""What an adjective measures, with whether its extreme is the largest."""


def place_rows_in_order(draft: Draft) -> None:
    """A superlative or a sort word with a column of the rows that are listed; groups are ranked elsewhere."""
    sorts = any(mark.says("sort", "sortby") and not mark.things for mark in draft.marks)
    cut = [mark for mark in draft.marks if mark.says(*_COUNTED) and not mark.things and not mark.silent]
    if any(not (sorts and mark.text.casefold() in _BY) for mark in cut):
        return
    for index, mark in enumerate(draft.marks):
        if mark.used or mark.things:
            continue
        if mark.says("adjective"):
            _adjective(draft, index)
        elif mark.says("super"):
            _superlative(draft, index)
        elif mark.says("sort", "sortby"):
            _sorted(draft, index)
        if draft.ranked is not None:
            return


def _adjective(draft: Draft, index: int) -> None:
    mark = draft.marks[index]
    subject = draft.neighbour(index, 1, "of", "measure", "list")
    number, taken = None, [index]
    for at in (subject, draft.neighbour(index, -1, "of", "measure")):
        near = draft.at(at)
        if at is not None and near and near.number and not near.used and not near.things:
            number, taken = int(near.number.value), [*taken, at]
    tables = {thing.table for other in draft.marks if not other.time for thing in other.of("table", "column")}
    found = list(measured_by(draft, tables, mark.payload("adjective") or ""))
    after = draft.at(max(taken) + 1)
    taken += [max(taken) + 1] if after and after.says("measure") and not after.things and number else []
    if len(found) == 1:
        column, descending = found[0]
        _rank(draft, taken, Thing("column", column.id), descending=descending, limit=number or 1)


def measured_by(draft: Draft, tables: set[str], adjective: str) -> list[tuple[Column, bool]]:
    """The columns that the adjective may be about, each with whether more is meant: of these tables, else looked up."""
    found = list(_measured(draft, tables, adjective))
    links = draft.lexicon.catalog.relationships
    near = {link.to_table for link in links if link.from_table in tables and not link.multiplies}
    return found or list(_measured(draft, near, adjective))


def _measured(draft: Draft, tables: set[str], adjective: str) -> Iterator[tuple[Column, bool]]:
    """The columns of these tables that the adjective may be about; those called just so, when there are any."""
    for words, descending in ADJECTIVES.get(adjective, ()):
        found = [
            column
            for name in tables
            if (table := draft.lexicon.catalog.table(name))
            for column in table.columns
            if column.role not in {"primary_key", "foreign_key"} and _is_called(column, words)
        ]
        exact = [column for column in found if {column.name.casefold(), *column.aliases} & set(words)]
        if found:
            yield from ((column, descending) for column in exact or found)
            return


def _is_called(column: Column, words: tuple[str, ...]) -> bool:
    spoken = {stem(word) for word in said(column.name).split()} | set(column.aliases)
    return bool(spoken & set(words)) or (column.role == "time" and words is _TIMES)


def _superlative(draft: Draft, index: int) -> None:
    """The largest net worth; 净资产最高."""
    before, after = draft.neighbour(index, -1, "of"), draft.neighbour(index, 1, "of", "measure")
    number = None
    taken = [index]
    for at in (after, before):
        near = draft.at(at)
        if at is not None and near and near.number and not near.used and not near.things:
            number, taken = int(near.number.value), [*taken, at]
    after = draft.neighbour(max(taken), 1, "of", "measure")
    if not _asked_by_name(draft, index):
        return
    directly = draft.at(index - 1)
    if draft.language == "zh" and directly is not None and directly.unknown:
        return
    for at in (before, after) if draft.language == "zh" else (after,):
        thing = _own_number(draft, draft.at(at))
        if at is not None and thing is not None:
            descending = draft.marks[index].payload("super") == "desc"
            _rank(draft, [*taken, at], thing, descending=descending, limit=number or 1)
            return


def _asked_by_name(draft: Draft, index: int) -> bool:
    """Whether columns of the rows are asked for, so that the number beside the superlative only puts them in order."""
    beside = {draft.neighbour(index, -1, "of"), draft.neighbour(index, 1, "of", "measure")}
    return any(
        mark.of("column") and not mark.of("metric", "table", "value")
        for place, mark in enumerate(draft.marks)
        if place not in beside and not mark.time and not mark.used
    )


def _own_number(draft: Draft, mark: Mark | None) -> Thing | None:
    """The column a mark names, when its values can be put in order; totals and counts of the catalog are none."""
    if mark is None or mark.used or mark.time or mark.of("metric"):
        return None
    columns = [
        thing
        for thing in mark.of("column")
        if (column := draft.column(thing.name)) and column.role not in {"primary_key", "foreign_key"}
        and (draft.numeric(thing.name) or column.role == "time" or column.type.casefold().startswith("date"))
    ]  # fmt: skip
    return draft.settle(mark, among=columns) if columns else None


def _sorted(draft: Draft, index: int) -> None:
    """Ordered by age, in descending order of net worth, 按年龄降序; alphabetically sorts by what is listed."""
    marks = draft.marks
    direction = next((payload for mark in marks if not mark.things and (payload := mark.payload("sort"))), "asc")
    places = [draft.neighbour(index, 1, "of", "each", "sort", "sortby", "stop")]
    if draft.language == "zh":
        places = [draft.neighbour(index, -1, "of"), *places]
    for at in places:
        mark = draft.at(at)
        if at is None or mark is None or mark.used or mark.of("metric") or not mark.of("column"):
            continue
        thing = draft.settle(mark, "column")
        if thing is None:
            continue
        words = [place for place, other in enumerate(marks) if other.says("sort", "sortby") and not other.things]
        before = draft.at(at - 1)
        by = [at - 1] if before and before.says("each") and not before.used and not before.things else []
        _rank(draft, [*words, *by, at], thing, descending=direction == "desc", limit=None)
        return
    _alphabetical(draft, index, descending=direction == "desc")


def _alphabetical(draft: Draft, index: int, *, descending: bool) -> None:
    """In alphabetical order, of the one name that is listed."""
    mark = draft.marks[index]
    if not _ALPHABET.search(mark.text):
        return
    named = [
        other for other in draft.marks if other.of("column") and not other.of("metric", "value") and not other.used
    ]
    thing = draft.settle(named[0], "column") if len(named) == 1 else None
    if thing is not None and thing.table:
        mark.used = draft.rows = True
        draft.ranked = Ranked(mark.text, None, descending, None, column=thing.name)


def _rank(draft: Draft, taken: list[int], thing: Thing, *, descending: bool, limit: int | None) -> None:
    """Take the words, when what else is asked for are rows of the same table, or looked up from there."""
    rest = [mark for place, mark in enumerate(draft.marks) if place not in taken and not mark.time and not mark.used]
    asked = [mark for mark in rest if mark.of("column", "table") and not mark.of("value")]
    if any(mark.of("metric") for mark in rest):
        return
    reach = draft.lexicon.reach.safe(thing.table)
    listed = limit is None and not asked
    if not (asked or listed) or not all(any(t.table in reach for t in mark.of("column", "table")) for mark in asked):
        return
    for place in taken:
        draft.marks[place].used = True
    draft.rows = True
    head = draft.marks[taken[0]]
    draft.ranked = Ranked(head.text, None, descending, limit, column=thing.name)
    named = any(mark.of("column") for mark in asked)
    who = any(mark.text.casefold().startswith(_ASKS) for mark in draft.marks if not mark.things)
    if limit is not None and not named and not who:
        draft.late.append((draft.marks[taken[-1]].end, thing.name))
    if listed:
        draft.add_dimension(draft.marks[taken[-1]], thing.name)
