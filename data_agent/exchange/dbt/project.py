"""Find and read what dbt wrote: target/manifest.json, target/semantic_manifest.json, or the project's own YAML."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from data_agent.domain.frozen import Frozen
from data_agent.errors import CatalogInvalid
from data_agent.exchange.result import NotCarried

OLDEST, NEWEST = 4, 12
MAX_BYTES = 200_000_000
Plain = dict[str, Any]
HINT = "run `dbt parse` and import target/manifest.json · 请先运行 dbt parse"


class Project(Frozen):
    """The parts of a project as plain values; `tests` have `kind`, `model`, `column` and `arguments`."""

    name: str
    models: tuple[Plain, ...] = ()
    tests: tuple[Plain, ...] = ()
    semantic_models: tuple[Plain, ...] = ()
    metrics: tuple[Plain, ...] = ()
    left_out: tuple[NotCarried, ...] = ()


def read_project(path: Path) -> Project:
    """A project folder, its manifest.json, or its semantic_manifest.json.

    Raises:
        CatalogInvalid: nothing there can be read as dbt's; the text says what to run.
    """
    if path.is_file():
        return _of_manifest(path)
    if not path.is_dir():
        raise CatalogInvalid([f"{path}: no such file or folder"])
    for manifest in (path / "target/manifest.json", path / "manifest.json"):
        if manifest.is_file():
            return _with_semantics(_of_manifest(manifest), manifest.with_name("semantic_manifest.json"))
    return _of_sources(path)


def _of_manifest(path: Path) -> Project:
    plain = _json(path)
    if "nodes" not in plain and ("semantic_models" in plain or "metrics" in plain):
        return Project(
            name=path.parent.name,
            semantic_models=_values(plain.get("semantic_models")),
            metrics=_values(plain.get("metrics")),
        )
    version = _version(plain, path)
    notes = []
    if not OLDEST <= version <= NEWEST:
        notes.append(
            NotCarried(
                what=f"manifest v{version}", why=f"known are v{OLDEST} to v{NEWEST}; read as far as it is like them"
            )
        )
    nodes = list(_values(plain.get("nodes")))
    kinds = {"model", "seed", "snapshot"}
    return Project(
        name=str(plain.get("metadata", {}).get("project_name") or path.parent.name),
        models=tuple(node for node in nodes if node.get("resource_type") in kinds),
        tests=tuple(test for node in nodes if (test := _test(node, plain["nodes"]))),
        semantic_models=_values(plain.get("semantic_models")),
        metrics=_values(plain.get("metrics")),
        left_out=tuple(notes),
    )


def _with_semantics(project: Project, path: Path) -> Project:
    """Semantic models of older versions stand in a file of their own."""
    if project.semantic_models or not path.is_file():
        return project
    more = _of_manifest(path)
    metrics = more.metrics or project.metrics
    return project.model_copy(update={"semantic_models": more.semantic_models, "metrics": metrics})


def _version(plain: Plain, path: Path) -> int:
    found = re.search(r"/manifest/v(\d+)", str(plain.get("metadata", {}).get("dbt_schema_version", "")))
    if found is None or not isinstance(plain.get("nodes"), dict):
        raise CatalogInvalid([f"{path}: not a dbt manifest (no nodes, or no dbt_schema_version)"], hint=HINT)
    return int(found[1])


def _json(path: Path) -> Plain:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CatalogInvalid([f"{path}: larger than {MAX_BYTES:,} bytes"])
        plain = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CatalogInvalid([f"{path}: cannot be read: {error.strerror}"]) from error
    except UnicodeDecodeError as error:
        raise CatalogInvalid([f"{path}: not UTF-8"], hint=HINT) from error
    except (json.JSONDecodeError, RecursionError) as error:
        line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise CatalogInvalid([f"{path}{line}: not valid JSON"], hint=HINT) from error
    if not isinstance(plain, dict):
        raise CatalogInvalid([f"{path}: not a dbt manifest (a mapping is expected)"], hint=HINT)
    return plain


def _values(found: Any) -> tuple[Plain, ...]:
    """Manifests keep mappings by id, semantic manifests lists."""
    items = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return tuple(item for item in items if isinstance(item, dict))


def _test(node: Plain, nodes: Plain) -> Plain | None:
    about = node.get("test_metadata")
    if node.get("resource_type") != "test" or not isinstance(about, dict):
        return None
    arguments = dict(about.get("kwargs") or {})
    arguments |= arguments.pop("arguments", None) or {}
    attached = node.get("attached_node") or _last(node.get("depends_on", {}).get("nodes", ()))
    model = nodes.get(attached, {}).get("name", str(attached or "").rpartition(".")[2])
    column = node.get("column_name") or arguments.get("column_name")
    return {"kind": about.get("name", ""), "model": model, "column": column, "arguments": arguments}


def _last(nodes: Any) -> str:
    """Of a relationships test the tested model comes last."""
    return str(nodes[-1]) if nodes else ""


def _of_sources(path: Path) -> Project:
    """The YAML files of a project that was never parsed."""
    if not (path / "dbt_project.yml").is_file():
        raise CatalogInvalid([f"{path}: no dbt_project.yml and no target/manifest.json"], hint=HINT)
    files = sorted(file for end in ("yml", "yaml") for file in path.rglob(f"*.{end}") if "target" not in file.parts)
    pages, left_out = [], []
    for file in files:
        shown = str(file.relative_to(path))
        try:
            page = yaml.safe_load(file.read_text(encoding="utf-8"))
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = f":{mark.line + 1}" if mark else ""
            left_out.append(NotCarried(what=f"{shown}{line}", why="not valid YAML"))
            continue
        except (OSError, UnicodeDecodeError):
            left_out.append(NotCarried(what=shown, why="cannot be read as UTF-8"))
            continue
        pages.append(page if isinstance(page, dict) else {})
    models = [model for page in pages for key in ("models", "seeds") for model in _values(page.get(key))]
    return Project(
        name=str(next((page["name"] for page in pages if "config-version" in page or "profile" in page), path.name)),
        models=tuple(models),
        tests=tuple(test for model in models for test in _written_tests(model)),
        semantic_models=tuple(each for page in pages for each in _values(page.get("semantic_models"))),
        metrics=tuple(each for page in pages for each in _values(page.get("metrics"))),
        left_out=tuple(left_out),
    )


def _written_tests(model: Plain) -> Iterator[Plain]:
    for column in columns_of(model):
        for test in (*(column.get("tests") or ()), *(column.get("data_tests") or ())):
            kind, given = (test, {}) if isinstance(test, str) else next(iter(test.items()), ("", {}))
            arguments = dict(given or {})
            arguments |= arguments.pop("arguments", None) or {}
            yield {"kind": kind, "model": model.get("name"), "column": column.get("name"), "arguments": arguments}


def columns_of(model: Plain) -> tuple[Plain, ...]:
    """The columns of a model, whether a mapping or a list."""
    return _values(model.get("columns"))
