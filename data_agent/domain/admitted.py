"""The only form of SQL that may reach the warehouse."""

from data_agent.domain.frozen import Frozen


class AdmittedSql(Frozen):
    """A statement the guard let through: the re-rendered tree, never the text that came in.

    Only `data_agent.sql.admit.admit` makes one (a test walks the code). `limit` is the row cap in force,
    `capped` says that this cap is ours (added, or lower than the one asked for), so a result that fills it may have
    been cut. `unjoined` are sources that no condition joins to the others.
    `tables` and `columns` (`table.column`) are the base ones it reads, `repairs` says what was changed.
    """

    sql: str
    dialect: str
    tables: tuple[str, ...]
    columns: tuple[str, ...] = ()
    limit: int | None = None
    capped: bool = False
    repairs: tuple[str, ...] = ()
    unjoined: tuple[str, ...] = ()


class Plan(Frozen):
    """What EXPLAIN said: a `complaint` to correct from, or an estimate of the rows read (None: not known)."""

    complaint: str | None = None
    code: int | str | None = None
    estimated_rows: int | None = None
