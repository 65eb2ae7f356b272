"""Ask the model for descriptions and names of what has none; its answers are proposals, marked as such, never facts."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence

from pydantic import BaseModel, Field

from data_agent.domain.catalog import Catalog
from data_agent.domain.language import language_of
from data_agent.domain.schema import Column, Proposal, Table
from data_agent.errors import DataAgentError
from data_agent.ports.llm import Llm
from data_agent.prompts import render

PARALLEL = 2
AT_ONCE = 20
MOST_NAME, MOST_CHARS = 40, 300


class Said(BaseModel):
    """What the model says of one table or column: a description, and what people call it in either language."""

    name: str = ""
    description: str = ""
    zh: str = ""
    en: str = ""


class SaidOfTable(BaseModel):
    """What the model says of a table and its columns."""

    table: Said = Said()
    columns: list[Said] = Field([], max_length=2 * AT_ONCE)


def waiting(catalog: Catalog) -> list[Table]:
    """Tables that no model was asked about yet and that want words: so a run that was stopped goes on where it was."""
    return [t for t in catalog.tables if not _asked(t) and _wanting(t)]


def _wanting(table: Table) -> bool:
    return wants_words(table) or any(wants_words(column) for column in table.columns)


def _asked(table: Table) -> bool:
    return table.proposed is not None or any(column.proposed for column in table.columns)


def wants_words(part: Table | Column) -> bool:
    """Whether its description is missing, or names in Chinese or in English are."""
    return not part.description or {language_of(alias) for alias in part.aliases} != {"zh", "en"}


async def proposals(tables: Sequence[Table], llm: Llm) -> AsyncGenerator[Table | DataAgentError, None]:
    """Each table with its proposals as soon as they are there, or why the model failed on it."""
    slots = asyncio.Semaphore(PARALLEL)

    async def one(table: Table) -> Table | DataAgentError:
        async with slots:
            try:
                return await _asked_for(table, llm)
            except DataAgentError as error:
                return type(error)(f"{table.name}: {error.message}", hint=error.hint)

    tasks = [asyncio.create_task(one(table)) for table in tables]
    try:
        for done in asyncio.as_completed(tasks):
            yield await done
    finally:
        for task in tasks:
            task.cancel()


async def _asked_for(table: Table, llm: Llm) -> Table:
    """Few columns at a time, so that a reply is not cut; keys explain themselves."""
    columns = [c for c in table.columns if wants_words(c) and c.role != "foreign_key"]
    whole = SaidOfTable()
    for start in range(0, max(len(columns), 1), AT_ONCE):
        said, _ = await llm.structured(_prompt(table, columns[start : start + AT_ONCE]), SaidOfTable, "fast")
        whole.columns += said.columns
        whole.table = whole.table if whole.table.description else said.table
    return proposed(table, whole)


def _prompt(table: Table, columns: Iterable[Column]) -> str:
    listed = "\n".join(f"- {c.name} ({c.type}): {c.description} {', '.join(c.examples[:3])}" for c in columns)
    return render("describe_table", "zh", table=table.name, description=table.description, columns=listed)


def proposed(table: Table, said: SaidOfTable) -> Table:
    """The table with what was said as proposals; names that do not exist are ignored, written texts never touched."""
    by_name = {each.name.casefold(): each for each in said.columns}
    columns = tuple(
        c.model_copy(update={"proposed": _proposal(by_name.get(c.name.casefold()), c)}) for c in table.columns
    )
    own = _proposal(said.table, table) or Proposal()  # an empty one says that the model was asked
    return table.model_copy(update={"columns": columns, "proposed": own})


def _proposal(said: Said | None, part: Table | Column) -> Proposal | None:
    if said is None:
        return None
    known = {"", part.name.casefold(), *(alias.casefold() for alias in part.aliases)}
    names = (" ".join(name.split())[:MOST_NAME] for name in (said.zh, said.en))
    aliases = tuple(dict.fromkeys(name for name in names if name.casefold() not in known))
    description = "" if part.description else " ".join(said.description.split())[:MOST_CHARS]
    return Proposal(description=description, aliases=aliases) if description or aliases else None
