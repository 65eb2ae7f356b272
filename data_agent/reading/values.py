"""Values as conditions: equality, several of one column, negation, the column word that carries them (天猫渠道)."""

from data_agent.domain.reading import Operator, ReadFilter, Scalar
from data_agent.domain.schema import Column
from data_agent.reading.draft import NUMERIC, Draft
from data_agent.reading.lexicon import Thing
from data_agent.reading.marks import Mark

_ADMINISTRATIVE = ("省", "市", "区", "县", "大区", "地区", "级", "号", "牌")
_LINKS = ("and", "or", "comma")
Group = tuple[str, bool]


def place_values(draft: Draft) -> None:
    """Every value becomes part of one condition per column and polarity."""
    groups: dict[Group, list[tuple[Mark, Thing]]] = {}
    last: tuple[int, Group] | None = None
    for index, mark in enumerate(draft.marks):
        thing = _meant(draft, index) if mark.of("value") and not mark.used else None
        if thing is None:
            continue
        mark.used = True
        draft.notes += [note for note in mark.notes if thing.weight < 0.9]
        negated = _is_negated(draft, index) or _goes_on(draft, index, last) or _is_closed(draft, index, thing)
        group = (thing.name, negated)
        if last is not None and last[1] == group and _linked(draft, last[0], index, ("and", "comma")):
            draft.listed.add(thing.name)
        _doubt_mixed(draft, index, last, group)
        _use_link(draft, index, last, group)
        groups.setdefault(group, []).append((mark, thing))
        last = (index, group)
        _use_rest(draft, index, thing)
    draft.filters += [_condition(draft, group, found) for group, found in groups.items()]


def _meant(draft: Draft, index: int) -> Thing | None:
    """The value a mark means here, or None when it means something else."""
    mark, before, after = draft.marks[index], draft.at(index - 1), draft.at(index + 1)
    if mark.says("others") and after and after.of("column", "table"):
        return None
    if mark.of("metric") or (before and before.says("each") and mark.of("column", "table")):
        return None
    carried = _carried(draft, index)
    if carried:
        return draft.settle(mark, among=carried)
    denied = before is not None and before.says("not") and not before.things
    others = [t for t in mark.of("column", "table") if not denied and not _is_personal(draft, t)]
    thing = draft.settle(mark, among=[*mark.of("value"), *others])
    return thing if thing and thing.kind == "value" else None


def _is_personal(draft: Draft, thing: Thing) -> bool:
    column = draft.column(thing.name)
    return column is not None and column.personal


def _carried(draft: Draft, index: int) -> list[Thing]:
    """The value's meanings in a column named right beside it; that column word is then explained."""
    things = draft.marks[index].of("value")
    before = draft.neighbour(index, -1, "not", "cmp", "of")
    after = draft.neighbour(index, 1)
    for carrier in (after, before):
        mark = draft.at(carrier)
        if carrier is None or mark is None or mark.of("value", "metric") or _is_own(draft, carrier):
            continue
        names = {thing.name for thing in mark.of("column")} | _labels(draft, mark)
        kept = [thing for thing in things if thing.name in names]
        if kept:
            mark.used = True
            return kept
    return []


def _is_own(draft: Draft, carrier: int) -> bool:
    """Whether the column word stands for itself: after 各, 按, 前5个, 多少."""
    before = draft.at(carrier - 1)
    return bool(before and not before.of("value") and before.says("each", "count", "list", "top", "measure"))


def _labels(draft: Draft, mark: Mark) -> set[str]:
    """A table word carries the values of the column that names its rows."""
    return {name for thing in mark.of("table") if (name := draft.row_name(thing.name))}


def _is_negated(draft: Draft, index: int) -> bool:
    """不是天猫, excluding Tmall, 渠道不是天猫."""
    before = draft.neighbour(index, -1, "cmp")
    mark = draft.at(before)
    if mark and mark.used and mark.of("column", "table") and not mark.of("value"):
        mark = draft.at(draft.neighbour(before or 0, -1, "cmp"))
    if mark is None or not mark.says("not", "never"):
        return False
    mark.used = True
    return True


