"""Measure by name, without words and without a model: metrics, dimensions, conditions, a time."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from api.settings import Settings, load_settings
from api.several import opened
from data_agent.domain.caller import Caller
from data_agent.domain.language import language_of
from data_agent.events import Failed, Result
from data_agent.reading.named import Named
from scripts.ask import as_json, attributes_of, exit_code, to_the_end
from scripts.show import answer_view, err, error_view, out


def query(
    *,
    metrics: Annotated[str, typer.Option(help="Names of metrics, with commas between.")] = "",
    by: Annotated[str, typer.Option(help="Columns, or day, week, month, quarter, year; with commas between.")] = "",
    where: Annotated[list[str] | None, typer.Option(help="A condition, e.g. 渠道=天猫|京东; repeatable.")] = None,
    time: Annotated[str, typer.Option(help="A time: 2025-Q1, 上个月, last month.")] = "",
    order: Annotated[str, typer.Option(help='What to sort by, e.g. "销售额 desc"; with commas between.')] = "",
    limit: Annotated[int | None, typer.Option(min=1, help="The first N, ties kept.")] = None,
    choose: Annotated[list[str] | None, typer.Option(help="What a name means, NAME=ID; repeatable.")] = None,
    sql: Annotated[bool, typer.Option("--sql", help="Print the statement only.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")] = False,
    warehouse: Annotated[str, typer.Option(help="Measure in this one, where there are several.")] = "",
    settings: Annotated[Path | None, typer.Option(help="A settings file; without it, the demo.")] = None,
    role: Annotated[str, typer.Option(help="Ask as this role of the policy.")] = Caller().role,
    attr: Annotated[list[str] | None, typer.Option(help="An attribute of the caller, NAME=VALUE; repeatable.")] = None,
) -> int:
    """Compose one statement from names, prove it and run it. Exit codes are those of `ask`."""
    named = Named(
        metrics=_names(metrics),
        by=_names(by),
        where=tuple(where or ()),
        time=time,
        order=_names(order),
        limit=limit,
        language=language_of(" ".join((metrics, by, *(where or ())))),
        choices=attributes_of(choose or [], "--choose amount=column:orders.pay_amount"),
    )
    caller = Caller(role=role, attributes=attributes_of(attr or []))
    end = asyncio.run(_measured(load_settings(settings), named, caller, warehouse))
    if json:
        print(as_json(end))  # noqa: T201
    elif isinstance(end, Failed):
        err.print(error_view(end))
    elif sql and end.answer.sql:
        print(end.answer.sql)  # noqa: T201
    else:
        out.print(answer_view(end.answer))
    return exit_code(end)


async def _measured(settings: Settings, named: Named, caller: Caller, warehouse: str) -> Result | Failed:
    async with opened(settings) as service:
        end, _ = await to_the_end(service.measure(named, caller=caller, warehouse=warehouse), lambda _event: None)
        return end


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for part in text.replace("，", ",").split(",") if (name := part.strip()))
