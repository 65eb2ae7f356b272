"""`kill -9` of an index run at every step: readers see the old index or the new one, and the next run ends the work."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb
import pytest
from elasticsearch import Elasticsearch

from tests.servers import own_database

pytestmark = pytest.mark.slow

OLD = {
    "metadata": "old",
    "columns": ["shops.", "shops.city", "shops.name"],
    "metrics": ["visits"],
    "values": ["上海", "北京"],
}
NEW = {
    "metadata": "new",
    "columns": ["brands.", "brands.name", "brands.owner", *OLD["columns"]],
    "metrics": ["buyers", "visits"],
    "values": ["华为", "小米"],
}
STEPS = 8
"""Texts of columns and of metrics embedded, metadata, columns, metrics, and at least three looks at values."""


def killed(folder: Path, stores: str, moments: int) -> list[dict[str, Any]]:
    with duckdb.connect(folder / "shop.duckdb") as database:
        database.execute("CREATE TABLE shops AS SELECT * FROM (VALUES ('A', '北京'), ('B', '上海')) t (name, city)")
        database.execute("CREATE TABLE brands AS SELECT '华为' AS name, '小米' AS owner")
    settings = folder / "settings.yaml"
    text = f"warehouse: {{url: 'duckdb:///shop.duckdb'}}\ncatalog: none.yaml\nstores: {stores}\n"
    settings.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tests.killed_runs", str(settings), str(moments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(runs: list[dict[str, Any]], moments: int) -> None:
    """No store shows a mixture, the parts come in their order, and the run after the kill makes everything new."""
    steps = runs[: len(runs) - moments]
    assert len(steps) > STEPS and [run["killed"] for run in steps] == [True] * (len(steps) - 1) + [False]
    for run in runs:
        assert run["status"] in {0, -9} and run["again"] == 0
        seen = [run["seen"][part] == NEW[part] for part in NEW]
        assert all(run["seen"][part] in (OLD[part], NEW[part]) for part in NEW), run
        assert seen == sorted(seen, reverse=True), "metadata first, then columns, metrics, values"
        assert run["after"] == NEW, run


def test_embedded_stores_survive_a_kill_at_every_step(tmp_path: Path) -> None:
    check(killed(tmp_path, "{path: stores}", moments=3), moments=3)


@pytest.mark.mysql
@pytest.mark.elasticsearch
def test_servers_survive_a_kill_at_every_step(tmp_path: Path, mysql_url: str, elasticsearch_url: str) -> None:
    name = f"k{uuid4().hex[:8]}"
    with own_database(mysql_url) as metadata, Elasticsearch(elasticsearch_url) as client:
        servers = f"metadata_url: '{metadata}', elasticsearch_url: '{elasticsearch_url}'"
        try:
            check(killed(tmp_path, f"{{path: stores, name: {name}, {servers}}}", moments=1), moments=1)
            assert len(client.indices.get(index=f"{name}-values-*")) == 1, "builds of killed runs are removed"
        finally:
            for build in client.indices.get(index=f"{name}-*"):
                client.indices.delete(index=build)