def _is_closed(draft: Draft, index: int, thing: Thing) -> bool:
    """天猫和京东以外, 天猫渠道之外: a closing word alone excludes the whole list before it."""
    for mark in draft.marks[index + 1 :]:
        if mark.says("notend") and not mark.named:
            return True
        same = any(other.name == thing.name for other in mark.of("value", "column"))
        if not (same or mark.says(*_LINKS) or mark.of("table") or mark.text in _ADMINISTRATIVE):
            return False
    return False


def _doubt_mixed(draft: Draft, index: int, last: tuple[int, Group] | None, group: Group) -> None:
    """天猫和华东以外: nobody can tell whether both are excluded, or only rows that are both."""
    if last is None or last[1][1] or not group[1] or last[1][0] == group[0]:
        return
    if _linked(draft, last[0], index, ("and", "or")) and not _opened(draft, last[0], index):
        draft.doubts.append(draft.question[draft.marks[last[0]].start : draft.marks[index].end])


def _opened(draft: Draft, first: int, second: int) -> bool:
    """Whether the second has a negation of its own in front."""
    return any(mark.says("not") for mark in draft.marks[first + 1 : second])


def _goes_on(draft: Draft, index: int, last: tuple[int, Group] | None) -> bool:
    """Whether a negation reaches this value too: 除了天猫和京东."""
    return last is not None and last[1][1] and _linked(draft, last[0], index)


def _linked(draft: Draft, first: int, second: int, links: tuple[str, ...] = _LINKS) -> bool:
    between = [mark for mark in draft.marks[first + 1 : second] if not mark.used or mark.says("or")]
    return bool(between) and all(mark.says(*links) for mark in between)


def _use_link(draft: Draft, index: int, last: tuple[int, Group] | None, group: Group) -> None:
    """An "or" is understood between two values of one column, and nowhere else."""
    if last is None or last[1] != group:
        return
    for mark in draft.marks[last[0] + 1 : index]:
        if mark.says("or"):
            mark.used = True


def _use_rest(draft: Draft, index: int, thing: Thing) -> None:
    """The end of the column's name after a value (A级), a closing 以外, an "=" before it."""
    column, after = draft.column(thing.name), draft.at(index + 1)
    before = draft.at(index - 1)
    if before and before.payload("cmp") == "=":
        before.used = True
    if after and after.unknown and _ends_name(after.text, column):
        after.used = True
        after = draft.at(index + 2)
    closing = draft.at(draft.neighbour(index, 1, "of")) if after else None
    for mark in (after, closing, draft.at(index + 2)):
        if mark and mark.says("notend") and not mark.named:
            mark.used = True


def _ends_name(text: str, column: Column | None) -> bool:
    return text in _ADMINISTRATIVE or (column is not None and any(name.endswith(text) for name in column.aliases))


def _condition(draft: Draft, group: Group, found: list[tuple[Mark, Thing]]) -> ReadFilter:
    name, negated = group
    column = draft.column(name)
    texts = dict.fromkeys(text for _, thing in found for text in thing.texts)
    values = tuple(stored(text, column) for text in texts)
    operator: Operator = ("not_in" if negated else "in") if len(values) > 1 else ("!=" if negated else "=")
    words = "、".join(mark.text for mark, _ in found) if draft.language == "zh" else ", ".join(m.text for m, _ in found)
    return ReadFilter(words=words, column=name, operator=operator, values=values)


def stored(text: str, column: Column | None) -> Scalar:
    """The value in the type it is stored in: codes of a numeric column are numbers."""
    if column is not None and column.type.casefold().startswith(NUMERIC):
        try:
            number = float(text)
        except ValueError:
            return text
        return int(number) if number.is_integer() else number
    return text
