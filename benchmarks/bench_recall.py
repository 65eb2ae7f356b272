"""Recall at size: the three branches of the graph in parallel, embedding included, on what `bench_index` left behind.

Every question is new, so that nothing comes from a cache: a table's words, a column's, a stored value, in either
language. With an Elasticsearch address the values are put there too, and the same questions are asked again.

Usage: python -m benchmarks.bench_recall FOLDER [elasticsearch url]
"""

import asyncio
import random
import sys
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
from langgraph.runtime import Runtime

from api.bootstrap import open_outside, remembering
from api.settings import Settings, load_settings
from benchmarks.machine import machine_state, spread
from data_agent.catalog.load import load_catalog
from data_agent.context import DataAgentContext
from data_agent.domain.catalog import Catalog
from data_agent.domain.value import Value
from data_agent.indexing.values import ValueStream
from data_agent.nodes.recall_column import recall_column
from data_agent.nodes.recall_metric import recall_metric
from data_agent.nodes.recall_value import recall_value
from data_agent.ports.recall import IndexStamp, ValueIndex
from data_agent.reading.keywords import keywords
from data_agent.reading.lexicon import Lexicon
from data_agent.wording.names import said
from repositories.elasticsearch.value_index import ElasticsearchValueIndex

QUESTIONS, WARM_UP = 200, 10
DICE = random.Random(5)


def questions_of(catalog: Catalog, file: Path) -> list[tuple[str, str]]:
    """Questions with the stored value each one names."""
    made = []
    with duckdb.connect(file, read_only=True) as database:
        for number in range(QUESTIONS + WARM_UP):
            table = DICE.choice(catalog.tables)
            column = DICE.choice([column for column in table.columns if column.sync])
            row = database.execute(
                f'SELECT "{column.name}" FROM "{table.name}" LIMIT 1 OFFSET {number % 100}'
            ).fetchone()
            stored, noun, asked = str(row[0] if row else ""), said(table.name[:-5]), said(column.name)
            english = f"total amount of {noun} by {asked} where it is {stored} last month"
            made.append(
                (english if stored.isascii() else f"上个月{stored}的指标{number}按{column.aliases[0]}是多少", stored)
            )
    return made


async def opened(settings: Settings, catalog: Catalog) -> tuple[DataAgentContext, Any]:
    """What the nodes are given, and what is to be closed."""
    outside = await open_outside(settings)
    context = DataAgentContext(
        catalog=catalog,
        lexicon=remembering(Lexicon.of)(catalog),
        warehouse=outside.warehouse,
        column_index=outside.column_index,
        metric_index=outside.metric_index,
        value_index=outside.value_index,
        embedder=outside.embedder,
        clock=outside.clock,
    )
    return context, outside


class Branches:
    """The three nodes of recall, asked at once; milliseconds of all together, of each, and of the processor."""

    def __init__(self, context: DataAgentContext) -> None:
        self.context = context
        self.runtime = Runtime(context=context, stream_writer=lambda _event: None)
        self.together: list[float] = []
        self.processor: list[float] = []
        self.each: dict[str, list[float]] = {}

    async def ask(self, question: str) -> set[str]:
        """The stored values that were found."""
        state = {"query": question, "keywords": list(keywords(question, self.context.lexicon))}
        start, used = time.perf_counter(), time.process_time()
        nodes = (recall_column, recall_value, recall_metric)
        _, values, _ = await asyncio.gather(*(self._timed(node, state) for node in nodes))
        self.together.append((time.perf_counter() - start) * 1000)
        self.processor.append((time.process_time() - used) * 1000)
        return {value.text for value in values["recalled_values"] or ()}

    async def _timed(self, node: Any, state: Any) -> Any:
        start = time.perf_counter()
        found = await node(state, self.runtime)
        self.each.setdefault(node.__name__, []).append((time.perf_counter() - start) * 1000)
        return found


async def asked(name: str, context: DataAgentContext, questions: Sequence[tuple[str, str]]) -> None:
    """Ask every question once and tell the figures; the first ones only warm up."""
    branches = Branches(context)
    hits = [stored in await branches.ask(question) for question, stored in questions][WARM_UP:]
    print(f"{name}: {spread(branches.together[WARM_UP:])}; values found {sum(hits) / len(hits):.3f}")
    print(f"  processor {spread(branches.processor[WARM_UP:])}")
    for node, times in branches.each.items():
        print(f"  {node} {spread(times[WARM_UP:])}")


async def moved(index: ValueIndex, context: DataAgentContext) -> int:
    """The same values, read from the warehouse into another index."""
    stream = ValueStream(context.catalog, context.warehouse)

    async def batches() -> AsyncIterator[list[Value]]:
        async for batch in stream.batches():
            yield batch

    return await index.replace(IndexStamp(catalog_version="bench", model="", dimension=0), batches())


async def on_elasticsearch(url: str, context: DataAgentContext, questions: Sequence[tuple[str, str]]) -> None:
    """The values on the server, everything else as before; nothing is left there."""
    index = ElasticsearchValueIndex(url, alias="bench-recall-values", seconds=60)
    try:
        start = time.perf_counter()
        count = await moved(index, context)
        print(f"elasticsearch: {count} values put there in {time.perf_counter() - start:.1f} s")
        await asked("elasticsearch", replace(context, value_index=index), questions)
    finally:
        for build in await index.client.indices.get(index="bench-recall-values-*"):
            await index.client.indices.delete(index=build)
        await index.close()


async def main() -> None:
    folder = Path(sys.argv[1])
    settings = load_settings(folder / "settings.yaml")
    catalog, _ = load_catalog(settings.catalog)
    questions = questions_of(catalog, folder / "warehouse.duckdb")
    context, outside = await opened(settings, catalog)
    print(f"{len(catalog.tables)} tables, {len(catalog.metrics)} metrics; {machine_state()}")
    try:
        await asked("embedded", context, questions)
        if len(sys.argv) > 2:
            await on_elasticsearch(sys.argv[2], context, questions)
    finally:
        await outside.close()
    print(machine_state())


if __name__ == "__main__":
    asyncio.run(main())
