"""What doctor finds, that each finding says how to mend it, and that the exit code tells the worst."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from api.bootstrap import index_stores, open_outside
from api.drift import Drift, drift, told
from api.health import ComponentState, Health
from api.settings import Settings, load_settings
from data_agent.catalog.load import load_catalog
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Table
from data_agent.errors import StoreUnavailable
from data_agent.ports.inspector import ColumnFacts, SchemaFacts, TableFacts
from scripts.doctor import examined, exit_code
from tests.fakes.cache import FakeCache
from tests.fakes.embedder import FakeEmbedder

CATALOG = """name: shop
tables:
  - name: shops
    description: Where people buy
    primary_key: [id]
    columns:
      - {name: id, type: int}
      - {name: city, type: varchar, sync: true}
"""
SETTINGS = "warehouse: {url: 'duckdb:///shop.duckdb'}\ncatalog: catalog.yaml\nstores: {path: stores}\n"


def change(folder: Path, statements: str) -> None:
    with duckdb.connect(folder / "shop.duckdb") as database:
        database.execute(statements)


def settings_in(folder: Path) -> Settings:
    file = folder / "settings.yaml"
    file.write_text(
        "warehouse: {url: 'duckdb:///shop.duckdb'}\ncatalog: catalog.yaml\nstores: {path: stores}\n", "utf-8"
    )
    return load_settings(file)


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A shop that is indexed and well."""
    change(tmp_path, "CREATE TABLE shops (id INT PRIMARY KEY, city VARCHAR); INSERT INTO shops VALUES (1, '北京')")
    (tmp_path / "catalog.yaml").write_text(CATALOG, encoding="utf-8")
    settings = settings_in(tmp_path)
    outside = await open_outside(settings, embedder=FakeEmbedder())
    await index_stores(settings, outside, load_catalog(settings.catalog)[0])
    await outside.close()
    return tmp_path


async def findings(folder: Path, **parts: Any) -> dict[str, ComponentState]:
    return {state.name: state for state in await examined(settings_in(folder), **{"embedder": FakeEmbedder(), **parts})}


async def test_a_well_kept_shop_has_nothing_to_mend_and_tells_versions_times_and_ages(folder: Path) -> None:
    found = await findings(folder)
    assert {state.state for state in found.values()} == {"ok", "off"} and found["llm"].state == "off"
    assert "duckdb" in found["warehouse"].detail and "built 20" in found["value_index"].detail
    assert "server 3." in found["metadata"].detail and found["metadata"].latency_ms > 0


async def test_a_model_of_other_vectors_is_a_failure_with_its_mend(folder: Path) -> None:
    """Q015-qdrant-dim-mismatch, on every engine: both sizes are named, and the command that rebuilds."""
    found = await findings(folder, embedder=FakeEmbedder(dimension=32))
    for name in ("column_index", "metric_index"):
        assert found[name].state == "fail" and "data-agent index" in found[name].mend
        assert "(64)" in found[name].detail and "(32)" in found[name].detail
    assert found["value_index"].state == "ok"


async def test_a_catalog_that_was_edited_since_is_not_fresh(folder: Path) -> None:
    text = CATALOG.replace("Where people buy", "Where people buy things")
    (folder / "catalog.yaml").write_text(text, encoding="utf-8")
    found = (await findings(folder))["freshness"]
    assert found.state == "warn" and "index --plan" in found.mend


async def test_nothing_indexed_yet_is_a_failure_with_its_mend(folder: Path) -> None:
    (folder / "stores").rename(folder / "elsewhere")
    found = await findings(folder)
    for name in ("metadata", "column_index", "metric_index", "value_index", "freshness"):
        assert found[name].state == "fail" and "data-agent index" in found[name].mend


async def test_a_column_that_is_gone_is_a_failure_and_a_new_one_a_warning(folder: Path) -> None:
    change(folder, "ALTER TABLE shops ADD COLUMN owner VARCHAR")
    new = (await findings(folder))["drift"]
    assert new.state == "warn" and "shops.owner" in new.detail and "introspect --out" in new.mend
    change(folder, "ALTER TABLE shops DROP COLUMN city")
    gone = (await findings(folder))["drift"]
    assert gone.state == "fail" and "shops.city" in gone.detail and "catalog.yaml" in gone.mend


async def test_a_warehouse_that_is_away_is_told_with_its_mend(folder: Path) -> None:
    (folder / "shop.duckdb").unlink()
    found = await findings(folder)
    assert found["warehouse"].state == found["drift"].state == "fail" and found["drift"].mend
    assert found["metadata"].state == "ok"


async def test_a_catalog_with_mistakes_is_a_failure_and_the_rest_is_looked_at(folder: Path) -> None:
    (folder / "catalog.yaml").write_text("tables: 3", encoding="utf-8")
    found = await findings(folder)
    assert found["catalog"].state == "fail" and found["catalog"].mend and found["warehouse"].state == "ok"
    assert "drift" not in found and "freshness" not in found


async def test_a_cache_that_is_away_weakens_and_does_not_prevent(folder: Path) -> None:
    class Away(FakeCache):
        async def version(self) -> str:
            raise StoreUnavailable("Redis at here cannot be used", hint="start it, or set stores.redis_url")

    found = await findings(folder, cache=Away())
    assert found["cache"].state == "warn" and "stores.redis_url" in found["cache"].mend


@pytest.mark.parametrize(
    ("states", "code"), [(("ok", "off"), 0), (("ok", "warn"), 1), (("warn", "fail"), 5)], ids=["well", "warn", "fail"]
)
def test_the_exit_code_tells_the_worst(states: tuple[Health, ...], code: int) -> None:
    assert exit_code(ComponentState(name="part", state=state) for state in states) == code


SHOPS = Table(name="shops", columns=(Column(table="shops", name="id"), Column(table="shops", name="city")))


def facts(*tables: TableFacts, **more: Any) -> SchemaFacts:
    return SchemaFacts(name="shop", tables=tables, **more)


def seen(name: str, *columns: str) -> TableFacts:
    return TableFacts(name=name, columns=tuple(ColumnFacts(name=column, type="text") for column in columns))


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (facts(seen("SHOPS", "ID", "City")), Drift()),
        (facts(seen("shops", "id")), Drift(gone=("shops.city",))),
        (facts(seen("other", "id")), Drift(gone=("shops",), left_out=1)),
        (facts(seen("shops", "id", "city", "owner")), Drift(new=("shops.owner",))),
        (facts(unreadable={"shops": "denied"}), Drift(unreadable=("shops: denied",))),
    ],
    ids=["letter case", "column gone", "table gone", "column new", "not readable"],
)
def test_drift_compares_names(held: SchemaFacts, expected: Drift) -> None:
    assert drift(Catalog(name="shop", version="1", tables=(SHOPS,)), held) == expected


def test_a_retired_table_cannot_drift() -> None:
    retired = SHOPS.model_copy(update={"retired": True})
    assert drift(Catalog(name="shop", version="1", tables=(retired,)), facts()) == Drift()


def test_no_tables_at_all_is_a_failure_with_hints_q237(folder: Path) -> None:
    """Q237-no-tables-seen: the account lacks rights or, inside Docker, the host is wrong."""
    empty = facts()
    state, detail, mend = told(
        drift(Catalog(name="shop", version="1", tables=(SHOPS,)), empty), empty, settings_in(folder)
    )
    assert state == "fail" and "no tables" in detail
    assert "GRANT SELECT" in mend and "Docker" in mend and "warehouse.url" in mend
