"""Show which dates a question names · 看问题里的时间词指哪些日期."""

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from api.settings import PREFIX, Calendar, load_settings
from data_agent.dates import bases, resolve
from data_agent.dates.spans import moment_of
from data_agent.domain.time import CalendarSettings, TimeRange
from data_agent.errors import InvalidInput

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def dates(
    question: Annotated[str, typer.Argument(help="The question, Chinese or English · 问题")],
    *,
    now: Annotated[str, typer.Option(help="The moment of asking, ISO 8601 (default: the clock) · 提问时刻")] = "",
    fiscal_year_start: Annotated[
        int | None, typer.Option(min=1, max=12, help="Month, 1-12 (default: 1) · 财年起始月")
    ] = None,
    week_start: Annotated[str, typer.Option(help="monday … sunday (default: monday) · 一周从哪天开始")] = "",
    time_zone: Annotated[str, typer.Option(help="Business time zone (default: Asia/Shanghai) · 业务时区")] = "",
    settings: Annotated[
        Path | None, typer.Option(help="Calendar and clock of a settings file; the options above win · 设置文件")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object · 输出 JSON")] = False,
) -> None:
    """Resolve the words for time in a question to half-open ranges; `end` is exclusive.

    With a comparison word (同比, vs last month) the range to compare with follows, its role is "base".
    """
    held = load_settings(settings).calendar if settings or os.environ.get(f"{PREFIX}SETTINGS") else Calendar()
    calendar = _calendar(held, time_zone, week_start, fiscal_year_start)
    moment = _moment(now, calendar) if now or held.now is None else held.now
    rows = [_row(item, "current") for item in resolve(question, moment, calendar)]
    rows += [_row(item, "base") for item in bases(question, moment, calendar)]
    if as_json:
        typer.echo(json.dumps({"ranges": rows}, ensure_ascii=False))
    else:
        typer.echo(f"now · 提问时刻: {moment.astimezone(ZoneInfo(calendar.time_zone)).isoformat(timespec='minutes')}")
        _show(rows)


def _calendar(held: Calendar, time_zone: str, week_start: str, fiscal_year_start: int | None) -> CalendarSettings:
    day = week_start.strip().lower() or WEEKDAYS[held.week_start]
    if day not in WEEKDAYS:
        raise InvalidInput(
            f"--week-start 不认识 / Unknown --week-start: {week_start}", hint=f"Use one of: {', '.join(WEEKDAYS)}."
        )
    calendar = CalendarSettings(
        time_zone=time_zone or held.time_zone,
        week_start=WEEKDAYS.index(day),
        fiscal_year_start=fiscal_year_start or held.fiscal_year_start,
    )
    moment_of(datetime(2026, 1, 1), calendar)  # only to refuse an unknown zone early
    return calendar


def _moment(now: str, calendar: CalendarSettings) -> datetime:
    if not now:
        return datetime.now(ZoneInfo(calendar.time_zone))
    try:
        return datetime.fromisoformat(now)
    except ValueError as error:
        raise InvalidInput(
            f"--now 不是时间 / --now is no moment: {now}", hint="Write it like 2026-03-31T10:00:00+08:00."
        ) from error


def _row(item: TimeRange, role: str) -> dict[str, str | None]:
    return {
        "words": item.words,
        "start": item.start.isoformat() if item.start else None,
        "end": item.end.isoformat() if item.end else None,
        "grain": item.grain,
        "label": item.label,
        "role": role,
    }


def _show(rows: list[dict[str, str | None]]) -> None:
    from rich import print as show
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    if not rows:
        typer.echo("no dates found · 没有找到时间词")
        return
    table = Table(box=SIMPLE_HEAD)
    for name in rows[0]:
        table.add_column("end (exclusive)" if name == "end" else name)
    for row in rows:
        table.add_row(*(Text(value or "…") for value in row.values()))
    show(table)
