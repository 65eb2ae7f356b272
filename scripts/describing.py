"""Ask the model for descriptions and names of what has none; its answers are proposals, marked as such."""

import asyncio

from pydantic import BaseModel

from api.bootstrap import open_llm
from api.settings import Settings
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Proposal, Table
from data_agent.errors import DataAgentError, ModelNotConfigured
from data_agent.ports.llm import Llm
from data_agent.prompts import render
from scripts.show import err

PARALLEL = 4
MOST_COLUMNS = 40


class Said(BaseModel):
    """What the model says of one table or column."""

    description: str = ""
    aliases: list[str] = []


class SaidOfTable(BaseModel):
    """What the model says of a table and its columns, by name."""

    table: Said = Said()
    columns: dict[str, Said] = {}


async def described(catalog: Catalog, settings: Settings) -> Catalog:
    """The catalog with proposals on what has no description yet; a table the model fails on stays as it is.

    Raises:
        ModelNotConfigured: no model is set up.
    """
    llm = open_llm(settings.llm)
    if llm is None:
        hint = "set llm.base_url and llm.models, or leave --describe out · 请配置模型，或去掉 --describe"
        raise ModelNotConfigured("--describe needs a language model and none is set up", hint=hint)
    slots = asyncio.Semaphore(PARALLEL)
    try:
        tables = await asyncio.gather(*(_table(table, llm, slots) for table in catalog.tables))
    finally:
        await llm.close()
    return catalog.model_copy(update={"tables": tuple(tables)})


async def _table(table: Table, llm: Llm, slots: asyncio.Semaphore) -> Table:
    listed = "\n".join(
        f"- {c.name} ({c.type}): {c.description} {', '.join(c.examples[:3])}" for c in table.columns[:MOST_COLUMNS]
    )
    prompt = render("describe_table", "zh", table=table.name, description=table.description, columns=listed)
    async with slots:
        try:
            said, _ = await llm.structured(prompt, SaidOfTable, "fast")
        except DataAgentError as error:
            err.print(f"! {table.name}: not described: {error.message}", style="yellow", markup=False)
            return table
    return proposed(table, said)


def proposed(table: Table, said: SaidOfTable) -> Table:
    """The table with what was said as proposals; names that do not exist are ignored, written texts never touched."""
    by_name = {name.casefold(): each for name, each in said.columns.items()}
    columns = tuple(
        column.model_copy(update={"proposed": _proposal(by_name.get(column.name.casefold()), column.description)})
        for column in table.columns
    )
    return table.model_copy(update={"columns": columns, "proposed": _proposal(said.table, table.description)})


def _proposal(said: Said | None, written: str) -> Proposal | None:
    if said is None:
        return None
    aliases = tuple(dict.fromkeys(alias.strip() for alias in said.aliases if alias.strip()))[:6]
    description = "" if written else said.description.strip()[:300]
    return Proposal(description=description, aliases=aliases) if description or aliases else None
