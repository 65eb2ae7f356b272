"""Fuzz the guard: mutate attacks and honest statements, and look for whatever must never happen.

Usage: python benchmarks/fuzz_guard.py [--seconds 600] [--seed 1] [--found FILE]

The work is done by a child process, so that a crash of the compiled parser is a finding and not the end of the run.
A finding is a crash, an exception that is no refusal, a guard that failed (it refuses then, but should know why), an
admitted statement that holds something forbidden or is not admitted again as itself, or more than a second of work.
What is admitted is admitted once more under a policy and brought before the verifier.
"""

import argparse
import json
import random
import re
import select
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).parent.parent))

from data_agent.domain.caller import Caller
from data_agent.domain.policy import Mask, Policy, Role, RowFilter
from data_agent.errors import UnsafeSql
from data_agent.options import Limits
from data_agent.policy.rights import Rights
from data_agent.sql.admit import admit
from data_agent.verify.verify import verify
from tests.cases.sql_shop import sql_shop

CASES = Path(__file__).parent.parent / "tests" / "cases"
HONEST = (
    "SELECT c.region, SUM(o.pay_amount) AS s FROM orders o JOIN customers c ON c.id = o.customer_id "
    "WHERE o.created_at >= '2025-01-01' AND o.status IN (2, 3) GROUP BY c.region ORDER BY s DESC LIMIT 10",
    "WITH m AS (SELECT DATE_FORMAT(created_at, '%Y-%m') ym, SUM(pay_amount) s FROM orders GROUP BY 1) "
    "SELECT ym, s, LAG(s) OVER (ORDER BY ym) FROM m",
    "SELECT id FROM orders WHERE id NOT IN (SELECT order_id FROM refunds WHERE order_id IS NOT NULL)",
    "SELECT id, amount FROM payments UNION ALL SELECT id, amount FROM refunds ORDER BY 1 LIMIT 10, 5",
    "SELECT CASE WHEN pay_amount > 100 THEN 'big' ELSE 'small' END AS k, COUNT(*) FROM orders GROUP BY k HAVING k > ''",
    "SELECT * FROM orders o LEFT JOIN order_items i USING (order_id) WHERE o.`group` = 'A' AND o.order_no LIKE '%0%'",
    "SELECT `desc`, (SELECT COUNT(*) FROM orders) n FROM `order` WHERE EXISTS (SELECT 1 FROM refunds)",
    "SELECT CAST(payload AS JSON), emo FROM odd_types WHERE dur BETWEEN '00:00:00' AND '10:00:00'",
    "WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n",
    "SELECT region, RANK() OVER (PARTITION BY month ORDER BY converted DESC) FROM region_rate",
    "SELECT o.id FROM orders o, LATERAL (SELECT amount FROM refunds r WHERE r.order_id = o.id LIMIT 1) x",
    "SELECT TOP 5 name FROM customers",
    "SELECT DISTINCT city FROM customers WHERE name = '张三；' OR city IN ('北京', '上海')",
)
BITS = (
    *r"""( ) , ; . @ @@ := # -- /* */ /*! /*+ ' " ` \ ? : :: $ $$ % || && ! ~ - + * / = <> < > [ ] { } -> ->>
    SELECT FROM WHERE UNION ALL INTERSECT EXCEPT WITH RECURSIVE AS JOIN ON USING NATURAL CROSS LATERAL INTO OUTFILE
    DUMPFILE FOR UPDATE SHARE LIMIT OFFSET GROUP BY HAVING ORDER WINDOW OVER PARTITION ROWS CASE WHEN THEN ELSE END
    NOT AND OR XOR IS NULL IN BETWEEN LIKE EXISTS ANY INTERVAL DAY COLLATE BINARY _utf8mb4 N'a' X'41' 0x41 1e9 1 -1
    'a' orders customers id name mysql.user information_schema.tables SLEEP(1) VALUES LOAD_FILE('/x')
    BENCHMARK(9,1) GET_LOCK('a',1) @@version USER() DATABASE() read_csv('x') COUNT(*) 🙂 （ ， 张""".split(),  # noqa: SIM905  a hundred quoted strings read worse
    *("/*!50000 ", "FOR UPDATE", "INTO OUTFILE '/x'", "\n", "\u00a0", "\x00", "(((((((((((", "NOT NOT NOT NOT NOT "),
)
FORBIDDEN = re.compile(
    r"[;@#]|--|/\*|\b(?:INTO|OUTFILE|DUMPFILE|LOAD_FILE|SLEEP|BENCHMARK|GET_LOCK|RELEASE_LOCK|INFORMATION_SCHEMA|"
    r"PERFORMANCE_SCHEMA|SYS\.|MYSQL\.|FOR\s+(?:UPDATE|SHARE)|PG_SLEEP|(?:READ_CSV|READ_PARQUET|READ_TEXT|GLOB)(?=\s*\()|"
    r"INSERT|DELETE|DROP|CREATE|ALTER|GRANT|CALL|ATTACH|COPY|PRAGMA|LOAD|INSTALL)\b",
    re.IGNORECASE,
)
TEXTS = re.compile(
    r"\bWITH\s+(?:RECURSIVE\s+)?\w+|\bAS\s+\w+|'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`|\"(?:[^\"]|\"\")*\"", re.DOTALL
)
TOKEN = re.compile(r"'[^']*'|\w+|\s+|.", re.DOTALL)
DIALECTS = ("mysql", "duckdb", "mariadb")
POLICY = Policy(
    salt="0123456789abcdef",
    roles=(
        Role(
            name="fuzz",
            allow=("*",),
            deny=("orders.discount", "employees.score"),
            filters=(
                RowFilter(table="orders", where="channel = :caller.channel"),
                RowFilter(table="refunds", where="order_id IN (SELECT o.id FROM orders o WHERE o.status = 1)"),
            ),
            masks=(
                Mask(column="customers.name", kind="hash"),
                Mask(column="customers.city", kind="partial", keep_first=1),
                Mask(column="orders.pay_amount", kind="bucket", size=10),
                Mask(column="payments.amount", kind="null"),
            ),
        ),
    ),
)
RIGHTS = Rights.of(sql_shop(), POLICY, Caller(role="fuzz", attributes={"channel": "a"}))
SHOP, SLOW_SECONDS, HANG_SECONDS = sql_shop(), 1.0, 20.0


