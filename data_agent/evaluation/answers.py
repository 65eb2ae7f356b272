"""Ask every question of a set, compare rows with the gold's, add up."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Any, Literal

from data_agent.domain.answer import Answer
from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.errors import DataAgentError
from data_agent.evaluation.questions import Question
from data_agent.evaluation.scoring import same_result

Verdict = Literal["right", "wrong", "unanswered", "asked back", "declined", "should not have answered", "no gold"]
WRITTEN = ("reading", "model")
SHOWN_ROWS = 20

Found = list[tuple[Any, ...]]


class Asked(Frozen):
    """What came of one question: the answer, or the error's text; its reading in words."""

    answer: Answer
    words: str = ""
    error: str = ""


class Outcome(Frozen):
    """One question with its verdict. `rows` and `gold_rows` are the first few, for people."""

    question: Question
    verdict: Verdict
    asked: Asked
    seconds: float
    rows: tuple[tuple[Any, ...], ...] = ()
    gold_rows: tuple[tuple[Any, ...], ...] = ()
    note: str = ""

    @property
    def answered(self) -> bool:
        """Whether rows came back as an answer."""
        return self.verdict in ("right", "wrong", "should not have answered")


@dataclass(frozen=True)
class Bench:
    """What can be asked: `ask` goes through the whole pipeline, `run` runs a statement on the same database.

    `run_gold` runs a statement in the database that the question names, where that is another one.
    """

    ask: Callable[[str], Awaitable[Asked]]
    run: Callable[[str], Found]
    dialect: str
    run_gold: Callable[[str, str], Found] | None = None
    labels: Mapping[str, str] = field(default_factory=dict)


async def outcome(question: Question, bench: Bench) -> Outcome:
    """Ask one question and judge it."""
    start = perf_counter()
    asked = await bench.ask(question.question)
    seconds = perf_counter() - start
    answered = asked.answer.path in WRITTEN and not asked.error and asked.answer.sql
    if question.expect != "answer":
        verdict: Verdict = "should not have answered" if answered else _declined(asked)
        return Outcome(question=question, verdict=verdict, asked=asked, seconds=seconds)
    if not answered:
        return Outcome(question=question, verdict="unanswered", asked=asked, seconds=seconds, note=asked.error)
    return _judged(question, bench, asked, seconds)


def _declined(asked: Asked) -> Verdict:
    return "asked back" if asked.answer.path == "clarify" else "declined"


def _judged(question: Question, bench: Bench, asked: Asked, seconds: float) -> Outcome:
    golds, note = _golds(question, bench)
    made = partial(Outcome, question=question, asked=asked, seconds=seconds)
    if not golds:
        return made(verdict="no gold", note=note)
    shown = tuple(golds[0][1][:SHOWN_ROWS])
    try:
        rows = bench.run(str(asked.answer.sql))
    except DataAgentError as error:
        return made(verdict="wrong", gold_rows=shown, note=error.message)
    right = any(
        same_result(gold, rows, ordered=question.in_order(sql), labels=labels)
        for sql, gold in golds
        for labels in ({}, bench.labels)
    )
    return made(verdict="right" if right else "wrong", rows=tuple(rows[:SHOWN_ROWS]), gold_rows=shown)


def _golds(question: Question, bench: Bench) -> tuple[list[tuple[str, Found]], str]:
    """The gold statements that run, as written and with their rows; the last complaint."""
    golds, note = [], ""
    for sql, written in zip(question.statements(bench.dialect), question.gold, strict=True):
        try:
            rows = bench.run_gold(sql, question.database) if bench.run_gold else bench.run(sql)
            golds.append((written, rows))
        except DataAgentError as error:
            note = f"gold: {error.message}"
    return golds, note


def codes_of(catalog: Catalog) -> dict[str, str]:
    """The code behind every label of a catalog; a label of two codes stands for none."""
    found: dict[str, set[str]] = {}
    for column in (column for table in catalog.tables for column in table.columns):
        for code, label in column.labels.items():
            found.setdefault(label, set()).add(code)
    return {label: next(iter(codes)) for label, codes in found.items() if len(codes) == 1}


def report(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures in all, and in `results` for each source and language."""
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for each in outcomes:
        groups.setdefault((each.question.source, each.question.lang), []).append(each)
    results = [{"source": source, "lang": lang, **figures(part)} for (source, lang), part in groups.items()]
    return {**figures(outcomes), "results": results}


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Counts and shares in percent, None where there is nothing to divide by.

    `questions` have an answer; those that have none on purpose are counted apart, and `on_purpose` is the share of
    them that were asked back or declined.
    """
    real = [each for each in outcomes if each.question.expect == "answer" and each.verdict != "no gold"]
    apart = [each for each in outcomes if each.question.expect != "answer"]
    answered, right = _count(real, lambda each: each.answered), _count(real, lambda each: each.verdict == "right")
    answers = [each.asked.answer for each in outcomes]
    return {
        "questions": len(real),
        "answered": answered,
        "right": right,
        "coverage": percent(answered, len(real)),
        "precision": percent(right, answered),
        "accuracy": percent(right, len(real)),
        "model_calls": sum(answer.model_calls for answer in answers),
        "prompt_tokens": sum(answer.prompt_tokens for answer in answers),
        "seconds": round(sum(each.seconds for each in outcomes), 2),
        "unanswerable": len(apart),
        "on_purpose": percent(_count(apart, lambda each: not each.answered), len(apart)),
    }


def percent(part: int, whole: int) -> float | None:
    """A share with one digit."""
    return round(100 * part / whole, 1) if whole else None


def line(each: Outcome) -> dict[str, Any]:
    """One question as a line of the `--out` file."""
    answer = each.asked.answer
    return {
        "id": each.question.id,
        "source": each.question.source,
        "lang": each.question.lang,
        "database": each.question.database,
        "question": each.question.question,
        "verdict": each.verdict,
        "path": answer.path,
        "reading": each.asked.words,
        "sql": answer.sql,
        "gold": list(each.question.gold),
        "note": each.note,
        "left_over": _left_over(answer),
        "model_calls": answer.model_calls,
        "prompt_tokens": answer.prompt_tokens,
        "seconds": round(each.seconds, 4),
    }


def below(figures: Mapping[str, Any], floors: Mapping[str, float | None]) -> list[str]:
    """The floors that were not reached, in words; a share of nothing reaches none."""
    return [
        f"{name} {figures[name]} % is under {floor} %"
        for name, floor in floors.items()
        if floor is not None and (figures[name] is None or figures[name] < floor)
    ]


def _left_over(answer: Answer) -> list[str]:
    return [each.words for each in answer.reading.unplaced] if answer.reading else []


def _count(outcomes: Iterable[Outcome], fits: Callable[[Outcome], bool]) -> int:
    return sum(map(fits, outcomes))
