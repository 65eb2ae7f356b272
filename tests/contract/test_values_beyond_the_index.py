"""A column with more values than are indexed: the others are looked up, under guard, rights and clock."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from langgraph.runtime import Runtime

from data_agent.context import DataAgentContext
from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Catalog
from data_agent.domain.policy import Mask, Policy, Role, RowFilter
from data_agent.domain.schema import Column, Table
from data_agent.domain.value import Value
from data_agent.indexing.index import IndexReport, index
from data_agent.nodes.recall_value import recall_value
from data_agent.policy.rights import Rights
from data_agent.ports.recall import IndexStamp, ValuePart
from data_agent.ports.warehouse import Warehouse
from data_agent.reading.lexicon import Lexicon
from repositories.embedded.value_index import EmbeddedValueIndex
from repositories.embedded.warehouse import DuckDBWarehouse
from repositories.sql.warehouse import MySQLWarehouse
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.indexes import FakeColumnIndex, FakeMetricIndex, FakeValueIndex
from tests.fakes.metadata import FakeMetadata
from tests.fakes.run import World
from tests.fakes.warehouse import FakeWarehouse, Told
from tests.servers import run_sql

FIRMS = [f"A firm {number:03d}" for number in range(300)] + [
    "Zürich 100%_Re",
    "北京市朝阳区分店",
    "iPhone 17 Pro",
    "O'Hara!",
]
CATALOG = Catalog(
    name="firms",
    version="v1",
    tables=(
        Table(
            name="firms",
            columns=(
                Column(table="firms", name="id", type="int", role="primary_key"),
                Column(table="firms", name="title", type="varchar(40)", sync=True, aliases=("名称",)),
                Column(table="firms", name="region", type="varchar(40)"),
                Column(table="firms", name="phone", type="varchar(40)", personal=True),
            ),
            primary_key=("id",),
        ),
    ),
)


def filling() -> str:
    rows = ", ".join(
        f"({number}, '{title.replace(chr(39), chr(39) * 2)}', '{'west' if number == 302 else 'east'}', '555-{number}')"
        for number, title in enumerate(FIRMS)
    )
    create = "CREATE TABLE firms (id INT PRIMARY KEY, title VARCHAR(40), region VARCHAR(40), phone VARCHAR(40))"
    return f"{create};\nINSERT INTO firms VALUES {rows};\n"


@asynccontextmanager
async def in_duckdb(folder: Path, request: pytest.FixtureRequest) -> AsyncIterator[Warehouse]:
    with duckdb.connect(folder / "firms.duckdb") as database:
        database.execute(filling())
    warehouse = DuckDBWarehouse(folder / "firms.duckdb")
    yield warehouse
    await warehouse.close()


@asynccontextmanager
async def in_mysql(folder: Path, request: pytest.FixtureRequest) -> AsyncIterator[Warehouse]:
    url = request.getfixturevalue("mysql_database")
    run_sql(url, "DROP TABLE IF EXISTS firms;\n" + filling())
    warehouse = MySQLWarehouse(url)
    yield warehouse
    await warehouse.close()


OPENERS: list[Any] = [in_duckdb, pytest.param(in_mysql, marks=pytest.mark.mysql)]


class Firms:
    """The warehouse with an index that holds a few of its values, and the first step that asks both."""

    def __init__(self, warehouse: Warehouse, values: EmbeddedValueIndex, report: IndexReport) -> None:
        self.warehouse, self.values, self.report = warehouse, values, report

    async def context(self) -> DataAgentContext:
        world = World(catalog=CATALOG, value_index=self.values)
        return replace(await world.context(), warehouse=self.warehouse)

    async def found(self, *words: str, rights: Rights | None = None) -> list[Value]:
        context = await self.context()
        if rights:
            context = replace(context, catalog=rights.view, lexicon=Lexicon.of(rights.view), rights=rights)
        state: Any = {"keywords": list(words), "query": " ".join(words)}
        changes = await recall_value(state, Runtime(context=context, stream_writer=lambda _event: None))
        return list(changes["recalled_values"] or ())


@pytest.fixture(params=OPENERS)
async def firms(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Firms]:
    async with request.param(tmp_path, request) as warehouse:
        values = EmbeddedValueIndex(tmp_path / "values")
        report = await index(
            CATALOG,
            warehouse=warehouse,
            embedder=FakeEmbedder(),
            column_index=FakeColumnIndex(),
            metric_index=FakeMetricIndex(),
            value_index=values,
            metadata=FakeMetadata(),
            cap=20,
        )
        yield Firms(warehouse, values, report)


async def test_indexing_names_the_column_and_says_how_its_other_values_are_found(firms: Firms) -> None:
    (warning,) = firms.report.warnings
    assert "firms.title" in warning and "LIKE" in warning and "20" in warning


@pytest.mark.parametrize(
    ("word", "stored"),
    [
        ("iphone 17 pro", "iPhone 17 Pro"),
        ("朝阳区分店", "北京市朝阳区分店"),
        ("100%_re", "Zürich 100%_Re"),
        ("O'Hara!", "O'Hara!"),
        ("A firm 299", "A firm 299"),
    ],
)
async def test_a_value_beyond_the_cap_is_found_as_it_is_stored(firms: Firms, word: str, stored: str) -> None:
    held = await firms.values.search([word], 8)
    assert stored not in {value.text for value in held}, "it must not stand in the index already"
    found = await firms.found(word)
    best = max(found, key=lambda value: value.score)
    assert (best.column_id, best.text, best.word) == ("firms.title", stored, word)


@pytest.mark.parametrize("word", ["%", "_%", "100__re", "no such firm", "' OR 1=1 -- "])
async def test_signs_of_patterns_and_quotes_are_letters_like_any_other(firms: Firms, word: str) -> None:
    assert not [value for value in await firms.found(word) if value.score >= 0.9]


async def test_values_of_hidden_rows_and_masked_columns_are_not_seen_there(firms: Firms) -> None:
    west = Role(name="west", allow=("*",), filters=(RowFilter(table="firms", where="region = 'west'"),))
    blind = Role(name="blind", allow=("*",), masks=(Mask(column="firms.title", kind="null"),))
    policy = Policy(roles=(west, blind))
    west_rights = Rights.of(CATALOG, policy, Caller(name="w", role="west"))
    assert [value.text for value in await firms.found("iphone 17 pro", rights=west_rights)] == ["iPhone 17 Pro"]
    assert await firms.found("朝阳区分店", rights=west_rights) == []
    assert await firms.found("iphone 17 pro", rights=Rights.of(CATALOG, policy, Caller(name="b", role="blind"))) == []


def cut_world(**fields: Any) -> World:
    world = World(catalog=CATALOG, value_index=FakeValueIndex(), **fields)
    world.value_index.held = IndexStamp(catalog_version="v1", model="", dimension=0)
    world.value_index.values = [Value(table="firms", column="title", text="Acme")]
    world.value_index.known = {"firms.title": ValuePart(cut=True)}
    return world


async def recalled(world: World, *words: str) -> list[Value]:
    state: Any = {"keywords": list(words), "query": ""}
    runtime = Runtime(context=await world.context(), stream_writer=lambda _event: None)
    return list((await recall_value(state, runtime))["recalled_values"] or ())


async def test_words_that_were_surely_found_or_name_a_column_ask_the_warehouse_nothing() -> None:
    world = cut_world()
    await recalled(world, "Acme", "名称", "12")
    assert world.warehouse.fetched == []
    await recalled(world, "Acme", "elsewhere")
    (asked,) = world.warehouse.fetched
    assert "elsewhere" in asked and "acme" not in asked.casefold()


async def test_a_look_up_that_takes_too_long_is_given_up_and_what_was_found_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("data_agent.nodes.recall_value._SECONDS", 0.05)
    world = cut_world(warehouse=FakeWarehouse(otherwise=Told(names=("title",), rows=(("elsewhere",),), seconds=60)))
    assert [value.text for value in await recalled(world, "Acme", "elsewhere")] == ["Acme"]
