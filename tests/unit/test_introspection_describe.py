"""What a model proposes is marked, and nothing takes it for a fact."""

import pytest

from api.settings import Settings, demo_settings
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Proposal, Table
from data_agent.errors import ModelNotConfigured
from data_agent.indexing.texts import texts_of
from data_agent.reading.lexicon import Lexicon
from scripts.describing import Said, SaidOfTable, described, proposed

COLUMNS = (
    Column(table="orders", name="amt", description="written by hand"),
    Column(table="orders", name="st"),
    Column(table="orders", name="x"),
)
ORDERS = Table(name="orders", columns=COLUMNS)
SAID = SaidOfTable(
    table=Said(description="订单", aliases=["订单", "orders"]),
    columns={
        "AMT": Said(description="ignored", aliases=["回款额"]),
        "st": Said(description="状态", aliases=["", "状态"]),
        "invented": Said(description="nothing"),
    },
)


def test_proposals_are_kept_apart_and_touch_nothing_written():
    made = proposed(ORDERS, SAID)
    assert made.column("amt").description == "written by hand"
    assert made.column("amt").proposed == Proposal(aliases=("回款额",))
    assert made.column("st").proposed == Proposal(description="状态", aliases=("状态",))
    assert (made.column("st").description, made.column("st").aliases) == ("", ())
    assert made.column("x").proposed is None
    assert made.column("invented") is None


def test_a_proposal_is_neither_indexed_nor_understood():
    before = Catalog(name="s", version="", tables=(ORDERS,))
    after = Catalog(name="s", version="", tables=(proposed(ORDERS, SAID),))
    assert texts_of(after) == texts_of(before)
    assert not Lexicon.of(after).lookup("回款额")


async def test_without_a_model_describing_says_what_to_set():
    with pytest.raises(ModelNotConfigured, match="--describe"):
        await described(Catalog(name="s", version="", tables=(ORDERS,)), Settings(**demo_settings()))
