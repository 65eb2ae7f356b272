"""One sentence about the result that says only what the rows say."""

from typing import Any

from data_agent.domain.answer import ResultColumn, Rows
from data_agent.domain.language import Language
from data_agent.domain.reading import Reading

_NUMERIC = {"integer", "big_integer", "decimal", "float"}


def confidence_of(written_by: str, *, corrected: bool) -> float:
    """How far to trust the statement: composed from a complete reading 0.95, model 0.6, corrected model 0.45."""
    if written_by == "reading":
        return 0.95
    return 0.45 if corrected else 0.6


def summarise(rows: Rows, reading: Reading) -> str:
    """One number, or the number of rows with the first of them; says when the result is empty or cut."""
    zh = reading.language == "zh"
    if not rows.rows or all(cell is None for row in rows.rows for cell in row):
        return "没有符合条件的数据。" if zh else "No data matches these conditions."
    if reading.yes_no and len(rows.rows) == 1 and len(rows.columns) == 1:
        return _yes_no(rows.rows[0][0], zh)
    joiner, end = ("，", "。") if zh else (", ", ".")
    first = joiner.join(
        _cell(column, cell, reading.language) for column, cell in zip(rows.columns, rows.rows[0], strict=True)
    )
    if len(rows.rows) == 1:
        return first + end
    count = f"共 {len(rows.rows)} 行" if zh else f"{len(rows.rows)} rows"
    cut = ("（已截断）" if zh else " (cut)") if rows.truncated else ""
    return f"{count}{cut}{joiner}{'第一行：' if zh else 'first: '}{first}{end}"


def _yes_no(cell: Any, zh: bool) -> str:
    number = float(cell or 0)
    if zh:
        return f"有，共 {number:g}。" if number else "没有。"
    return f"Yes, {number:g}." if number else "No."


def _cell(column: ResultColumn, cell: Any, language: Language) -> str:
    label = column.label or column.name
    separator = "：" if language == "zh" else ": "
    return f"{label}{separator}{shown(column, cell)}"


def shown(column: ResultColumn, cell: Any) -> str:
    """A cell as people read it: thousands separated, percentages as such, NULL as a dash."""
    if cell is None:
        return "—"
    if column.format == "percent" and column.kind in _NUMERIC:
        return f"{float(cell):.2%}"
    if column.kind in {"integer", "decimal", "float"} and column.kind != "integer":
        return f"{float(cell):,.2f}".rstrip("0").rstrip(".") + column.unit
    if column.kind == "integer" and abs(int(cell)) >= _GROUPED:
        return f"{int(cell):,}{column.unit}"
    return f"{cell}{column.unit if column.kind in _NUMERIC else ''}"


_GROUPED = 10_000
