"""Every gold statement of a bench folder under a made-up policy: admitted, cut, proven; the time, and differences.

Usage: python -m benchmarks.policy_on_bench FOLDER [MYSQL_URL]   (cases.jsonl, schema/*.json, dumps/*.sql.gz)

The policy of a database filters every table by its first whole number, masks one text and denies one unused column of
each table. With an URL each database is loaded twice, the second one is cut by DELETE, UPDATE and DROP, and both
results are compared. Rows of a LIMIT may be tied: a difference that is gone without the LIMIT is counted apart.
"""

import gc
import gzip
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pymysql
from sqlalchemy import make_url

from benchmarks.admission import VERSION, catalog_of
from benchmarks.machine import machine_state, percentile
from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Catalog
from data_agent.domain.policy import Mask, Policy, Role, RowFilter
from data_agent.errors import UnsafeSql
from data_agent.options import Limits
from data_agent.policy.rights import Rights
from data_agent.sql.admit import admit
from data_agent.verify.verify import verify

CALLER = Caller(role="reader", attributes={"rest": "1"})
LIMITS = Limits(max_rows=1_000_000)


def lower(catalog: Catalog) -> Catalog:
    """Tables by the names they have in the dumps."""
    return Catalog.model_validate(
        {
            **catalog.model_dump(),
            "tables": [
                {
                    "name": table.name.lower(),
                    "columns": [{**c.model_dump(), "table": table.name.lower()} for c in table.columns],
                }
                for table in catalog.tables
            ],
        }
    )


def policy_of(catalog: Catalog, cases: list[dict[str, Any]]) -> Policy:
    used = {name.casefold() for case in cases for name in case["gold_columns"]}
    used |= {word for case in cases for word in _words(case)}
    keys = {column for link in catalog.relationships for column in (*link.from_columns, *link.to_columns)}
    filters, masks, deny = [], [], []
    for table in catalog.tables:
        numbers = [c.name for c in table.columns if c.type.startswith(("int", "bigint"))]
        if numbers:
            where = f"MOD(`{numbers[0]}`, 4) <> :caller.rest OR `{numbers[0]}` IS NULL"
            filters.append(RowFilter(table=table.name, where=where))
        texts = [c.name for c in table.columns if c.type.startswith(("varchar", "text")) and c.name not in keys]
        masks += [Mask(column=f"{table.name}.{name}", kind="partial", keep_first=2, keep_last=1) for name in texts[:1]]
        spare = [c.id for c in table.columns if c.name.casefold() not in used and c.name not in (*keys, *texts[:1])]
        deny += [name for name in spare[:1] if len(table.columns) > 2 and name.rpartition(".")[2] not in numbers[:1]]
    role = Role(name="reader", allow=("*",), deny=tuple(deny), filters=tuple(filters), masks=tuple(masks))
    return Policy(roles=(role,))


def _words(case: dict[str, Any]) -> set[str]:
    return set(re.findall(r"\w+", (case.get("mysql_sql") or case["gold_sql"]).casefold()))


def cut(cursor: Any, policy: Policy) -> None:
    """Take away in place what the policy hides, by statements that have nothing to do with the rewriter."""
    cursor.execute("SET FOREIGN_KEY_CHECKS = 0")
    (role,) = policy.roles
    for each in role.filters:
        cursor.execute(
            f"DELETE FROM `{each.table}` WHERE NOT COALESCE({each.where.replace(':caller.rest', '1')}, FALSE)"
        )
    for mask in role.masks:
        table, _, name = mask.column.rpartition(".")
        cursor.execute(
            f"UPDATE `{table}` SET `{name}` = IF(CHAR_LENGTH(`{name}`) > 3, "
            f"CONCAT(SUBSTRING(`{name}`, 1, 2), '****', SUBSTRING(`{name}`, -1)), '****') WHERE `{name}` IS NOT NULL"
        )
    for column in role.deny:
        table, _, name = column.rpartition(".")
        cursor.execute(f"ALTER TABLE `{table}` DROP COLUMN `{name}`")


