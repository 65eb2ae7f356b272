"""Admit every gold statement of a bench folder: false refusals with their reasons, stability, and time.

Usage: python benchmarks/admission.py FOLDER   (FOLDER holds cases.jsonl and schema/*.json)
"""

import json
import sys
import time
from pathlib import Path

from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Relationship, Table
from data_agent.errors import UnsafeSql
from data_agent.options import Limits
from data_agent.sql.admit import admit

VERSION = "9.7.0"


def catalog_of(path: Path) -> Catalog:
    """The catalog of one database of the bench."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    tables = tuple(
        Table(
            name=table["name"],
            columns=tuple(Column(table=table["name"], name=c["name"], type=c["type"]) for c in table["columns"]),
        )
        for table in schema["tables"]
    )
    links = tuple(
        Relationship(from_table=one, from_columns=(key,), to_table=other, to_columns=(target,))
        for one, key, other, target in schema["fks"]
    )
    return Catalog(name=schema["mysql_db"], version="1", tables=tables, relationships=links)


def main(folder: Path) -> int:
    catalogs = {catalog.name: catalog for catalog in map(catalog_of, sorted((folder / "schema").glob("*.json")))}
    lines = (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case.get("runnable")]
    times, refusals, unstable = [], [], 0
    for case in cases:
        sql, catalog = case.get("mysql_sql") or case["gold_sql"], catalogs[case["mysql_db"]]
        start = time.process_time()
        try:
            admitted = admit(sql, catalog=catalog, dialect="mysql", limits=Limits(), version=VERSION)
        except UnsafeSql as refusal:
            refusals.append(f"{case['id']}: {refusal.reason_code}: {refusal.message}")
            continue
        times.append((time.process_time() - start) * 1000)
        again = admit(admitted.sql, catalog=catalog, dialect="mysql", limits=Limits(), version=VERSION)
        unstable += again.sql != admitted.sql
    times.sort()
    print("\n".join(refusals))
    print(f"{len(cases)} statements, {len(refusals)} refused ({len(refusals) / len(cases):.1%}), {unstable} unstable")
    print(f"CPU ms: p50 {times[len(times) // 2]:.2f}, p95 {times[int(len(times) * 0.95)]:.2f}, max {times[-1]:.2f}")
    return int(len(refusals) > len(cases) / 100 or unstable > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
