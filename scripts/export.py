"""Write a catalog in another tool's form: `export dbt CATALOG`, `export ossie CATALOG`."""

from pathlib import Path
from typing import Annotated

import typer

from data_agent.catalog.load import load_catalog
from data_agent.errors import InvalidInput
from data_agent.exchange.dbt.write import export_dbt
from data_agent.exchange.ossie.write import export_ossie
from scripts.show import err, out

WRITERS = {"dbt": export_dbt, "ossie": export_ossie}


def export(
    kind: Annotated[str, typer.Argument(help="`dbt` or `ossie`.")],
    path: Annotated[Path, typer.Argument(help="A catalog file or folder.")],
    folder: Annotated[Path | None, typer.Option("--out", help="The folder to write; else `dbt`, `ossie`.")] = None,
    force: Annotated[bool, typer.Option(help="Replace files that are there.")] = False,
) -> int:
    """Export. What the other form has no place for is listed with its reason."""
    if kind not in WRITERS:
        raise InvalidInput(f"cannot export `{kind}`; known: {', '.join(WRITERS)}")
    target = folder or Path(kind)
    made = WRITERS[kind](load_catalog(path)[0])
    there = [name for name in made.files if (target / name).exists()]
    if there and not force:
        raise InvalidInput(f"{target / there[0]} is there already", hint="choose another --out, or give --force")
    for name, text in made.files.items():
        file = target / name
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f".{file.name}.new")
        draft.write_text(text, encoding="utf-8")
        draft.replace(file)
    for each in made.left_out:
        err.print(
            f"! not exported: {each.what}: {each.why}", style="yellow", markup=False, highlight=False, soft_wrap=True
        )
    out.print(
        f"{target}: {len(made.files)} files, {len(made.left_out)} left out",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    return 0
