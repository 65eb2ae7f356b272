"""What a MySQL-protocol error number means: a complaint about the SQL is data, everything else is an outage.

The server's own text goes into complaints only. An outage is told in our words, so that no login, address or password
can reach a reader.
"""

import pymysql.err
import sqlalchemy.exc

from data_agent.errors import DependencyError, WarehouseTimeout, WarehouseUnavailable

DriverError = (sqlalchemy.exc.DBAPIError, pymysql.err.MySQLError)
"""What executing can raise: SQLAlchemy's wrapping, and the driver's own while rows are read."""

TIMED_OUT = frozenset({3024, 1969})
LOST = frozenset({0, 2006, 2013, 2014, 2027, 2055, 1053, 1077, 1079, 1927, 4031})
LOGIN = frozenset({1045, 1130, 1251, 1698, 1820, 1862, 2049, 2059, 2061, 3118, 3955})
DATABASE = frozenset({1044, 1049})
FORBIDDEN = frozenset({1044, 1142, 1143, 1227, 1370})
FULL = frozenset({1040, 1041, 1129, 1135, 1203, 1226})
BROKEN = frozenset(
    {3, 5, 9, 23, 24, 28, 126, 127, 1015, 1016, 1021, 1030, 1034, 1035, 1037, 1038, 1114, 1194, 1195, 1317}
)
ZONE = 1298
VIEW_HIDDEN = 1345
"""EXPLAIN of a view needs SHOW VIEW, although the query itself may run."""


def number(error: BaseException) -> int:
    """The server's or client's error number; 0 when there is none."""
    first = getattr(error, "orig", None) or error
    code = first.args[0] if first.args else 0
    return code if isinstance(code, int) else 0


def text(error: BaseException) -> str:
    """The server's message, without number, statement or address."""
    first = getattr(error, "orig", None) or error
    return str(first.args[1]) if len(first.args) > 1 else str(first)


def is_lost(error: BaseException) -> bool:
    """Whether the connection broke, so that a read may be tried again on another one."""
    return number(error) in LOST


def unreachable(error: BaseException, name: str) -> DependencyError:
    """The error to raise when no connection could be made, whatever its number."""
    if (code := number(error)) in DATABASE:
        hint = "check the database at the end of the warehouse url · 请检查地址末尾的库名"
        return WarehouseUnavailable(f"{name} does not give its account that database (error {code})", hint=hint)
    return outage(error, name) or WarehouseUnavailable(
        f"{name} refused the connection (error {code})", hint="check the warehouse url · 请检查数据库地址"
    )


def outage(error: BaseException, name: str, seconds: float | None = None) -> DependencyError | None:
    """The error to raise when `error` is no complaint about the SQL, else None."""
    code = number(error)
    if code in TIMED_OUT:
        hint = "narrow the time range or ask for fewer groups · 请缩小时间范围，或减少分组"
        took = f" longer than {seconds:g} s" if seconds else " too long"
        return WarehouseTimeout(f"{name} ran the statement{took}; it was stopped", hint=hint)
    for codes, what, hint in OUTAGES:
        if code in codes:
            return WarehouseUnavailable(f"{name} {what} (error {code})", hint=hint)
    return None


OUTAGES: tuple[tuple[frozenset[int] | range, str, str], ...] = (
    (LOGIN, "refused the login", "check user, password and database of the warehouse url · 请检查账号、密码与库名"),
    (FORBIDDEN, "does not let its account read this", "GRANT SELECT on the catalog's tables · 请授予 SELECT 权限"),
    (FULL, "has no connection left", "try again in a moment, or raise max_connections · 请稍后重试"),
    (frozenset({ZONE}), "does not know the time zone", "load them with mysql_tzinfo_to_sql · 请在服务器导入时区表"),
    (LOST, "broke the connection", "is the server running? try again in a moment · 请确认数据库在运行后重试"),
    (
        range(2000, 2100),
        "cannot be reached",
        "is the server running, the url right? · 请确认数据库已启动、地址无误",
    ),
    (BROKEN, "could not finish the statement", "look into the server's log · 请查看数据库日志"),
)
