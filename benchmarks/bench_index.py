"""Indexing at size: first run, a run with nothing changed, a run with one changed table; seconds, rates, peak memory.

A seeded DuckDB warehouse: each table has five plain columns and five text columns of 100 values each, so 2,000 tables
make 20,000 columns and 1,000,000 values. Every run is a `data-agent index` of its own.

Usage: python -m benchmarks.bench_index [how many tables, 200] [folder to keep]
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.machine import machine_state
from data_agent.catalog.dump import dump_catalog
from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Table

ROWS, VALUES, METRICS = 200, 100, 500
DICE = random.Random(11)
# fmt: off
NOUNS = (
    "order", "customer", "product", "store", "region", "supplier", "invoice", "payment", "shipment", "refund",
    "contract", "project", "employee", "budget", "device", "account", "ticket", "campaign", "coupon", "member",
    "warehouse", "batch", "route", "vehicle", "claim", "policy", "course", "patient", "machine",
)
ZH = {
    "name": "名称", "code": "编码", "type": "类型", "status": "状态", "level": "等级", "source": "来源",
    "channel": "渠道", "owner": "负责人", "brand": "品牌", "category": "类别", "city": "城市", "title": "标题",
    "label": "标签", "grade": "级别", "group": "分组",
}
# fmt: on
KINDS = tuple(ZH)
HAN = "华东南北京海广深天成都杭州苏宁波青岛大连厦门福建湖江山河云贵川陕晋冀鲁豫皖赣闽粤桂琼"
PLAIN = (
    ("id", "bigint"),
    ("created_at", "timestamp"),
    ("amount", "decimal(12,2)"),
    ("quantity", "int"),
    ("parent_id", "bigint"),
)


def table_of(number: int) -> Table:
    """One table: a name of two nouns, plain columns, text columns with values."""
    name = f"{DICE.choice(NOUNS)}_{DICE.choice(NOUNS)}_{number:04d}"
    kinds = DICE.sample(KINDS, 5)
    columns = [Column(table=name, name=column, type=kind) for column, kind in PLAIN]
    for kind in kinds:
        noun = DICE.choice(NOUNS)
        description = f"{noun} {kind} of the {name.partition('_')[0]}"
        columns.append(
            Column(
                table=name,
                name=f"{noun}_{kind}",
                type="varchar",
                aliases=(ZH[kind],),
                description=description,
                sync=True,
            )
        )
    unique = {column.name: column for column in columns}
    return Table(name=name, columns=tuple(unique.values()), primary_key=("id",), description=f"records of {name[:-5]}")


def catalog_of(count: int) -> Catalog:
    """The whole catalog."""
    tables = tuple(table_of(number) for number in range(count))
    metrics = tuple(
        Metric(
            name=f"metric_{n:03d}",
            table=tables[n % count].name,
            expression=f"SUM({tables[n % count].name}.amount)",
            aliases=(f"指标{n}",),
        )
        for n in range(METRICS)
    )
    return Catalog(name="synthetic", version="", tables=tables, metrics=metrics)


def fill(database: duckdb.DuckDBPyConnection, table: Table, salt: str = "") -> None:
    """The rows of one table; every text column has 100 different values, Chinese and English ones."""
    parts = [
        "i AS id",
        "TIMESTAMP '2025-01-01' + INTERVAL 1 HOUR * i AS created_at",
        "(i * 7 % 1000)::DECIMAL(12,2) AS amount",
    ]
    parts += ["(i % 9)::INT AS quantity", "(i // 3) AS parent_id"]
    for column in table.columns:
        if column.sync:
            seed = f"hash(i % {VALUES}, '{column.id}{salt}')"
            han = " || ".join(f"substr('{HAN}', (({seed} >> {4 * n}) % {len(HAN)})::BIGINT + 1, 1)" for n in range(4))
            noun, code = column.name.partition("_")[0].title(), f"substr(md5({seed}::VARCHAR), 1, 6)"
            english = f"'{noun} ' || (i % {VALUES}) || ' ' || {code}"
            parts.append(f'CASE WHEN i % 2 = 0 THEN {han} || (i % {VALUES}) ELSE {english} END AS "{column.name}"')
    database.execute(f'CREATE OR REPLACE TABLE "{table.name}" AS SELECT {", ".join(parts)} FROM range({ROWS}) r(i)')


def measured(settings: Path) -> dict[str, Any]:
    """One run of the command: its report, wall seconds, peak memory."""
    command = [sys.executable, "-m", "scripts.main", "index", "--settings", str(settings), "--json"]
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    told = child.stdout.read() if child.stdout else b""
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"data-agent index ended with {os.waitstatus_to_exitcode(status)}")
    return {
        "wall": time.perf_counter() - start,
        "cpu": usage.ru_utime + usage.ru_stime,
        "mb": usage.ru_maxrss / 1024,
        **json.loads(told),
    }


def tell(title: str, run: dict[str, Any]) -> None:
    """One run in two lines."""
    spent = ", ".join(f"{part} {seconds:.1f}" for part, seconds in run["spent"].items())
    print(f"{title}: {run['wall']:.1f} s ({run['cpu']:.1f} s of processor), peak {run['mb']:.0f} MB; {spent}")
    print(
        f"  read {len(run['plan']['value_columns'])} columns and {run['read']} values, embedded {run['embedded']} texts"
    )
    if run["read"] > VALUES * 10:
        values, texts = run["read"] / run["spent"]["values"], run["embedded"] / max(run["spent"]["embed"], 0.001)
        print(f"  {values:.0f} values/s, {texts:.0f} texts/s")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        catalog = catalog_of(count)
        (folder / "catalog.yaml").write_text(dump_catalog(catalog), encoding="utf-8")
        settings = folder / "settings.yaml"
        settings.write_text(
            "warehouse: {url: 'duckdb:///warehouse.duckdb'}\ncatalog: catalog.yaml\nstores: {path: stores}\n",
            encoding="utf-8",
        )
        with duckdb.connect(folder / "warehouse.duckdb") as database:
            for table in catalog.tables:
                fill(database, table)
        columns = sum(len(table.columns) for table in catalog.tables)
        print(f"{count} tables, {columns} columns, {METRICS} metrics; {machine_state()}")
        tell("first run", measured(settings))
        tell("nothing changed", measured(settings))
        with duckdb.connect(folder / "warehouse.duckdb") as database:
            fill(database, catalog.tables[0], "changed")
        tell("one table changed", measured(settings))
        print(machine_state())


if __name__ == "__main__":
    main()