def corpus() -> list[str]:
    """Attacks, and statements that people mean."""
    listed = list(HONEST)
    for entry in yaml.safe_load((CASES / "attacks.yaml").read_text(encoding="utf-8")).values():
        listed += [str(sql) for _, sql in (entry if isinstance(entry, list) else entry["statements"])]
    return listed


def mutated(rng: random.Random, seeds: list[str]) -> str:
    """One statement made of others."""
    parts = TOKEN.findall(rng.choice(seeds)) or [""]
    for _ in range(rng.choice((1, 1, 1, 1, 1, 2, 3, 8))):
        parts = rng.choice(MUTATIONS)(rng, parts, seeds) or [""]
    return "".join(parts)[:6000]


def _insert(rng: random.Random, parts: list[str], _: list[str]) -> list[str]:
    at = rng.randrange(len(parts) + 1)
    return [*parts[:at], " ", rng.choice(BITS), " ", *parts[at:]]


def _replace(rng: random.Random, parts: list[str], _: list[str]) -> list[str]:
    at = rng.randrange(len(parts))
    return [*parts[:at], rng.choice(BITS), *parts[at + 1 :]]


def _delete(rng: random.Random, parts: list[str], _: list[str]) -> list[str]:
    at = rng.randrange(len(parts))
    return parts[:at] + parts[at + rng.randint(1, 4) :]


def _repeat(rng: random.Random, parts: list[str], _: list[str]) -> list[str]:
    at, size = rng.randrange(len(parts)), rng.randint(1, 8)
    return parts[:at] + parts[at : at + size] * rng.choice((2, 3, 40, 300)) + parts[at + size :]


def _splice(rng: random.Random, parts: list[str], seeds: list[str]) -> list[str]:
    other = TOKEN.findall(rng.choice(seeds)) or [""]
    return [*parts[: rng.randrange(len(parts) + 1)], " ", *other[rng.randrange(len(other)) :]]


def _nest(rng: random.Random, parts: list[str], seeds: list[str]) -> list[str]:
    at = rng.randrange(len(parts) + 1)
    return [*parts[:at], " (", rng.choice(seeds), ") ", *parts[at:]]


def _noise(rng: random.Random, parts: list[str], _: list[str]) -> list[str]:
    at = rng.randrange(len(parts))
    letters = [chr(ord(c) ^ (1 << rng.randrange(7))) if rng.random() < 0.3 else c for c in parts[at]]
    return [*parts[:at], "".join(letters), *parts[at + 1 :]]


MUTATIONS = (_insert, _insert, _replace, _replace, _delete, _repeat, _splice, _nest, _noise)


