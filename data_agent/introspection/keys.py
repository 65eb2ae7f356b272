"""Which columns identify a row: as declared, else by name and by values that never repeat."""

from itertools import combinations
from typing import NamedTuple

from data_agent.introspection.names import key_name, nouns
from data_agent.introspection.profile import Profile, Profiled

LEAST_ROWS = 2
LEAST_UNNAMED, LEAST_ROWS_TEXT = 20, 5


class Key(NamedTuple):
    """The columns that identify a row of a table, and why we think so (empty: it is declared)."""

    columns: tuple[str, ...]
    evidence: str = ""


def primary_key(table: Profiled, prefix: str) -> Key:
    """The key of a table; no columns when nothing identifies a row."""
    if table.facts.primary_key:
        return Key(table.facts.primary_key)
    for names in table.facts.unique_keys:
        if len(names) == 1 and not table.by_name[names[0]].facts.nullable:
            return Key(names, "declared unique and not null")
    scored = [(score, -at, c) for at, c in enumerate(table.columns) if (score := _score(table, c, at, prefix)) > 0]
    if scored:
        best = max(scored)[2]
        return Key((best.facts.name,), _evidence(table, best))
    return _pair(table)


def unique_columns(table: Profiled) -> list[str]:
    """Columns that may be referred to: declared keys of one column, and those whose values never repeat."""
    declared = [names[0] for names in (table.facts.primary_key, *table.facts.unique_keys) if len(names) == 1]
    measured = [c.facts.name for c in table.columns if c.unique and c.counted >= LEAST_ROWS and _may_be_key(c)]
    named = [c.facts.name for c in table.columns if not table.rows and key_name(c.facts.name).identifies]
    return list(dict.fromkeys((*declared, *measured, *(named[:1] if not declared else ()))))


def _may_be_key(column: Profile) -> bool:
    if column.kind in {"float", "decimal"}:
        return all(float(value).is_integer() for value in column.values) and key_name(column.facts.name).identifies
    return column.kind in {"integer", "text", "date"} and column.mean_length <= 64


def _score(table: Profiled, column: Profile, at: int, prefix: str) -> int:
    """How much this column looks like the key of its table; 0 when it cannot be."""
    unique = column.unique and column.counted >= LEAST_ROWS
    if (table.rows and not unique) or not _may_be_key(column):
        return 0
    name, own = key_name(column.facts.name), nouns(table.facts.name, prefix)
    named = name.stem in {own.full, own.last} or (name.stem == "" and name.word != "")
    if not table.rows:
        return 3 if named and name.identifies else 0
    text = name.stem.removesuffix("name") in {own.full, own.last}
    if not named and not text and column.counted < (LEAST_UNNAMED if name.word else LEAST_ROWS_TEXT):
        return 0
    if name.word:
        return 6 if named and name.identifies else 5 if named else 3 if at == 0 else 2 if name.identifies else 0
    return 4 if text and at == 0 else 1 if at == 0 and column.kind == "text" and table.rows > 1 else 0


def _evidence(table: Profiled, column: Profile) -> str:
    if not table.rows:
        return "by its name; the table is empty"
    whole = "all" if column.complete else "the first"
    return f"{column.distinct} different values in {whole} {column.counted} rows, none missing"


def _pair(table: Profiled) -> Key:
    """Two key-like columns that only together never repeat (a bridge)."""
    keys = [c for c in table.columns if key_name(c.facts.name).word and c.nulls == 0 and c.rows >= LEAST_ROWS]
    for left, right in combinations(keys[:4], 2):
        names = (left.facts.name, right.facts.name)
        if table.complete and len(set(table.tuples(names))) == table.rows:
            return Key(names, f"together different in all {table.rows} rows")
    return Key(())
