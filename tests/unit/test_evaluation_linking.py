"""Measuring linking: reading the folder, pooling databases, counting recall."""

import json
from pathlib import Path

import pytest

from data_agent.domain.catalog import Catalog
from data_agent.errors import InvalidInput
from data_agent.evaluation.linking import Found, Linker, load_cases, load_schemas, measure, pooled, recall

SCHEMA = {
    "db": "a",
    "mysql_db": "db_a",
    "tables": [
        {"name": "Orders", "comment": "订单", "columns": [{"name": "Id", "type": "int", "comment": "", "pk": True}]},
        {"name": "users", "comment": "", "columns": [{"name": "id", "type": "int", "comment": "key", "pk": True}]},
    ],
    "fks": [["Orders", "Id", "users", "id"]],
}
CASE = {
    "id": "q1",
    "question": "how many?",
    "lang": "en",
    "source": "made",
    "mysql_db": "db_a",
    "gold_tables": ["orders", "users"],
    "gold_columns": ["orders.id"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "schema").mkdir()
    for name in ("db_a", "db_b"):
        text = json.dumps({**SCHEMA, "mysql_db": name})
        (tmp_path / "schema" / f"{name}.json").write_text(text, encoding="utf-8")
    lines = [json.dumps(CASE), json.dumps({**CASE, "id": "q2", "source": "other"})]
    (tmp_path / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_schemas_become_catalogs_with_keys(folder: Path) -> None:
    catalog = load_schemas(folder)["db_a"]
    assert [table.name for table in catalog.tables] == ["Orders", "users"]
    assert catalog.tables[0].description == "订单" and catalog.relationships[0].to_table == "users"


def test_a_pool_keeps_equal_names_of_two_databases_apart(folder: Path) -> None:
    pool = pooled(load_schemas(folder))
    assert [table.name for table in pool.tables] == ["db_a.Orders", "db_a.users", "db_b.Orders", "db_b.users"]
    assert pool.column("db_b.users.id") is not None
    assert {table.domain for table in pool.tables} == {"db_a", "db_b"}


def test_only_the_given_ids_are_read(folder: Path) -> None:
    assert [case.id for case in load_cases(folder, ["q2"])] == ["q2"]


def test_a_folder_without_questions_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"cases\.jsonl"):
        load_cases(tmp_path)
    with pytest.raises(InvalidInput, match="json"):
        load_schemas(tmp_path)


def test_a_broken_line_is_named_by_its_number(folder: Path) -> None:
    with (folder / "cases.jsonl").open("a", encoding="utf-8") as out:
        out.write('\n{"id": "q3"}')
    with pytest.raises(InvalidInput, match="line 3"):
        load_cases(folder)


def test_recall_counts_gold_among_the_first_k_whatever_the_case() -> None:
    assert recall(["A", "b", "c"], ["x", "a", "B", "y", "z", "c"], (2, 3, 10)) == pytest.approx([100 / 3, 200 / 3, 100])


def test_nothing_to_find_is_found() -> None:
    assert recall([], ["x"], (5, 10)) == [100.0, 100.0]


@pytest.mark.parametrize("pool", [True, False])
async def test_the_report_has_a_row_for_each_source(folder: Path, pool: bool) -> None:
    asked: list[str] = []

    async def opened(catalog: Catalog) -> Linker:
        asked.append(catalog.name)

        async def found(_question: str) -> Found:
            names = [table.name for table in catalog.tables]
            return Found(tables=tuple(names[:1]), columns=tuple(f"{name}.id" for name in names))

        return found

    report = await measure(load_cases(folder), load_schemas(folder), opened, pool)
    assert [(row["source"], row["lang"], row["questions"]) for row in report["results"]] == [
        ("made", "en", 1),
        ("other", "en", 1),
    ]
    assert report["results"][0]["tables"] == {"5": 50.0, "10": 50.0, "20": 50.0}
    assert report["results"][0]["columns"]["5"] == 100.0
    assert asked == (["pool"] if pool else ["db_a"])


async def test_a_question_on_an_unknown_database_is_refused(folder: Path) -> None:
    async def opened(catalog: Catalog) -> Linker:
        raise AssertionError(catalog.name)

    case = load_cases(folder)[0].model_copy(update={"database": "ghost"})
    with pytest.raises(InvalidInput, match="ghost"):
        await measure([case], load_schemas(folder), opened, pool=False)
