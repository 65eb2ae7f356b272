"""What each column's indexed values depend on, as one short text: the same text, the same values."""

import hashlib
import json
from collections.abc import Mapping

from data_agent.domain.catalog import Catalog
from data_agent.indexing.values import MAX_CHARS, said_values, synced_columns, valued_columns
from data_agent.ports.changes import ColumnState
from data_agent.ports.recall import ValuePart

RULES = 1
"""Raise it when values are read or stored in another way, and everything is read anew."""


def value_marks(catalog: Catalog, states: Mapping[str, ColumnState], cap: int) -> dict[str, str]:
    """A mark for every column that has values in the index.

    It is empty where the warehouse cannot tell whether the values changed: such a column is read every time.
    """
    read = {column.id for column in synced_columns(catalog)}
    marks = {}
    for column in valued_columns(catalog):
        state = states.get(column.id, ColumnState()).mark if column.id in read else "not read"
        said = [(value.text, value.word) for value in said_values(column)]
        depends = json.dumps([RULES, column.type, cap, MAX_CHARS, said, state], ensure_ascii=False)
        marks[column.id] = hashlib.sha256(depends.encode()).hexdigest()[:24] if state else ""
    return marks


def unchanged(marks: Mapping[str, str], held: Mapping[str, ValuePart]) -> set[str]:
    """The columns whose indexed values are what they should be."""
    return {column for column, mark in marks.items() if mark and column in held and held[column].mark == mark}
