"""Put an answer, an error or a check on the terminal; what the warehouse holds is printed as text, never as markup."""

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from data_agent.domain.answer import Answer, ResultColumn
from data_agent.domain.language import language_of
from data_agent.domain.reading import Choice
from data_agent.events import Failed
from data_agent.sql.layout import laid_out

out = Console()
err = Console(stderr=True)

NUMERIC = {"integer", "big_integer", "decimal", "float"}
SHOWN_ROWS = 50


def answer_view(answer: Answer, reading: str = "", *, named: bool = False) -> RenderableType:
    """Reading, SQL, rows, summary, warnings, time: in the order a reader checks them.

    `named` names the warehouse, where there are several.
    """
    parts: list[RenderableType] = []
    if reading:
        parts.append(Text(reading, style="cyan"))
    if answer.sql:
        parts.append(sql_view(answer))
    if answer.columns:
        parts.append(rows_view(answer))
    if answer.summary:
        parts.append(Text(plain(answer.summary), style="bold"))
    parts += [Text(f"! {plain(warning)}", style="yellow") for warning in answer.warnings]
    for ambiguity in answer.choices:
        parts += [
            Text(f"  {plain(ambiguity.words)}: {choice_text(choice)}  ({plain(choice.id)})")
            for choice in ambiguity.choices
        ]
    parts += [Text(f"  {plain(source)}", style="dim") for source in answer.sources]
    parts.append(Text(" · ".join(filter(None, [answer.warehouse * named, footer(answer)])), style="dim"))
    return Group(*parts)


def choice_text(choice: Choice) -> str:
    """A choice with the number of rows behind it."""
    return plain(choice.label) + ("" if choice.count is None else f" · {choice.count:,}")


def rows_view(answer: Answer) -> RenderableType:
    """The first rows as a table, numbers to the right."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in answer.columns:
        unit = f" ({column.unit})" if column.unit and column.format != "percent" else ""
        name = Text(plain(column.label or column.name) + unit)
        table.add_column(name, justify="right" if column.kind in NUMERIC else "left")
    for row in answer.rows[:SHOWN_ROWS]:
        table.add_row(*(Text(cell_text(column, cell)) for column, cell in zip(answer.columns, row, strict=True)))
    more = len(answer.rows) - SHOWN_ROWS
    if more > 0:
        table.caption = f"… {more} more rows, see --json · 还有 {more} 行，见 --json"
    return table


def cell_text(column: ResultColumn, cell: Any) -> str:
    """A cell as people read it; no digit is lost: decimals and long integers stay exact."""
    if cell is None:
        return "—"
    if cell == "":
        return "(empty)"
    if column.kind not in NUMERIC:
        return plain(str(cell))
    try:
        number = Decimal(str(cell))
    except InvalidOperation:
        return plain(str(cell))
    if column.format == "percent":
        return f"{(number * 100).quantize(Decimal('0.01'), ROUND_HALF_UP)}%"
    if column.kind in {"integer", "big_integer"}:
        return str(cell) if column.format == "" else f"{number:,f}"
    return f"{number:,.2f}" if column.format in {"currency", "number"} else f"{number:,f}"


def plain(text: str) -> str:
    """Without control characters, which a terminal would obey."""
    return "".join(char if char.isprintable() else " " for char in text)


def footer(answer: Answer) -> str:
    """Rows, time and what the model was asked for."""
    zh = language_of(answer.question) == "zh"
    parts = [f"{answer.row_count} {'行' if zh else 'rows'}"] if answer.columns else []
    if answer.truncated:
        parts.append(f"仅前 {answer.row_count} 行" if zh else f"only the first {answer.row_count}")
    if answer.freshness:
        parts.append(f"数据截至 {answer.freshness}" if zh else f"data to {answer.freshness}")
    parts.append(f"{answer.elapsed_ms:,.0f} ms")
    if answer.model_calls:
        tokens = answer.prompt_tokens + answer.completion_tokens
        parts.append(
            f"模型 {answer.model_calls} 次 / {tokens} tokens"
            if zh
            else f"{answer.model_calls} model calls, {tokens} tokens"
        )
    return " · ".join(parts)


def sql_view(answer: Answer) -> RenderableType:
    """The statement, one clause a line."""
    text = laid_out(answer.sql or "", answer.dialect)
    return Syntax(text, "sql", theme="ansi_dark", background_color="default", word_wrap=True)


def error_view(failed: Failed) -> RenderableType:
    """What went wrong, what was found until then, and what mends it."""
    parts: list[RenderableType] = []
    if failed.answer and failed.answer.sql:
        parts.append(sql_view(failed.answer))
    parts.append(Text(f"✗ {plain(failed.message)}", style="red"))
    if failed.hint:
        parts.append(Text(f"→ {plain(failed.hint)}"))
    return Group(*parts)
