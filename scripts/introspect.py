"""Write a first catalog of a database, or bring one up to date without touching what a person wrote."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from pydantic import SecretStr, ValidationError
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from api.inspection import add_to_catalog, open_inspector, write_catalog, written_at
from api.settings import Settings, load_settings
from api.warehouse_settings import WarehouseSettings
from data_agent.catalog.load import load_catalog
from data_agent.domain.catalog import Catalog
from data_agent.errors import InvalidInput, InvalidSettings
from data_agent.introspection.introspect import introspect as introspected
from data_agent.introspection.merge import GoldenQuestion, Merge, merge
from data_agent.introspection.options import Introspected, IntrospectOptions, IntrospectProgress
from scripts.describing import described, model_of
from scripts.show import err, out

LABELS = {
    "declared": "declared · 声明",
    "samples": "samples · 抽样",
    "links": "keys · 关联",
    "catalog": "catalog · 目录",
}


def introspect(  # noqa: PLR0917  every option of the command
    warehouse: Annotated[
        str, typer.Option(help="mysql+pymysql://… or duckdb:///file, or a name in the settings.")
    ] = "",
    path: Annotated[Path, typer.Option("--out", help="The catalog file.")] = Path("catalog.yaml"),
    settings: Annotated[Path | None, typer.Option(help="A settings file.")] = None,
    name: Annotated[str, typer.Option(help="What to call the catalog; without it, the database's name.")] = "",
    sample: Annotated[int, typer.Option(min=10, max=100_000, help="Rows read of each table.")] = 2000,
    seconds: Annotated[float, typer.Option(min=0.1, help="Time limit for each table.")] = 5.0,
    describe: Annotated[bool, typer.Option(help="Let the model propose descriptions and aliases.")] = False,
    most: Annotated[int, typer.Option("--describe-most", min=1, help="Tables the model is asked about.")] = 200,
    golden: Annotated[Path | None, typer.Option(help="Golden questions (YAML, `question` and `sql`).")] = None,
) -> int:
    """Introspect a database. A file that is there already is added to, never overwritten."""
    options = IntrospectOptions(sample_rows=sample, table_seconds=seconds, name=name)
    told = load_settings(settings) if settings or "://" not in warehouse or describe else None
    questions = read_golden(golden) if golden else []
    llm = model_of(told) if describe and told else None  # before the database is read: nothing is half-done
    found = asyncio.run(_run(warehouse_of(warehouse, told), options))
    for skipped in found.skipped:
        err.print(f"! {skipped.what}: {skipped.why}", style="yellow", markup=False, highlight=False, soft_wrap=True)
    path = written_at(path)
    if path.exists():
        _bring_up_to_date(found, path, questions)
    else:
        path = write_catalog(found.catalog, path)
        out.print(summary(found.catalog, path, found.seconds), highlight=False, markup=False, soft_wrap=True)
    if llm:
        done, rest = asyncio.run(described(path, llm, most))
        more = f"; {rest} wait, run it again" if rest else ""
        out.print(f"proposed words for {done} tables{more} (see `proposed:`)", highlight=False, soft_wrap=True)
    return 0


def warehouse_of(url: str, settings: Settings | None) -> WarehouseSettings:
    """The warehouse of the address, else the one of that name in the settings, else the settings' only or first.

    Raises:
        InvalidSettings: the address names no warehouse we can read.
    """
    if settings and (not url or url in settings.each()):
        return settings.each()[url].warehouse if url else settings.warehouse
    try:
        database = make_url(url).database or ""
        return WarehouseSettings(url=SecretStr(url), name=Path(database).stem or "warehouse")
    except (ValidationError, ArgumentError):
        hint = "mysql+pymysql://reader:password@host:3306/shop or duckdb:///shop.duckdb"
        raise InvalidSettings("the warehouse url cannot be read · 数据库地址无法识别", hint=hint) from None


async def _run(warehouse: WarehouseSettings, options: IntrospectOptions) -> Introspected:
    inspector = open_inspector(warehouse)
    try:
        with _bars() as bars:
            return await introspected(inspector, options, Bars(bars))
    finally:
        await inspector.close()


def _bring_up_to_date(found: Introspected, path: Path, golden: list[GoldenQuestion]) -> None:
    written, _ = load_catalog(path)
    unread = [skipped.what for skipped in found.skipped if skipped.left_out]
    changes = merge(written, found.catalog, unread, golden)
    for line in report(changes):
        out.print(line, highlight=False, markup=False, soft_wrap=True)
    if changes.adds:
        for file in add_to_catalog(written, changes, path):
            out.print(f"written: {file}", highlight=False, markup=False, soft_wrap=True)
    else:
        out.print(f"nothing to add to {path} · 没有需要新增的内容", highlight=False, markup=False, soft_wrap=True)


def report(changes: Merge) -> list[str]:
    """Everything that changed, one line each."""
    lines = [f"+ table {table.name}" for table in changes.tables]
    lines += [f"+ column {column.id}" for column in changes.columns]
    lines += [f"+ relationship {link.from_table} → {link.to_table} ({link.evidence})" for link in changes.relationships]
    lines += [f"+ metric {metric.name}" for metric in changes.metrics]
    lines += [f"? renamed: {each.before} → {each.after} ({each.why}); rename it by hand" for each in changes.renames]
    for gone in changes.gone:
        lines.append(f"- gone: {gone.name}")
        lines += [f"    metric {name} needs it" for name in gone.metrics]
        lines += [f"    relationship {name} needs it" for name in gone.relationships]
        lines += [f"    golden question needs it: {question}" for question in gone.questions]
    lines += [f"~ {line}" for line in changes.retyped]
    lines += [f"? not in the catalog: {'; '.join(link_lines(link))}" for link in changes.offers]
    return lines


def link_lines(link: Any) -> tuple[str, str]:
    """A relationship and its evidence."""
    sides = [f"{t}.{','.join(c)}" for t, c in ((link.from_table, link.from_columns), (link.to_table, link.to_columns))]
    return " → ".join(sides), link.evidence or "declared in the database"


def summary(catalog: Catalog, path: Path, seconds: float) -> str:
    """One line on what was written."""
    inferred = sum(link.inferred for link in catalog.relationships)
    return (
        f"{path}: {len(catalog.tables)} tables, {sum(len(t.columns) for t in catalog.tables)} columns, "
        f"{len(catalog.relationships)} relationships ({inferred} inferred), {len(catalog.metrics)} candidate metrics "
        f"in {seconds:.1f} s"
    )


def read_golden(path: Path) -> list[GoldenQuestion]:
    """Questions with their statements.

    Raises:
        InvalidInput: the file cannot be read as a list of questions.
    """
    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InvalidInput(f"{path}: cannot be read as YAML ({type(error).__name__})") from error
    if not isinstance(entries, list):
        raise InvalidInput(f"{path}: golden questions are a list of `question` and `sql`")
    with_sql = (entry for entry in entries if isinstance(entry, dict) and entry.get("sql"))
    return [GoldenQuestion(question=str(each.get("question", "")), sql=str(each["sql"])) for each in with_sql]


class Bars:
    """Shows each part's progress as a bar of its own."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, progress: IntrospectProgress) -> None:
        """Move a bar."""
        if progress.part not in self._tasks:
            self._tasks[progress.part] = self._bars.add_task(LABELS[progress.part], total=progress.total, detail="")
        task = self._tasks[progress.part]
        self._bars.update(task, completed=progress.done, total=progress.total, detail=progress.detail)


def _bars() -> Progress:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TextColumn("{task.fields[detail]}"), TimeElapsedColumn(), console=err, transient=True)
