"""Open a look into a warehouse, and write a catalog file so that nothing is ever half-written."""

import shutil
import tempfile
from pathlib import Path

from api.warehouse_settings import WarehouseSettings
from data_agent.catalog.dump import dump_catalog, dump_parts
from data_agent.catalog.load import load_catalog, places_of
from data_agent.catalog.source import MAX_BYTES
from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Table
from data_agent.errors import CatalogInvalid
from data_agent.introspection.annotate import annotated
from data_agent.introspection.insert import Unplaced, inserted
from data_agent.introspection.merge import Merge
from data_agent.ports.inspector import Inspector

HEAD_FILE = "catalog.yaml"
NEW_FILE = "introspected.yaml"


def open_inspector(settings: WarehouseSettings) -> Inspector:
    """The inspector that the URL means; nothing is contacted yet."""
    if settings.embedded:
        from repositories.embedded.inspector import DuckDBInspector

        return DuckDBInspector(settings.file, name=settings.name, time_zone=settings.time_zone)
    from repositories.sql.inspector import MySQLInspector

    return MySQLInspector(settings.url.get_secret_value(), name=settings.name, time_zone=settings.time_zone)


def write_catalog(catalog: Catalog, path: Path) -> Path:
    """Write a new catalog, which must load again as it was, and give back where it is.

    One that is too large for a file becomes a folder of that name, without the suffix.
    """
    text = dump_catalog(catalog)
    if len(text.encode()) <= MAX_BYTES:
        _write_checked(text, path, catalog, must_equal=True)
        return path
    folder = path.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise CatalogInvalid([f"{folder}: holds something already"], hint="choose another --out")
    _write_folder(dump_parts(catalog, MAX_BYTES // 4), folder, catalog)
    return folder


def written_at(path: Path) -> Path:
    """Where the catalog of that path is: the path, or the folder it became because it was too large for a file."""
    folder = path.with_suffix("")
    return folder if not path.exists() and (folder / HEAD_FILE).is_file() else path


def add_to_catalog(written: Catalog, additions: Merge, path: Path) -> tuple[Path, ...]:
    """Add to a catalog file or folder and give back the files that were written.

    A file with no room for additions gets a second one beside it. In a folder new columns go to the file of their
    table, everything else to `introspected.yaml`.

    Raises:
        CatalogInvalid: a file of a folder has no room, or what would be written does not load. Nothing is written then.
    """
    if path.is_dir():
        return _add_to_folder(written, additions, path)
    try:
        _write_checked(inserted(path.read_text(encoding="utf-8"), additions), path, written, must_equal=False)
    except (Unplaced, CatalogInvalid):
        beside = path.with_suffix(".new.yaml")
        _write_checked(dump_catalog(joined(written, additions)), beside, written, must_equal=False)
        return (beside,)
    return (path,)


def _add_to_folder(written: Catalog, additions: Merge, path: Path) -> tuple[Path, ...]:
    places = places_of(path)
    files: dict[str, list[Column]] = {}
    for column in additions.columns:
        files.setdefault(places[f"table:{column.table.casefold()}"].source.file, []).append(column)
    texts = {}
    for file, columns in files.items():
        try:
            texts[file] = inserted((path / file).read_text(encoding="utf-8"), Merge(columns=tuple(columns)))
        except Unplaced as error:
            hint = "write its columns one below the other, or add them by hand"
            raise CatalogInvalid([f"{file}: its `{error}` are in brackets, so none can be added"], hint=hint) from error
    rest = additions.model_copy(update={"columns": ()})
    if rest.adds:
        before = texts.get(NEW_FILE) or ((path / NEW_FILE).read_text("utf-8") if (path / NEW_FILE).exists() else "")
        texts[NEW_FILE] = inserted(before, rest)
    _write_folder(texts, path, written)
    return tuple(path / file for file in texts)


def add_proposals(path: Path, table: Table) -> None:
    """Write the proposals of one table into its file; nothing else of it changes.

    Raises:
        CatalogInvalid: the file would not load as it did. Nothing is written then.
    """
    written, _ = load_catalog(path)
    file = path / places_of(path)[f"table:{table.name.casefold()}"].source.file if path.is_dir() else path
    text = annotated(file.read_text(encoding="utf-8"), table)
    if path.is_dir():
        _write_folder({str(file.relative_to(path)): text}, path, written)
    else:
        _write_checked(text, path, written, must_equal=False)


def joined(written: Catalog, additions: Merge) -> Catalog:
    """The catalog with the additions in it."""
    tables = tuple(
        table.model_copy(update={"columns": (*table.columns, *(c for c in additions.columns if c.table == table.name))})
        for table in written.tables
    )
    return written.model_copy(
        update={
            "tables": (*tables, *additions.tables),
            "relationships": (*written.relationships, *additions.relationships),
            "metrics": (*written.metrics, *additions.metrics),
        }
    )


def _write_checked(text: str, path: Path, expected: Catalog, must_equal: bool) -> None:
    """Load the text from a file beside the goal, and only then put it in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".catalog-") as folder:
        draft = Path(folder) / path.name
        draft.write_text(text, encoding="utf-8")
        _loads(draft, path, expected, must_equal)
        draft.replace(path)


def _write_folder(texts: dict[str, str], path: Path, expected: Catalog) -> None:
    """Load a copy of the folder with the new texts, and only then put each file in its place."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".catalog-") as folder:
        draft = Path(folder) / path.name
        shutil.copytree(path, draft)
        for file, text in texts.items():
            (draft / file).write_text(text, encoding="utf-8")
        _loads(draft, path, expected, must_equal=False)
        for file in texts:
            (draft / file).replace(path / file)


def _loads(draft: Path, path: Path, expected: Catalog, must_equal: bool) -> None:
    loaded, _ = load_catalog(draft)
    if lost(_settled(expected), _settled(loaded)) or (must_equal and len(loaded.tables) != len(expected.tables)):
        raise CatalogInvalid([f"{path}: the new text does not load as it should; nothing was written"])


def _settled(catalog: Catalog) -> Catalog:
    """Without proposals, which nothing stands on."""
    plain: dict[str, None] = {"proposed": None}
    tables = (
        t.model_copy(update={**plain, "columns": tuple(c.model_copy(update=plain) for c in t.columns)})
        for t in catalog.tables
    )
    return catalog.model_copy(update={"tables": tuple(tables)})


def _filled(metric: Metric, loaded: Metric) -> Metric:
    """The metric with what loading fills in by itself."""
    return metric.model_copy(
        update={
            "relevant_columns": metric.relevant_columns or loaded.relevant_columns,
            "time_column": metric.time_column or loaded.time_column,
        }
    )


def lost(before: Catalog, after: Catalog) -> list[str]:
    """What of the first catalog is not in the second, letter for letter."""
    metrics, links = {metric.name: metric for metric in after.metrics}, set(after.relationships)
    gone = [m.name for m in before.metrics if (now := metrics.get(m.name)) is None or now != _filled(m, now)]
    gone += [f"{link.from_table} → {link.to_table}" for link in before.relationships if link not in links]
    for table in before.tables:
        there = after.table(table.name)
        if there is None or there.model_copy(update={"columns": table.columns}) != table:
            gone.append(table.name)
        else:
            gone += [column.id for column in table.columns if column not in there.columns]
    return gone
