"""From catalog files to one `Catalog`, or to the full list of what is wrong with them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from data_agent.catalog.assemble import Page, Place, assemble
from data_agent.catalog.check import check, nearest
from data_agent.catalog.dump import content_hash
from data_agent.catalog.models import BY_FIELD, WrittenCatalog
from data_agent.catalog.source import Route, Source, read_source
from data_agent.domain.catalog import Catalog
from data_agent.errors import CatalogInvalid

SUFFIXES = (".yaml", ".yml")


def load_catalog(path: Path) -> tuple[Catalog, tuple[str, ...]]:
    """Read a catalog file, or a folder of them, and say what deserves a warning.

    Raises:
        CatalogInvalid: every problem found, each with file, line and field.
    """
    return _finish(path, _pages(path))


def places_of(path: Path) -> dict[str, Place]:
    """Where each thing is written, by `table:x`, `column:x.y`, `metric:x` and `relationship:#0`.

    Raises:
        CatalogInvalid: the files cannot be read.
    """
    return assemble(_pages(path), default_name=path.stem).places


def _pages(path: Path) -> list[Page]:
    pages: list[Page] = []
    problems: list[str] = []
    for file in _files(path):
        try:
            source = read_source(file, _shown(file, path))
        except CatalogInvalid as error:
            problems += error.problems
            continue
        problems += source.problems
        try:
            pages.append((source, WrittenCatalog.model_validate(source.data)))
        except ValidationError as error:
            problems += [_explain(source, detail) for detail in error.errors()]
    if problems:
        raise CatalogInvalid(problems)
    return pages


def _finish(path: Path, pages: list[Page]) -> tuple[Catalog, tuple[str, ...]]:
    draft = assemble(pages, default_name=path.stem)
    problems, warnings = check(draft)
    if problems:
        raise CatalogInvalid(problems)
    catalog = draft.catalog
    return catalog.model_copy(update={"version": content_hash(catalog)}), tuple(warnings)


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise CatalogInvalid([f"{path}: no such catalog file or folder"])
    if path.is_file():
        return [path]
    files = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
    if not files:
        raise CatalogInvalid([f"{path}: the folder holds no .yaml file"])
    return files


def _shown(file: Path, path: Path) -> str:
    return file.name if file == path else str(file.relative_to(path))


def _explain(source: Source, detail: ErrorDetails) -> str:
    """Pydantic's complaint in our words, at our line."""
    route = _route(source, detail["loc"])
    if detail["type"] == "extra_forbidden":
        return source.say(route, f"unknown field{nearest(str(route[-1]), _fields(route))}")
    if detail["type"] == "missing":
        return source.say(route, "is missing")
    if detail["type"] == "literal_error":
        allowed = str(detail.get("ctx", {}).get("expected", ""))
        near = nearest(str(detail["input"]), allowed.replace("'", "").replace(" or ", ", ").split(", "))
        return source.say(route, f"{_short(detail['input'])} is not one of {allowed}{near}")
    return source.say(route, f"{detail['msg'][:1].lower()}{detail['msg'][1:]}, not {_short(detail['input'])}")


def _route(source: Source, loc: Iterable[int | str]) -> Route:
    """The part of pydantic's location that exists in the file, or the missing field under it."""
    route: Route = tuple(loc)
    return tuple(step for step in route if step != "[key]") if source.lines else route


def _fields(route: Route) -> list[str]:
    holder = next((step for step in reversed(route[:-1]) if isinstance(step, str)), "")
    model = BY_FIELD.get(holder)
    return [field.alias or name for name, field in model.model_fields.items()] if model else []


def _short(value: Any) -> str:
    text = (
        repr(value) if not isinstance(value, dict | list) else f"a {'mapping' if isinstance(value, dict) else 'list'}"
    )
    return text if len(text) <= 60 else f"{text[:57]}..."
