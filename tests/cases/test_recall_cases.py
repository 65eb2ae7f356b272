"""What other systems did not find, or found wrongly: each case of recall by its id. q013, q092, q095, q097 and q098 are
asked of the whole service in `test_reading_cases`."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from data_agent.catalog.describe import estimated_tokens, tables_text, within_budget
from data_agent.catalog.joins import JoinGraph
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Table
from data_agent.domain.value import Value
from data_agent.errors import UnsafeSql
from data_agent.indexing.texts import texts_of
from data_agent.linking.merge import merged_tables
from data_agent.options import Limits
from data_agent.ports.recall import IndexStamp
from data_agent.reading.keywords import keywords
from data_agent.reading.lexicon import Lexicon
from data_agent.reading.numbers import numbers
from data_agent.sql.admit import admit
from tests.cases.shop import CATALOG
from tests.cases.test_reading_cases import described
from tests.contract.value_indexes import OPENERS

SHOP = described(CATALOG)
LEXICON = Lexicon.of(SHOP)


async def found(index: Any, stored: list[str], word: str) -> list[str]:
    async def batches() -> AsyncIterator[list[Value]]:
        yield [Value(table="customers", column="city", text=text) for text in stored]

    await index.replace(IndexStamp(catalog_version="v1", model="", dimension=0), batches())
    return [value.text for value in await index.search([word], 8)]


@pytest.mark.parametrize("opener", OPENERS)
async def test_q043_values_are_searched_by_the_word_and_not_cut_from_the_head_of_the_alphabet(
    opener: Any, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    async with opener(tmp_path, request) as index:
        texts = await found(index, [f"A{number:02d}" for number in range(200)] + ["paris", "Paris"], "Paris")
    assert texts[:2] == ["Paris", "paris"]


@pytest.mark.parametrize("opener", OPENERS)
async def test_q093_every_way_a_value_is_written_is_found(
    opener: Any, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    async with opener(tmp_path, request) as index:
        texts = await found(index, ["Apple", "apple", "APPLE ", "Pineapple", "Samsung"], "Apple")
    assert {"Apple", "apple", "APPLE "} <= set(texts)
    assert "Samsung" not in texts


@pytest.mark.parametrize("opener", OPENERS)
async def test_q013_the_city_is_found_without_its_suffix_and_surely(
    opener: Any, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    async with opener(tmp_path, request) as index:
        await found(index, ["北京市", "南京市", "上海市"], "北京")
        (best, *_) = await index.search(["北京"], 8)
    assert best.text == "北京市" and best.score >= 0.9


def test_q095_the_bridge_and_its_keys_come_with_the_two_tables_the_question_names() -> None:
    tables, joins = merged_tables(
        SHOP, JoinGraph.of(SHOP.relationships), best=["products", "customers"], values=(), metrics=()
    )
    assert {"orders", "order_items"} <= {table.name for table in tables}
    keys = {f"{one.from_table}.{name}" for one in joins for name in one.from_columns}
    keys |= {f"{one.to_table}.{name}" for one in joins for name in one.to_columns}
    assert {"orders.id", "orders.customer_id", "order_items.order_id", "order_items.product_id"} <= keys


def test_q096_four_hundred_wide_tables_keep_to_the_budget_and_their_keys_and_best_columns_stay() -> None:
    tables = [
        Table(
            name=f"t{number}",
            columns=(
                Column(table=f"t{number}", name="id", role="primary_key"),
                *(Column(table=f"t{number}", name=f"column_{place}", description="说明 " * 5) for place in range(79)),
            ),
        )
        for number in range(400)
    ]
    best = {"t7.column_3": 0, "t399.column_78": 1}
    kept = within_budget(tables, best, 20_000)
    assert estimated_tokens(tables_text(kept)) <= 20_000
    assert all(table.column("id") for table in kept) and len(kept) == 400
    assert kept[7].column("column_3") and kept[399].column("column_78")


def test_q098_a_retired_copy_is_in_no_index() -> None:
    assert not [text.id for text in texts_of(SHOP) if text.id.startswith("orders_bak")]


def test_q192_a_question_in_which_no_word_stands_out_is_recalled_whole() -> None:
    assert keywords("多少", LEXICON) == ("多少",)
    assert keywords(" how many ", LEXICON) == ("how many",)


@pytest.mark.parametrize("gone", ["SELECT old_col FROM orders", "SELECT id FROM old_orders"])
def test_q194_a_kept_statement_over_what_is_gone_is_not_admitted_whoever_wrote_it(gone: str) -> None:
    with pytest.raises(UnsafeSql):
        admit(gone, catalog=SHOP, dialect="mysql", limits=Limits())


def test_q229_a_column_without_a_description_is_found_by_its_table_its_name_and_its_values() -> None:
    bare = Column(table="订单", name="amt2", examples=("12.30",))
    texts = texts_of(Catalog(name="c", version="v1", tables=(Table(name="订单", columns=(bare,)),)))
    (text,) = [one.text for one in texts if one.id == "订单.amt2"]
    assert "订单" in text and "amt2" in text and "12.30" in text


def test_q230_mixed_languages_numbers_and_units_are_taken_apart() -> None:
    question = "Q1 华东GMV超过20万的A级客户top10"
    words = keywords(question, LEXICON)
    assert {"华东", "GMV", "A级", "客户"} <= set(words)
    assert {200_000, 10} <= {number.value for number in numbers(question)}
