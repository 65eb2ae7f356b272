"""Databases that refuse, break or are strange: each is named, the rest is done."""

import pytest

from api import inspection
from data_agent.catalog.dump import dump_catalog
from data_agent.catalog.load import load_catalog
from data_agent.errors import CatalogInvalid, StatementFailed, WarehouseTimeout, WarehouseUnavailable
from data_agent.introspection.introspect import introspect
from data_agent.introspection.options import IntrospectOptions
from tests.fakes.inspector import FakeInspector, table

GOOD = table("good", "id int, name varchar(20)", key="id")
ROWS = {"good": [(1, "a"), (2, "b")]}


async def outcome(*tables, **facts):
    found = await introspect(FakeInspector([GOOD, *tables], ROWS, **facts))
    return [each.name for each in found.catalog.tables], {each.what: each.why for each in found.skipped}


@pytest.mark.parametrize(
    ("error", "kept", "said"),
    [
        (WarehouseUnavailable("x does not let its account read this (error 1142)"), False, "does not let"),
        (StatementFailed("View 'v' references invalid table(s) (1356)"), False, "invalid table"),
        (WarehouseTimeout("too long"), True, "longer than 5 s"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), True, "not valid UTF-8"),
    ],
)
async def test_a_table_that_cannot_be_read_is_named_and_the_rest_is_done(error, kept, said):
    tables, skipped = await outcome(table("bad", "id int, x text"), refusing={"bad": error})
    assert tables == (["good", "bad"] if kept else ["good"])
    assert said in skipped["bad"]


async def test_a_view_without_readable_columns_is_named():
    _, skipped = await outcome(unreadable={"broken": "View references invalid table(s)"})
    assert "invalid" in skipped["broken"]


async def test_an_unknown_type_is_named_and_kept_as_text():
    tables, skipped = await outcome(table("odd", "id int, shape hypercube(3)"))
    assert tables == ["good", "odd"]
    assert "hypercube(3)" in skipped["odd.shape"]


async def test_names_that_a_catalog_cannot_write_are_left_out():
    tables, skipped = await outcome(table("a.b", "id int"), table("c", "id int, x.y int"))
    assert tables == ["good", "c"]
    assert set(skipped) == {"a.b", "c.x.y"}


async def test_an_empty_database_is_said_so():
    with pytest.raises(CatalogInvalid, match="holds no table"):
        await introspect(FakeInspector([]))


async def test_a_lost_server_is_an_outage_and_no_empty_catalog():
    with pytest.raises(WarehouseUnavailable, match="broke"):
        await introspect(FakeInspector([GOOD], refusing={"good": WarehouseUnavailable("broke the connection")}))


async def test_spaces_reserved_words_and_a_hundred_columns_load_again(tmp_path):
    wide = table("order", ", ".join(["id int", "group text", *(f"Loss_{n} float" for n in range(120))]), key="id")
    spaced = table("my table", "row_id int, net_amount decimal(9,2), created_at datetime", key="row_id")
    rows = {
        "order": [(n, "a", *[1.0] * 120) for n in range(9)],
        "my table": [(n, "1.0", "2026-01-01") for n in range(9)],
    }
    found = (await introspect(FakeInspector([wide, spaced], rows))).catalog
    path = tmp_path / "c.yaml"
    path.write_text(dump_catalog(found), encoding="utf-8")
    assert load_catalog(path)[0] == found


@pytest.mark.slow
async def test_five_thousand_tables_are_done_within_the_time_for_all():
    tables = [table(f"t{n}", f"id int, t{n - 1}_id int, name text", key="id") for n in range(5000)]
    found = await introspect(FakeInspector(tables), IntrospectOptions(total_seconds=0))
    assert len(found.catalog.tables) == 5000
    assert any("used up" in each.why for each in found.skipped)


async def test_a_catalog_too_large_for_a_file_becomes_a_folder_and_is_found_again(tmp_path, monkeypatch):
    tables = [table(f"t{n}", "id int, net_amount decimal(9,2), created_at datetime", key="id") for n in range(40)]
    found = (await introspect(FakeInspector(tables, {}))).catalog
    monkeypatch.setattr(inspection, "MAX_BYTES", 4000)
    path = inspection.write_catalog(found, tmp_path / "c.yaml")
    assert path == tmp_path / "c"
    assert load_catalog(path)[0] == found
    sizes = [file.stat().st_size for file in path.iterdir()]
    assert len(sizes) > 5
    assert max(sizes) <= 1100
    assert inspection.written_at(tmp_path / "c.yaml") == path
    assert [each.name for each in tmp_path.iterdir()] == ["c"]
    with pytest.raises(CatalogInvalid, match="holds something"):
        inspection.write_catalog(found, tmp_path / "c.yaml")
    assert inspection.written_at(tmp_path / "other.yaml") == tmp_path / "other.yaml"
