"""Answer one question on the terminal, or as one JSON object."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import aclosing
from functools import partial
from json import dumps
from pathlib import Path
from typing import Annotated

import typer
from rich.status import Status
from rich.text import Text

from api.bootstrap import bootstrap
from api.quality import QualityMode
from api.service import LOCAL, Service
from api.settings import Settings, load_settings
from data_agent.domain.answer import Answer
from data_agent.domain.caller import Caller
from data_agent.errors import DataAgentError, InvalidInput
from data_agent.events import Event, Failed, Progress, Reasoning, Result
from scripts.show import answer_view, err, error_view, out

BY_PATH = {"clarify": 2, "declined": 3, "none": 4}


def ask(
    question: Annotated[str, typer.Argument(help="The question, in Chinese or English.")],
    *,
    json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")] = False,
    settings: Annotated[Path | None, typer.Option(help="A settings file; without it, the demo.")] = None,
    thread: Annotated[str | None, typer.Option(help="Continue this conversation.")] = None,
    quality: Annotated[QualityMode, typer.Option(help="Which models play which role.")] = "balanced",
    role: Annotated[str, typer.Option(help="Ask as this role of the policy.")] = Caller().role,
    attr: Annotated[list[str] | None, typer.Option(help="An attribute of the caller, NAME=VALUE; repeatable.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every event.")] = False,
) -> int:
    """Answer one question. Exit codes: 0 answered, 2 unclear, 3 refused, 4 no answer, 5 component down, 64 usage."""
    caller = Caller(role=role, attributes=attributes_of(attr or []))
    end, reading = asyncio.run(
        asked(load_settings(settings), question, thread, quality, caller=caller, verbose=verbose)
    )
    if json:
        print(as_json(end))  # noqa: T201
    elif isinstance(end, Failed):
        err.print(error_view(end))
    else:
        out.print(answer_view(end.answer, reading))
    return exit_code(end)


async def asked(
    settings: Settings,
    question: str,
    thread: str | None,
    quality: QualityMode,
    *,
    caller: Caller = LOCAL,
    verbose: bool,
) -> tuple[Result | Failed, str]:
    """Ask with the current step shown on stderr; the end and the reading in words."""
    async with bootstrap(settings) as service:
        with err.status("…") as status:
            await service.warm()
            show = partial(_show, status=status, verbose=verbose)
            return await listened(service, question, thread, quality, show, caller=caller)


async def listened(
    service: Service,
    question: str,
    thread: str | None,
    quality: QualityMode,
    show: Callable[[Event], None],
    *,
    caller: Caller = LOCAL,
) -> tuple[Result | Failed, str]:
    """Listen to the end of one question."""
    reading = ""
    end: Result | Failed | None = None
    asking = service.ask(question, caller=caller, thread_id=thread, quality_mode=quality)
    async with aclosing(asking) as events:
        async for event in events:
            show(event)
            if isinstance(event, Reasoning):
                reading = event.text
            if isinstance(event, Result | Failed):
                end = event
    if end is None:
        raise RuntimeError("the question ended without a result")
    return end, reading


def attributes_of(written: list[str]) -> dict[str, str]:
    """`NAME=VALUE` texts as attributes.

    Raises:
        InvalidInput: one has no `=` or no name.
    """
    pairs = [text.partition("=") for text in written]
    if any(not equals or not name for name, equals, _ in pairs):
        raise InvalidInput("--attr: write NAME=VALUE, for example --attr region=East")
    return {name: value for name, _, value in pairs}


def exit_code(end: Result | Failed) -> int:
    """What the shell is told."""
    if isinstance(end, Result):
        return BY_PATH.get(end.answer.path, 0)
    known = {error.code: error.exit_code for error in every_error()}
    return known.get(end.code, DataAgentError.exit_code)


def every_error(base: type[DataAgentError] = DataAgentError) -> Iterator[type[DataAgentError]]:
    """The error tree, flat."""
    yield base
    for error in base.__subclasses__():
        yield from every_error(error)


def as_json(end: Result | Failed) -> str:
    """The answer; a failure has the same keys and an `error` besides."""
    answer = end.answer or Answer(question="", path="none", intent="data_query")
    found = answer.model_dump(mode="json")
    if isinstance(end, Failed):
        found["error"] = end.model_dump(include={"code", "message", "hint", "step"})
    return dumps(found, ensure_ascii=False)


def _show(event: Event, status: Status, *, verbose: bool) -> None:
    if verbose:
        err.print(Text(event.model_dump_json(exclude={"answer", "reading"}), style="dim"))
    if isinstance(event, Progress) and event.status == "running":
        status.update(Text(f"{event.label} {event.step}"))