def load(connection: Any, dump: Path, database: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE `{database}`")
        cursor.execute(f"USE `{database}`")
        cursor.execute(gzip.decompress(dump.read_bytes()).decode())
        while cursor.nextset():
            pass


def widen(cursor: Any, policy: Policy) -> Policy:
    """A masked value may be longer than its column: where the column cannot grow, the mask is left out."""
    (role,), kept = policy.roles, []
    cursor.execute("SET FOREIGN_KEY_CHECKS = 0, sql_mode = ''")
    for mask in role.masks:
        table, _, name = mask.column.rpartition(".")
        try:
            cursor.execute(f"ALTER TABLE `{table}` MODIFY `{name}` VARCHAR(2000)")
            kept.append(mask)
        except pymysql.Error:
            continue
    return Policy(roles=(role.model_copy(update={"masks": tuple(kept)}),))


def rows(connection: Any, sql: str) -> Counter[Any] | str:
    with connection.cursor() as cursor:
        try:
            cursor.execute(sql)
            return Counter(tuple(str(v) if not isinstance(v, float) else round(v, 6) for v in row) for row in cursor)
        except pymysql.Error as error:
            return f"failed: {error.args[0]}"


def without_limit(sql: str) -> str:
    return sql[: sql.rindex("LIMIT")] if "LIMIT" in sql else sql


def statements(cases: list[dict[str, Any]], rights: Rights, told: Counter[str], ms: list[float]) -> Iterator[Any]:
    for case in cases:
        sql = case.get("mysql_sql") or case["gold_sql"]
        try:
            plain = admit(sql, catalog=rights.view, dialect="mysql", limits=LIMITS, version=VERSION).sql
            start = time.process_time()
            under = proven(sql, rights)
        except UnsafeSql as refusal:
            told[f"refused: {refusal.reason_code}"] += 1
            continue
        ms.append((time.process_time() - start) * 1000)
        yield case["id"], plain, under


def proven(sql: str, rights: Rights) -> str:
    """The statement admitted with the caller's rights in it, and proven to keep to them."""
    rewriting = rights.rewriting("mysql")
    under = admit(sql, catalog=rights.view, dialect="mysql", limits=LIMITS, version=VERSION, rewrite=rewriting).sql
    verify(under, dialect="mysql", catalog=rights.whole, policy=rights.policy, caller=rights.caller)
    return under


def compare(pairs: list[Any], whole: Any, copy: Any, told: Counter[str]) -> None:
    for name, plain, under in pairs:
        found, expected = rows(whole, under), rows(copy, plain)
        if found == expected:
            told["failed alike" if isinstance(found, str) else "equal"] += 1
        elif rows(whole, without_limit(under)) == rows(copy, without_limit(plain)):
            told["equal but for ties at a LIMIT"] += 1
        else:
            told["DIFFERENT"] += 1
            print(f"{name}: {under}\n   {str(found)[:300]}\n   {str(expected)[:300]}")


def connected(url: str) -> Any:
    at = make_url(url)
    return pymysql.connect(
        host=at.host,
        port=at.port or 3306,
        user=at.username,
        password=at.password or "",
        autocommit=True,
        client_flag=pymysql.constants.CLIENT.MULTI_STATEMENTS,
    )


def on_server(url: str, dump: Path, policy: Policy, work: Any) -> None:
    names = [f"policy_bench_{uuid4().hex[:6]}" for _ in range(2)]
    with closing(connected(url)) as whole, closing(connected(url)) as copy:
        try:
            load(whole, dump, names[0])
            load(copy, dump, names[1])
            with copy.cursor() as cursor:
                policy = widen(cursor, policy)
                cut(cursor, policy)
                cursor.execute("SET sql_mode = DEFAULT, optimizer_switch = 'semijoin=off'")
            work(policy, whole, copy)
        finally:
            for name in names:
                whole.cursor().execute(f"DROP DATABASE IF EXISTS `{name}`")


def main(folder: Path, url: str = "") -> int:
    lines = map(json.loads, (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines())
    runnable = [case for case in lines if case.get("runnable")]
    told: Counter[str] = Counter()
    first: list[float] = []
    ms: list[float] = []
    gc.set_threshold(50_000, 20, 50)  # as the service does
    for path in sorted((folder / "schema").glob("*.json")):
        catalog = lower(catalog_of(path))
        cases = [case for case in runnable if case["mysql_db"] == catalog.name]

        def work(policy: Policy, *on: Any, catalog: Catalog = catalog, cases: list[dict[str, Any]] = cases) -> None:
            taken: list[float] = []
            gc.collect()
            gc.freeze()  # as the service does with a catalog
            pairs = list(statements(cases, Rights.of(catalog, policy, CALLER), told, taken))
            first.extend(taken[:1])  # builds what is looked up in the catalog and the policy from then on
            ms.extend(taken[1:])
            told["admitted"] += len(pairs)
            if on:
                compare(pairs, *on, told)

        policy = policy_of(catalog, cases)
        dump = folder / "dumps" / f"{catalog.name}.sql.gz"
        on_server(url, dump, policy, work) if url else work(policy)
    print(dict(told), machine_state())
    for name, taken in (("first statement of a database", first), ("all others", ms)):
        p50, p95 = percentile(taken, 0.5), percentile(taken, 0.95)
        print(f"admission, policy and proof, CPU ms, {name}: p50 {p50:.2f}, p95 {p95:.2f}, max {max(taken):.2f}")
    return int(told["DIFFERENT"] > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:3]))
