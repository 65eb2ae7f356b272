"""What a DuckDB exception means: a complaint about the SQL is data, everything else is an outage."""

from pathlib import Path

import duckdb

from data_agent.errors import WarehouseUnavailable

OUTAGES = (
    duckdb.IOException,
    duckdb.PermissionException,
    duckdb.ConnectionException,
    duckdb.FatalException,
    duckdb.InternalException,
    duckdb.OutOfMemoryException,
    duckdb.ResourceInUseException,
    duckdb.TransactionException,
    duckdb.InterruptException,
)


def complaint(error: duckdb.Error) -> str:
    """The reason without the picture of the statement that follows it."""
    return str(error).partition("\n\nLINE ")[0].strip()


def code(error: duckdb.Error) -> str:
    """The kind of complaint, e.g. `BinderException`."""
    return type(error).__name__


def outage(error: duckdb.Error, name: str) -> WarehouseUnavailable | None:
    """The error to raise when `error` is no complaint about the SQL, else None."""
    if isinstance(error, duckdb.OutOfMemoryException):
        hint = "ask for fewer groups, or raise the warehouse's memory limit · 请减少分组，或调高内存上限"
        return WarehouseUnavailable(f"{name} ran out of memory", hint=hint)
    if isinstance(error, OUTAGES):
        return WarehouseUnavailable(f"{name} could not finish the statement ({code(error)})", hint=CHECK)
    return None


CHECK = "run data-agent doctor · 请运行 data-agent doctor 检查"


def cannot_open(error: duckdb.Error, name: str, file: Path) -> WarehouseUnavailable:
    """Why the file could not be opened, and the mend."""
    if not file.exists():
        hint = "build it with make demo (or: data-agent demo) · 请先运行 make demo 或 data-agent demo"
        return WarehouseUnavailable(f"{name}: there is no file {file}", hint=hint)
    if isinstance(error, duckdb.ConnectionException):
        hint = "close the connection that writes to it first · 请先关闭写入该文件的连接"
        return WarehouseUnavailable(f"{name}: this program holds {file} open for writing", hint=hint)
    if isinstance(error, duckdb.InvalidInputException):
        hint = "give both warehouses the same time_zone · 请给同一文件的各库设置相同的 time_zone"
        return WarehouseUnavailable(f"{name}: this program has {file} open with another time zone", hint=hint)
    if "lock" in str(error).casefold():
        hint = "stop the program that writes to it · 请先停止正在写入该文件的程序"
        return WarehouseUnavailable(f"{name}: another program holds {file} open for writing", hint=hint)
    hint = "is it a DuckDB file, and readable? build it again with make demo · 请确认是可读的 DuckDB 文件"
    return WarehouseUnavailable(f"{name}: {file} cannot be opened ({code(error)})", hint=hint)
