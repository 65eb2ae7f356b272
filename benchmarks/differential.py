"""Random queries under a policy against the same on a copy without what the policy hides; no difference is allowed.

Usage: python -m benchmarks.differential [COUNT] [SEED] [MYSQL_URL]   (in the checkout; MySQL only when given)
"""

import random
import sys
import time

from tests.cases.policy_databases import in_duckdb, in_mysql
from tests.cases.policy_differential import Tally, compare
from tests.cases.policy_queries import Maker


def tell(name: str, tally: Tally, seconds: float) -> int:
    print(
        f"{name}: {tally.compared} equal ({tally.with_rows} with rows), {len(tally.differences)} different, "
        f"{tally.refused} refused alike, {tally.failed} failed alike, {tally.broke} broke MySQL; {seconds:.0f} s"
    )
    print("  ", dict(tally.complaints.most_common(12)))
    print("\n".join(tally.differences[:10]))
    return len(tally.differences)


def main(count: int = 5000, seed: int = 20260701, mysql_url: str = "") -> int:
    different = 0
    for name, opened in (("duckdb", in_duckdb()), *([("mysql", in_mysql(mysql_url))] if mysql_url else [])):
        maker, start = Maker(random.Random(seed)), time.perf_counter()
        with opened as (on_all, on_copy):
            tally = compare((maker.statement() for _ in range(count)), on_all, on_copy, name)
        different += tell(name, tally, time.perf_counter() - start)
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3]), *sys.argv[3:4]))