def examine(sql: str, dialect: str) -> tuple[str, str]:
    """What the guard made of it: an outcome, and what is wrong with it (nothing, if all is well)."""
    start = time.process_time()
    try:
        once = admit(sql, catalog=SHOP, dialect=dialect, limits=Limits())
    except UnsafeSql as refusal:
        slow = time.process_time() - start > SLOW_SECONDS
        failed = refusal.message if refusal.reason_code == "guard_failed" else ""
        return refusal.reason_code, "slow" if slow else failed
    except BaseException as error:  # noqa: BLE001  anything else is what we look for
        return "raised", f"{type(error).__name__}: {error}"
    if time.process_time() - start > SLOW_SECONDS:
        return "admitted", "slow"
    if bad := FORBIDDEN.search(TEXTS.sub("''", once.sql)):
        return "admitted", f"holds {bad.group()}"
    try:
        again = admit(once.sql, catalog=SHOP, dialect=dialect, limits=Limits())
    except UnsafeSql as refusal:
        # Stars are written out, so it may have grown.
        return "admitted", "" if refusal.reason_code == "too_long" else f"not admitted again: {refusal.reason_code}"
    if again.sql != once.sql or again.tables != once.tables:
        return "admitted", "unstable"
    return under_policy(sql, "duckdb" if dialect == "duckdb" else "mysql")


def under_policy(sql: str, dialect: str) -> tuple[str, str]:
    """What becomes of an admitted statement when rows and columns are hidden from its caller."""
    try:
        rewriting = RIGHTS.rewriting(dialect)
        cut = admit(sql, catalog=RIGHTS.view, dialect=dialect, limits=Limits(), rewrite=rewriting)
    except UnsafeSql as refusal:
        failed = refusal.message if refusal.reason_code == "guard_failed" else ""
        return f"admitted, under a policy {refusal.reason_code}", failed
    except BaseException as error:  # noqa: BLE001  anything else is what we look for
        return "raised", f"{type(error).__name__}: {error}"
    try:
        verify(cut.sql, dialect=dialect, catalog=RIGHTS.whole, policy=RIGHTS.policy, caller=RIGHTS.caller)
    except UnsafeSql as refusal:
        return "admitted, not proven", refusal.message if "failed" in refusal.message else ""
    return "admitted and proven", ""


def work(seconds: float, seed: int) -> None:
    """The child: announces each statement before it is examined, then what came of it."""
    rng, seeds, end = random.Random(seed), corpus(), time.monotonic() + seconds
    while time.monotonic() < end:
        sql, dialect = mutated(rng, seeds), rng.choice(DIALECTS)
        print(json.dumps([dialect, sql]), flush=True)
        print(json.dumps(examine(sql, dialect)), flush=True)


def run(seconds: float, seed: int) -> tuple[Counter[str], list[dict[str, Any]]]:
    """Counts by outcome, and the findings."""
    outcomes: Counter[str] = Counter()
    found: list[dict[str, Any]] = []
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        command = [sys.executable, __file__, "--work", "--seconds", f"{left}", "--seed", f"{seed}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0) as child:
            last = _listen(child, outcomes, found)
            child.kill()
        if last is not None and end - time.monotonic() > 0:
            outcomes["ended"] += 1
            found.append({"problem": f"crash or hang, exit {child.returncode}", "statement": last})
        seed += 1
    return outcomes, found


def _listen(child: "subprocess.Popen[bytes]", outcomes: Counter[str], found: list[dict[str, Any]]) -> Any:
    """Read until the child ends or has been silent too long; the statement it was at, if it did not finish it."""
    last: Any = None
    assert child.stdout is not None  # noqa: S101  it is a pipe
    while select.select([child.stdout], [], [], HANG_SECONDS)[0] and (line := child.stdout.readline()):
        told = json.loads(line)
        if last is None:
            last = told
            continue
        outcomes[told[0]] += 1
        if told[1]:
            found.append({"problem": told[1], "statement": last})
        last = None
    return last


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--found", type=Path)
    parser.add_argument("--work", action="store_true")
    options = parser.parse_args()
    if options.work:
        work(options.seconds, options.seed)
        return 0
    outcomes, found = run(options.seconds, options.seed)
    for outcome, count in outcomes.most_common():
        print(f"{count:9} {outcome}")
    kinds = Counter(each["problem"][:60] for each in found)
    print(f"{sum(outcomes.values())} statements, {len(found)} findings {dict(kinds)}")
    if options.found:
        options.found.write_text("\n".join(json.dumps(each, ensure_ascii=False) for each in found), encoding="utf-8")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
