"""What a model proposes is marked, saved table by table, and nothing takes it for a fact."""

import difflib

import pytest

from api.inspection import add_proposals
from api.settings import Settings, demo_settings
from data_agent.catalog.load import load_catalog
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Proposal, Table
from data_agent.errors import ModelNotConfigured, ModelTimeout
from data_agent.indexing.texts import texts_of
from data_agent.introspection.proposing import Said, SaidOfTable, proposals, proposed, waiting
from data_agent.reading.lexicon import Lexicon
from scripts.describing import described, model_of
from tests.fakes.llm import FakeLlm

COLUMNS = (
    Column(table="orders", name="amt", description="written by hand"),
    Column(table="orders", name="st"),
    Column(table="orders", name="x"),
)
ORDERS = Table(name="orders", columns=COLUMNS)
SAID = SaidOfTable(
    table=Said(name="orders", description="订单", zh="订单", en="orders"),
    columns=[
        Said(name="AMT", description="ignored", zh="回款额", en="AMT"),
        Said(name="st", description="状态", zh="状态"),
        Said(name="invented", description="nothing"),
    ],
)
PARTS = (range(20), range(20, 40), range(40, 45))
FILE = """\
# ours
name: shop
tables:
  - name: orders   # one row per order
    columns:
      - {name: amt, type: decimal, description: "written by hand"}   # money
      - name: st
        type: text
      - name: x
  - {name: tags, columns: [{name: tag}]}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "catalog.yaml"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_proposals_are_kept_apart_and_touch_nothing_written():
    made = proposed(ORDERS, SAID)
    assert made.column("amt").description == "written by hand"
    assert made.column("amt").proposed == Proposal(aliases=("回款额",))
    assert made.column("st").proposed == Proposal(description="状态", aliases=("状态",))
    assert (made.column("st").description, made.column("st").aliases) == ("", ())
    assert made.column("x").proposed is None
    assert made.column("invented") is None
    assert made.proposed == Proposal(description="订单", aliases=("订单",))


def test_a_proposal_is_neither_indexed_nor_understood():
    before = Catalog(name="s", version="", tables=(ORDERS,))
    after = Catalog(name="s", version="", tables=(proposed(ORDERS, SAID),))
    assert texts_of(after) == texts_of(before)
    assert not Lexicon.of(after).lookup("回款额")


def test_proposals_go_into_the_file_beside_what_they_are_about(file):
    add_proposals(file, proposed(ORDERS, SAID))
    text = file.read_text(encoding="utf-8")
    gone = [line for line in difflib.ndiff(FILE.splitlines(), text.splitlines()) if line.startswith("- ")]
    assert [line.partition("#")[2].strip() for line in gone] == ["money"]  # the line in braces holds its proposal now
    assert "# money" in text
    tables = load_catalog(file)[0]
    assert tables.table("orders").proposed == Proposal(description="订单", aliases=("订单",))
    assert tables.column("orders.amt").proposed == Proposal(aliases=("回款额",))
    assert tables.column("orders.st").proposed == Proposal(description="状态", aliases=("状态",))
    add_proposals(file, proposed(ORDERS, SAID))
    assert file.read_text(encoding="utf-8") == text


def test_proposals_find_their_file_in_a_folder(tmp_path):
    folder = tmp_path / "catalog"
    folder.mkdir()
    (folder / "a.yaml").write_text("name: shop\n", encoding="utf-8")
    (folder / "b.yaml").write_text(FILE.replace("name: shop\n", "", 1), encoding="utf-8")
    add_proposals(folder, proposed(ORDERS, SAID))
    assert (folder / "a.yaml").read_text(encoding="utf-8") == "name: shop\n"
    assert "回款额" in (folder / "b.yaml").read_text(encoding="utf-8")


async def test_a_stopped_run_goes_on_where_it_was_and_a_failure_leaves_its_table_waiting(file):
    replies = [SAID, ModelTimeout("too slow")]
    assert await described(file, FakeLlm(replies), 10) == (1, 1)
    assert [table.name for table in waiting(load_catalog(file)[0])] == ["tags"]
    again = FakeLlm([SaidOfTable()])
    assert await described(file, again, 10) == (1, 0)
    assert "tags" in again.prompts[0]
    assert again.closed
    assert not waiting(load_catalog(file)[0])
    assert await described(file, FakeLlm([]), 10) == (0, 0)


async def test_no_more_tables_are_asked_about_than_allowed(file):
    assert await described(file, FakeLlm([SAID]), 1) == (1, 1)


async def test_wide_tables_are_asked_about_in_parts_and_keys_not_at_all():
    names = [Column(table="wide", name=f"c{n}") for n in range(45)]
    wide = Table(name="wide", columns=(*names, Column(table="wide", name="other_id", role="foreign_key")))
    model = FakeLlm([SaidOfTable(columns=[Said(name=f"c{n}", description=f"d{n}") for n in part]) for part in PARTS])
    (made,) = [table async for table in proposals([wide], model)]
    assert len(model.prompts) == 3
    assert "other_id" not in "".join(model.prompts)
    assert sum(column.proposed is not None for column in made.columns) == 45


def test_what_has_words_in_both_languages_is_not_asked_about():
    column = Column(table="t", name="c", description="d", aliases=("名称", "name"))
    table = Table(name="t", description="d", aliases=("表", "table"), columns=(column,))
    assert not waiting(Catalog(name="s", version="", tables=(table,)))


def test_without_a_model_describing_says_what_to_set():
    with pytest.raises(ModelNotConfigured, match="--describe"):
        model_of(Settings(**demo_settings()))
