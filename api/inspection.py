"""Open a look into a warehouse, and write a catalog file so that nothing is ever half-written."""

import tempfile
from pathlib import Path

from api.warehouse_settings import WarehouseSettings
from data_agent.catalog.dump import dump_catalog
from data_agent.catalog.load import load_catalog
from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.errors import CatalogInvalid
from data_agent.introspection.insert import Unplaced, inserted
from data_agent.introspection.merge import Merge
from data_agent.ports.inspector import Inspector


def open_inspector(settings: WarehouseSettings) -> Inspector:
    """The inspector that the URL means; nothing is contacted yet."""
    if settings.embedded:
        from repositories.embedded.inspector import DuckDBInspector

        return DuckDBInspector(settings.file, name=settings.name, time_zone=settings.time_zone)
    from repositories.sql.inspector import MySQLInspector

    return MySQLInspector(settings.url.get_secret_value(), name=settings.name, time_zone=settings.time_zone)


def write_catalog(catalog: Catalog, path: Path) -> None:
    """Write a new catalog file; it must load again as it was."""
    _write_checked(dump_catalog(catalog), path, catalog, must_equal=True)


def add_to_catalog(written: Catalog, additions: Merge, path: Path) -> Path:
    """Add to a catalog file and give back the file that was written: a second one when the first has no room.

    Raises:
        CatalogInvalid: the path is a folder, or what would be written does not load.
    """
    if path.is_dir():
        raise CatalogInvalid([f"{path}: is a folder"], hint="name the one file of it that additions should go to")
    try:
        _write_checked(inserted(path.read_text(encoding="utf-8"), additions), path, written, must_equal=False)
    except (Unplaced, CatalogInvalid):
        beside = path.with_suffix(".new.yaml")
        _write_checked(dump_catalog(joined(written, additions)), beside, written, must_equal=False)
        return beside
    return path


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
        loaded, _ = load_catalog(draft)
        if lost(expected, loaded) or (must_equal and len(loaded.tables) != len(expected.tables)):
            raise CatalogInvalid([f"{path}: the new text does not load as it should; nothing was written"])
        draft.replace(path)


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
    gone = [m.name for m in before.metrics if (now := after.metric(m.name)) is None or now != _filled(m, now)]
    gone += [f"{link.from_table} → {link.to_table}" for link in before.relationships if link not in after.relationships]
    for table in before.tables:
        there = after.table(table.name)
        if there is None or there.model_copy(update={"columns": table.columns}) != table:
            gone.append(table.name)
        else:
            gone += [column.id for column in table.columns if column not in there.columns]
    return gone
