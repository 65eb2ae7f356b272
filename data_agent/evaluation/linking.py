"""How many of the tables and columns a question needs are among the first few that linking finds."""

import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen
from data_agent.domain.schema import Column, Relationship, Table
from data_agent.errors import InvalidInput

TABLES_AT = (5, 10, 20)
COLUMNS_AT = (5, 10, 20, 50)


class LinkingCase(Frozen):
    """A question with the tables and columns (`table.column`) its gold statement reads. `database` names the schema."""

    id: str
    question: str
    language: str
    source: str
    database: str
    tables: tuple[str, ...]
    columns: tuple[str, ...]


class Found(Frozen):
    """Names of tables and of columns (`table.column`), likeliest first."""

    tables: tuple[str, ...]
    columns: tuple[str, ...]


Linker = Callable[[str], Awaitable[Found]]
Opener = Callable[[Catalog], Awaitable[Linker]]


def load_cases(folder: Path, ids: Iterable[str] | None = None) -> list[LinkingCase]:
    """The questions of `cases.jsonl`, all or those with the given ids.

    Raises:
        InvalidInput: the file is missing or a line cannot be read.
    """
    wanted = None if ids is None else set(ids)
    cases = [_case(number, line) for number, line in _lines(folder / "cases.jsonl")]
    return [case for case in cases if wanted is None or case.id in wanted]


def load_schemas(folder: Path) -> dict[str, Catalog]:
    """One catalog for each file of `schema/`, by database name."""
    files = sorted((folder / "schema").glob("*.json"))
    if not files:
        raise InvalidInput(f"{folder / 'schema'} holds no *.json", hint="give a folder with cases.jsonl and schema/")
    catalogs = (_catalog(json.loads(file.read_text(encoding="utf-8"))) for file in files)
    return {catalog.name: catalog for catalog in catalogs}


def pooled(catalogs: dict[str, Catalog]) -> Catalog:
    """All databases in one catalog: `database.table`, the database being the domain."""
    tables = tuple(_moved(table, name) for name, catalog in catalogs.items() for table in catalog.tables)
    links = tuple(
        link.model_copy(update={"from_table": f"{name}.{link.from_table}", "to_table": f"{name}.{link.to_table}"})
        for name, catalog in catalogs.items()
        for link in catalog.relationships
    )
    return Catalog(name="pool", version="pool", tables=tables, relationships=links)


async def measure(
    cases: Sequence[LinkingCase], catalogs: dict[str, Catalog], opened: Opener, pool: bool
) -> dict[str, Any]:
    """The report of one run: mean recall in percent for each source and language."""
    recalls: dict[tuple[str, str], list[tuple[list[float], list[float]]]] = defaultdict(list)
    linkers: dict[str, Linker] = {}
    whole = await opened(pooled(catalogs)) if pool else None
    for case in cases:
        if whole is None and case.database not in linkers:
            linkers[case.database] = await opened(_schema_of(case, catalogs))
        found = await (whole or linkers[case.database])(case.question)
        before = f"{case.database}." if pool else ""
        tables = recall([before + name for name in case.tables], found.tables, TABLES_AT)
        columns = recall([before + name for name in case.columns], found.columns, COLUMNS_AT)
        recalls[case.source, case.language].append((tables, columns))
    return {"results": [_row(source, lang, rows) for (source, lang), rows in recalls.items()]}


def recall(gold: Sequence[str], found: Sequence[str], at: Sequence[int]) -> list[float]:
    """The share of `gold` among the first k of `found` for each k, in percent, letter case ignored."""
    wanted = {name.casefold() for name in gold}
    if not wanted:
        return [100.0] * len(at)
    names = [name.casefold() for name in found[: max(at)]]
    return [100.0 * len(wanted & set(names[:k])) / len(wanted) for k in at]


def _row(source: str, language: str, rows: Sequence[tuple[list[float], list[float]]]) -> dict[str, Any]:
    return {
        "source": source,
        "lang": language,
        "questions": len(rows),
        "tables": _means([tables for tables, _ in rows], TABLES_AT),
        "columns": _means([columns for _, columns in rows], COLUMNS_AT),
    }


def _means(rows: Sequence[Sequence[float]], at: Sequence[int]) -> dict[str, float]:
    return {str(k): round(sum(row[place] for row in rows) / len(rows), 1) for place, k in enumerate(at)}


def _schema_of(case: LinkingCase, catalogs: dict[str, Catalog]) -> Catalog:
    if case.database not in catalogs:
        raise InvalidInput(f"{case.id}: no schema file describes the database {case.database}")
    return catalogs[case.database]


def _lines(file: Path) -> Iterable[tuple[int, str]]:
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}", hint="give a folder with cases.jsonl") from error
    return ((number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())


def _case(number: int, line: str) -> LinkingCase:
    try:
        held = json.loads(line)
        return LinkingCase(
            id=held["id"],
            question=held["question"],
            language=held["lang"],
            source=held["source"],
            database=held["mysql_db"],
            tables=held["gold_tables"],
            columns=held["gold_columns"],
        )
    except (KeyError, ValueError) as error:
        raise InvalidInput(f"cases.jsonl, line {number}: {error!r}") from error


def _catalog(schema: dict[str, Any]) -> Catalog:
    links = (
        Relationship(from_table=left, from_columns=(key,), to_table=right, to_columns=(other,))
        for left, key, right, other in schema.get("fks", ())
    )
    return Catalog(
        name=schema["mysql_db"],
        version=schema["mysql_db"],
        tables=tuple(_table(table) for table in schema["tables"]),
        relationships=tuple(links),
    )


def _table(held: dict[str, Any]) -> Table:
    columns = tuple(
        Column(
            table=held["name"],
            name=column["name"],
            type=column["type"],
            description=column.get("comment") or "",
            role="primary_key" if column.get("pk") else "dimension",
        )
        for column in held["columns"]
    )
    return Table(name=held["name"], description=held.get("comment") or "", columns=columns)


def _moved(table: Table, database: str) -> Table:
    name = f"{database}.{table.name}"
    columns = tuple(column.model_copy(update={"table": name}) for column in table.columns)
    return table.model_copy(update={"name": name, "columns": columns, "domain": database})
