"""What an account may do beyond reading, from the lines of SHOW GRANTS, and the statement that takes it away."""

import re
from typing import NamedTuple

READING = frozenset({"USAGE", "SELECT", "SHOW VIEW"})
_GRANT = re.compile(r"GRANT (?P<rights>.+?) ON (?P<where>\S+) TO (?P<who>.+?)(?P<with>\s+WITH .*)?$", re.IGNORECASE)
_COLUMNS = re.compile(r"\s*\([^)]*\)")
_SERVER_WIDE = "*.*"


class Excess(NamedTuple):
    """Rights that a reading account has no use for; `mend` takes them away."""

    rights: tuple[str, ...]
    where: str
    mend: str


def excess(grants: tuple[str, ...]) -> list[Excess]:
    """Everything in `grants` that is more than SELECT and SHOW VIEW on named schemas.

    SELECT on the whole server counts too: it opens the system schemas.
    """
    return [found for line in grants if (found := _of(line)) is not None]


def _of(line: str) -> Excess | None:
    match = _GRANT.match(line.strip())
    if match is None:
        return None
    who, where = match["who"].split(" IDENTIFIED ")[0].strip(), match["where"]
    rights = [_COLUMNS.sub("", each).strip().upper() for each in re.split(r",(?![^(]*\))", match["rights"])]
    more = [right for right in rights if right not in READING]
    if where == _SERVER_WIDE and "SELECT" in rights:
        more.append("SELECT")
    if "GRANT OPTION" in (match["with"] or "").upper():
        more.append("GRANT OPTION")
    if not more:
        return None
    return Excess(tuple(more), where, f"REVOKE {', '.join(more)} ON {where} FROM {who};")
