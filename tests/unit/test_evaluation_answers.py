"""Measuring answers: questions from both layouts, sameness of rows, figures, the page."""

import json
from datetime import date, datetime
from decimal import Decimal

import pytest

from data_agent.domain.answer import Answer
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Table
from data_agent.errors import InvalidInput, StatementFailed
from data_agent.evaluation.answers import Asked, Bench, below, codes_of, line, outcome, report
from data_agent.evaluation.page import page
from data_agent.evaluation.questions import Question, has_order, load_questions
from data_agent.evaluation.scoring import same_result

GOLD = {"SELECT 1": [(1,)], "SELECT 2": [(2,)], "SELECT '<b>'": [("<b>",)]}


def bench(**answers: str) -> Bench:
    """Answers each question with that statement; `?` asks back."""

    async def ask(question: str) -> Asked:
        sql = answers.get(question)
        path = "clarify" if sql == "?" else "reading" if sql else "none"
        return Asked(answer=Answer(question=question, path=path, intent="data_query", sql=sql, model_calls=1))

    def run(sql: str) -> list[tuple[object, ...]]:
        if sql not in GOLD:
            raise StatementFailed("no such thing")
        return GOLD[sql]

    return Bench(ask=ask, run=run, dialect="mysql")


def question(name: str, *gold: str, **more: str) -> Question:
    return Question(id=name, question=name, lang="en", source="own", gold=gold, **more)


@pytest.mark.parametrize(
    ("gold", "found", "ordered", "same"),
    [
        ([(1, "a"), (2, "b")], [("b", 2), ("a", 1)], False, True),
        ([(1, "a"), (2, "b")], [("b", 2), ("a", 1)], True, False),
        ([(1,), (1,)], [(1,)], False, False),
        ([(1,)], [(1, 2)], False, False),
        ([], [], True, True),
        ([(Decimal("0.30"),)], [(0.1 + 0.2,)], False, True),
        ([(1.0,)], [(1.00001,)], False, False),
        ([("2024",)], [(2024,)], False, True),
        ([("007",)], [(7,)], False, False),
        ([(date(2024, 1, 1),)], [("2024-01-01 00:00:00",)], False, True),
        ([(datetime(2024, 1, 1, 8),)], [(date(2024, 1, 1),)], False, False),
        ([(None,)], [(0,)], False, False),
        ([(b"\x01",)], [(True,)], False, True),
        ([(1, "x"), (2, "y")], [(1, "y"), (2, "x")], False, False),
    ],
)
def test_rows_are_compared_as_values(gold, found, ordered, same):
    assert same_result(gold, found, ordered=ordered) is same


def test_a_label_stands_for_its_code():
    labels = codes_of(
        Catalog(
            name="c",
            version="1",
            tables=(Table(name="t", columns=(Column(table="t", name="s", labels={"1": "paid", "2": "sent"}),)),),
        )
    )
    assert same_result([(1,)], [("paid",)], ordered=False, labels=labels)
    assert not same_result([(1,)], [("sent",)], ordered=False, labels=labels)


def test_only_the_outermost_order_counts():
    assert has_order("SELECT a FROM t ORDER BY a LIMIT 1")
    assert not has_order("SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 1) AS x")


async def test_every_verdict_is_counted_where_it_belongs():
    asked = bench(right="SELECT 1", wrong="SELECT 2", broken="SELECT x", trap="SELECT 1", unclear="?")
    questions = [
        *(question(name, "SELECT 1") for name in ("right", "wrong", "broken", "silent")),
        question("second", "SELECT 2", "SELECT 1"),
        question("right", "SELECT nothing"),
        question("trap", expect="decline"),
        question("unclear", expect="clarify"),
    ]
    outcomes = [await outcome(each, asked) for each in questions]
    assert [each.verdict for each in outcomes] == [
        *("right", "wrong", "wrong", "unanswered", "unanswered", "no gold", "should not have answered", "asked back"),
    ]
    found = report(outcomes)
    assert (found["questions"], found["answered"], found["right"]) == (5, 3, 1)
    assert (found["coverage"], found["precision"], found["accuracy"]) == (60.0, 33.3, 20.0)
    assert (found["unanswerable"], found["on_purpose"], found["model_calls"]) == (2, 50.0, 8)
    assert found["results"][0] | {"source": "own", "lang": "en"} == found["results"][0]
    assert below(found, {"precision": 34.0, "accuracy": 20.0}) == ["precision 33.3 % is under 34.0 %"]


async def test_any_of_several_golds_will_do():
    assert (await outcome(question("q", "SELECT 2", "SELECT 1"), bench(q="SELECT 1"))).verdict == "right"


async def test_the_page_and_the_lines_show_text_and_never_markup():
    shown = await outcome(question("<script>", "SELECT '<b>'"), bench(**{"<script>": "SELECT '<b>'"}))
    text = page(report([shown]), [shown], "a & b")
    assert "<script>" not in text
    assert "<b>" not in text
    assert "a &amp; b" in text
    assert json.loads(json.dumps(line(shown)))["verdict"] == "right"


def test_both_layouts_are_read(tmp_path):
    (tmp_path / "own.yaml").write_text(
        "- {id: a, question: 多少, sql: SELECT 1}\n- {id: b, question: b, expect: decline}"
    )
    own = load_questions(tmp_path)
    assert [(each.lang, each.source, each.expect) for each in own] == [
        ("zh", "own", "answer"),
        ("en", "own", "decline"),
    ]
    case = {"id": "x", "question": "q", "lang": "en", "source": "s", "mysql_db": "d", "gold_sql": "A", "mysql_sql": "B"}
    written = [case, case | {"id": "y", "runnable": False}, case | {"id": "z", "gold_sql_alt": ["C"]}]
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, written)))
    assert [(each.id, each.database, each.gold) for each in load_questions(tmp_path, ["x", "z"])] == [
        ("x", "d", ("B",)),
        ("z", "d", ("B", "C")),
    ]


@pytest.mark.parametrize("text", ["a: 1", "- {id: a, question: b}", "- 3", "- {question: b, sql: c}", "[", "[]"])
def test_a_mistake_says_where_it_is(tmp_path, text):
    (tmp_path / "bad.yaml").write_text(text)
    with pytest.raises(InvalidInput, match=r"bad\.yaml"):
        load_questions(tmp_path / "bad.yaml")
