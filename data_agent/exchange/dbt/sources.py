"""Find a dbt project: its manifests, or its own YAML when it was never parsed."""

from collections.abc import Iterator
from pathlib import Path

import yaml

from data_agent.errors import CatalogInvalid
from data_agent.exchange.dbt.latest import in_params, metrics_of, semantic_of
from data_agent.exchange.dbt.project import HINT, Plain, Project, columns_of, of_manifest, values, with_semantics
from data_agent.exchange.result import NotCarried


def read_project(path: Path) -> Project:
    """A project folder, its manifest.json, or its semantic_manifest.json.

    Raises:
        CatalogInvalid: nothing there can be read as dbt's; the text says what to run.
    """
    if path.is_file():
        return of_manifest(path)
    if not path.is_dir():
        raise CatalogInvalid([f"{path}: no such file or folder"])
    for manifest in (path / "target/manifest.json", path / "manifest.json"):
        if manifest.is_file():
            return with_semantics(of_manifest(manifest), manifest.with_name("semantic_manifest.json"))
    return _of_sources(path)


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
    models = [model for page in pages for key in ("models", "seeds") for model in values(page.get(key))]
    own = [semantic for model in models if (semantic := semantic_of(model))]
    nested = [metric for model in models for metric in metrics_of(model)]
    return Project(
        name=str(next((page["name"] for page in pages if "config-version" in page or "profile" in page), path.name)),
        models=tuple(models),
        tests=tuple(test for model in models for test in _written_tests(model)),
        semantic_models=(*own, *(each for page in pages for each in values(page.get("semantic_models")))),
        metrics=(*nested, *(in_params(each) for page in pages for each in values(page.get("metrics")))),
        left_out=tuple(left_out),
    )


def _written_tests(model: Plain) -> Iterator[Plain]:
    for column in columns_of(model):
        for test in (*(column.get("tests") or ()), *(column.get("data_tests") or ())):
            kind, given = (test, {}) if isinstance(test, str) else next(iter(test.items()), ("", {}))
            arguments = dict(given or {})
            arguments |= arguments.pop("arguments", None) or {}
            yield {"kind": kind, "model": model.get("name"), "column": column.get("name"), "arguments": arguments}
