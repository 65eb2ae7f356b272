"""Measure schema linking: how many of the gold tables and columns are among the first few found. No model call."""

import asyncio
import json as json_module
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table as View

from data_agent.domain.catalog import Catalog
from data_agent.evaluation.linking import COLUMNS_AT, TABLES_AT, Found, Linker, load_cases, load_schemas, measure
from data_agent.indexing.texts import joined_names, texts_of
from data_agent.linking.link import link
from data_agent.options import Options
from data_agent.ports.recall import IndexStamp
from data_agent.reading.keywords import keywords
from data_agent.reading.lexicon import Lexicon
from repositories.embedded.column_index import EmbeddedColumnIndex
from repositories.embedded.embedder import USE3Embedder
from scripts.show import out


def eval_linking(
    folder: Annotated[Path, typer.Argument(help="A folder with cases.jsonl and schema/*.json.")],
    ids: Annotated[
        Path | None, typer.Option(help="Only the questions whose ids stand in this file, one a line.")
    ] = None,
    pool: Annotated[bool, typer.Option(help="All databases in one catalog instead of each alone.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Recall of gold tables at 5/10/20 and columns at 5/10/20/50, in percent, for each source and language."""
    wanted = ids.read_text(encoding="utf-8").split() if ids else None
    report = asyncio.run(measured(folder, wanted, pool))
    if json:
        print(json_module.dumps(report, ensure_ascii=False))  # noqa: T201
    else:
        out.print(view(report))
    return 0


async def measured(folder: Path, wanted: list[str] | None, pool: bool) -> dict[str, Any]:
    """The report, measured on indexes that are made for it and thrown away."""
    embedder = USE3Embedder(cache_size=50_000)
    with tempfile.TemporaryDirectory() as scratch:

        async def opened(catalog: Catalog) -> Linker:
            return await linker(catalog, embedder, Path(scratch) / catalog.name)

        return await measure(load_cases(folder, wanted), load_schemas(folder), opened, pool)


async def linker(catalog: Catalog, embedder: USE3Embedder, folder: Path) -> Linker:
    """Index a catalog as `data-agent index` would and link as the graph does."""
    index = EmbeddedColumnIndex(folder, embedder.name, embedder.dimension)
    texts = texts_of(catalog)
    stamp = IndexStamp(catalog_version=catalog.version, model=embedder.name, dimension=embedder.dimension)
    described = await embedder.embed([text.text for text in texts])
    await index.replace(stamp, texts, described, await embedder.embed([joined_names(text) for text in texts]))
    lexicon = Lexicon.of(catalog)

    async def found(question: str) -> Found:
        words = keywords(question, lexicon)
        vectors = await embedder.embed([question, *words])
        linked = link(await index.search(vectors, words, Options().recall_limit), catalog, words)
        return Found(tables=tuple(name for name, _ in linked.tables), columns=tuple(name for name, _ in linked.columns))

    return found


def view(report: dict[str, Any]) -> View:
    """The report for eyes."""
    table = View("source", "lang", "questions", "tables @5/10/20", "columns @5/10/20/50")
    for row in report["results"]:
        cells = ["/".join(str(row["tables"][str(k)]) for k in TABLES_AT)]
        cells.append("/".join(str(row["columns"][str(k)]) for k in COLUMNS_AT))
        table.add_row(row["source"], row["lang"], str(row["questions"]), *cells)
    return table
