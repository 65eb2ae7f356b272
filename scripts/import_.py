"""Read a model from another tool into a catalog file: `import dbt PATH`, `import ossie FILE`."""

from pathlib import Path
from typing import Annotated

import typer

from api.inspection import write_catalog
from data_agent.errors import InvalidInput
from data_agent.exchange.dbt.read import import_dbt
from data_agent.exchange.ossie.read import import_ossie
from scripts.show import err, out

READERS = {"dbt": import_dbt, "ossie": import_ossie}


def import_(
    kind: Annotated[str, typer.Argument(help="`dbt` or `ossie`.")],
    path: Annotated[Path, typer.Argument(help="A dbt project folder or manifest; an Ossie core document.")],
    target: Annotated[Path, typer.Option("--out", help="The catalog file to write.")] = Path("catalog.yaml"),
    name: Annotated[str, typer.Option(help="Name of the catalog; of an Ossie file also the model to take.")] = "",
    force: Annotated[bool, typer.Option(help="Replace a file that is there.")] = False,
) -> int:
    """Import. What could not be carried over is listed with its reason."""
    if kind not in READERS:
        raise InvalidInput(f"cannot import `{kind}`; known: {', '.join(READERS)}")
    if target.exists() and not force:
        raise InvalidInput(f"{target} is there already", hint="choose another --out, or give --force")
    found = READERS[kind](path, name)
    target = write_catalog(found.catalog, target)
    for each in found.left_out:
        err.print(
            f"! not imported: {each.what}: {each.why}", style="yellow", markup=False, highlight=False, soft_wrap=True
        )
    counts = f"{len(found.catalog.tables)} tables, {len(found.catalog.metrics)} metrics"
    out.print(f"{target}: {counts}, {len(found.left_out)} left out", markup=False, highlight=False, soft_wrap=True)
    return 0
