"""Answer one question on the terminal, or as one JSON object."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from json import dumps
from pathlib import Path
from typing import Annotated

import typer
from rich.prompt import Confirm, IntPrompt
from rich.status import Status
from rich.text import Text

from api.quality import QualityMode
from api.service import LOCAL, Service
from api.settings import Settings, load_settings
from api.several import Several, opened
from data_agent.domain.answer import Answer
from data_agent.domain.caller import Caller
from data_agent.errors import DataAgentError, InvalidInput
from data_agent.events import Event, Failed, Progress, Reasoning, Result
from scripts.show import answer_view, choice_text, err, error_view, out, plain

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
    choose: Annotated[list[str] | None, typer.Option(help="What a word means, WORD=ID; repeatable.")] = None,
    warehouse: Annotated[str, typer.Option(help="Ask this one, where there are several.")] = "",
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every event.")] = False,
) -> int:
    """Answer one question. Exit codes: 0 answered, 2 unclear, 3 refused, 4 no answer, 5 component down, 64 usage."""
    present = not json and sys.stdin.isatty() and sys.stderr.isatty()
    asking = Asking(
        question,
        thread=thread,
        quality=quality,
        caller=Caller(role=role, attributes=attributes_of(attr or [])),
        warehouse=warehouse,
        choices=attributes_of(choose or [], "--choose 苹果=column:products.brand=苹果"),
        chosen=by_number if present else nothing,
        approved=by_word if present else unanswered,
    )
    loaded = load_settings(settings)
    end, reading = asyncio.run(asked(loaded, asking, verbose=verbose))
    if json:
        print(as_json(end))  # noqa: T201
    elif isinstance(end, Failed):
        err.print(error_view(end))
    else:
        out.print(answer_view(end.answer, reading, named=len(loaded.warehouses) > 1))
    return exit_code(end)


def nothing(_: Answer) -> dict[str, str]:
    """Nobody is there to choose."""
    return {}


def unanswered(_: Answer) -> bool | None:
    """Nobody is there to approve."""
    return None


@dataclass(frozen=True)
class Asking:
    """One question of the terminal; `chosen` asks the person what words mean (none: the question stays open).

    `approved` asks whether an expensive statement may run (None: it stays open).
    """

    question: str
    thread: str | None = None
    quality: QualityMode = "balanced"
    caller: Caller = LOCAL
    choices: Mapping[str, str] = field(default_factory=dict)
    chosen: Callable[[Answer], dict[str, str]] = nothing
    warehouse: str = ""
    approved: Callable[[Answer], bool | None] = unanswered


async def asked(settings: Settings, asking: Asking, *, verbose: bool) -> tuple[Result | Failed, str]:
    """Ask with the current step shown on stderr; the end and the reading in words."""
    async with opened(settings) as service:
        with err.status("…") as status:
            await service.warm()
            show = partial(_show, status=status, verbose=verbose)
            return await answered(service, asking, show, status)


async def answered(
    service: Service | Several, asking: Asking, show: Callable[[Event], None], status: Status
) -> tuple[Result | Failed, str]:
    """Listen to the end of one question; as long as it stops to ask and the person chooses, go on with it."""
    events = service.ask(
        asking.question,
        caller=asking.caller,
        thread_id=asking.thread,
        quality_mode=asking.quality,
        choices=asking.choices,
        warehouse=asking.warehouse,
    )
    while True:
        end, reading = await to_the_end(events, show)
        status.stop()
        answer = end.answer
        if answer is None or isinstance(end, Failed) or answer.path != "clarify":
            return end, reading
        choices = asking.chosen(answer) if answer.choices else {}
        approve = asking.approved(answer) if answer.sql and not answer.choices else None
        if not choices and approve is None:
            return end, reading
        status.start()
        events = service.resume(
            answer.thread_id, choices, approve=approve, caller=asking.caller, quality_mode=asking.quality
        )


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
    return await to_the_end(service.ask(question, caller=caller, thread_id=thread, quality_mode=quality), show)


async def to_the_end(asking: AsyncGenerator[Event, None], show: Callable[[Event], None]) -> tuple[Result | Failed, str]:
    """Listen to the end of one run."""
    reading = ""
    end: Result | Failed | None = None
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


def by_number(answer: Answer) -> dict[str, str]:
    """Offer the choices by number; an empty line chooses nothing and ends it."""
    chosen: dict[str, str] = {}
    for asked_about in answer.choices:
        err.print(Text(f"{plain(asked_about.words)}:", style="bold"))
        for number, choice in enumerate(asked_about.choices, 1):
            err.print(Text(f"  {number}. {choice_text(choice)}"))
        number = IntPrompt.ask(
            "1-" + str(len(asked_about.choices)),
            console=err,
            choices=[str(number) for number in range(len(asked_about.choices) + 1)],
            show_choices=False,
            default=0,
        )
        if number:
            chosen[asked_about.words] = asked_about.choices[number - 1].id
    return chosen


def by_word(answer: Answer) -> bool:
    """Show the expensive statement and ask whether it may run; an empty line is a no."""
    err.print(Text(plain(answer.sql or "")))
    return Confirm.ask(f"{plain(answer.summary)} · 执行吗？Run it?", console=err, default=False)


def attributes_of(written: list[str], example: str = "--attr region=East") -> dict[str, str]:
    """`NAME=VALUE` texts as a mapping; the name ends at the first `=`.

    Raises:
        InvalidInput: one has no `=` or no name.
    """
    pairs = [text.partition("=") for text in written]
    if any(not equals or not name for name, equals, _ in pairs):
        raise InvalidInput(f"write NAME=VALUE, for example {example}")
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
