"""Question sets: our own YAML, or a folder with cases.jsonl and dumps; either becomes the same questions."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import sqlglot
import yaml
from pydantic import Field, ValidationError
from sqlglot import exp
from sqlglot.errors import SqlglotError

from data_agent.domain.frozen import Frozen
from data_agent.domain.language import Language, language_of
from data_agent.errors import InvalidInput

Expected = Literal["answer", "clarify", "decline"]
HINT = "a YAML list of {id, question, sql}, or a folder with cases.jsonl · 需要 YAML 列表或含 cases.jsonl 的文件夹"


class Question(Frozen):
    """One question with its gold statements in MySQL's dialect, any of which may be matched; or none, on purpose.

    `translated` holds statements written by hand for another dialect. `database` is empty for the warehouse's own.
    """

    id: str
    question: str = Field(min_length=1)
    lang: Language
    source: str
    database: str = ""
    gold: tuple[str, ...] = ()
    translated: dict[str, str] = Field(default_factory=dict)
    ordered: bool | None = None
    expect: Expected = "answer"

    def statements(self, dialect: str) -> tuple[str, ...]:
        """The gold statements in that dialect."""
        if dialect in self.translated:
            return (self.translated[dialect],)
        if dialect == "mysql":
            return self.gold
        return tuple(sqlglot.transpile(sql, read="mysql", write=dialect)[0] for sql in self.gold)

    def in_order(self, gold: str) -> bool:
        """Whether the order of the rows counts."""
        return has_order(gold) if self.ordered is None else self.ordered


def has_order(sql: str) -> bool:
    """Whether the outermost query sorts."""
    try:
        tree = sqlglot.parse_one(sql, read="mysql")
    except SqlglotError:
        return "order by" in sql.casefold()
    return isinstance(tree, exp.Query) and tree.args.get("order") is not None


def load_questions(place: Path, ids: Iterable[str] | None = None) -> tuple[Question, ...]:
    """All questions of a file or folder, or those with the given ids.

    Raises:
        InvalidInput: it is missing, cannot be read, holds no question, or a question has mistakes.
    """
    wanted = None if ids is None else set(ids)
    found = [question for question in _all(place) if wanted is None or question.id in wanted]
    if not found:
        raise InvalidInput(f"{place}: no question to ask", hint=HINT)
    return tuple(found)


def _all(place: Path) -> Iterable[Question]:
    if not place.exists():
        raise InvalidInput(f"{place} does not exist", hint=HINT)
    if not place.is_dir():
        return _own(place)
    if (place / "cases.jsonl").exists():
        return _lines(place / "cases.jsonl")
    return [question for file in sorted(place.glob("*.y*ml")) for question in _own(file)]


def _own(file: Path) -> list[Question]:
    try:
        held = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InvalidInput(f"{file} cannot be read: {error}", hint=HINT) from error
    if not isinstance(held, list):
        raise InvalidInput(f"{file} holds no list of questions", hint=HINT)
    return [_made(f"{file}, question {at}", _from_yaml, case, file.stem) for at, case in enumerate(held, 1)]


def _lines(file: Path) -> list[Question]:
    made = []
    for at, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            where = f"{file}, line {at}"
            made.append((_made(where, json.loads, line), where))
    return [_made(where, _from_bench, case, "") for case, where in made if case.get("runnable", True)]


def _made(where: str, make: Any, *given: Any) -> Any:
    try:
        return make(*given)
    except ValidationError as error:
        mistakes = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise InvalidInput(f"{where}: {mistakes}", hint=HINT) from None
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InvalidInput(f"{where}: {error!r}", hint=HINT) from error


def _from_yaml(case: Mapping[str, Any], source: str) -> Question:
    expect, sql = case.get("expect", "answer"), case.get("sql")
    if (expect == "answer") != bool(sql):
        raise ValueError("a question has `sql`, or `expect: clarify` or `decline`")
    return Question(
        id=str(case["id"]),
        question=case["question"],
        lang=case.get("lang") or language_of(case["question"]),
        source=case.get("source", source),
        database=case.get("database", ""),
        gold=(sql,) if sql else (),
        translated={"duckdb": case["sql_duckdb"]} if case.get("sql_duckdb") else {},
        ordered=case.get("ordered"),
        expect=expect,
    )


def _from_bench(case: Mapping[str, Any], _source: str) -> Question:
    return Question(
        id=case["id"],
        question=case["question"],
        lang=case["lang"],
        source=case["source"],
        database=case["mysql_db"],
        gold=(case.get("mysql_sql") or case["gold_sql"], *(case.get("gold_sql_alt") or ())),
    )
