"""What dbt wrote: target/manifest.json and target/semantic_manifest.json of several versions, in one form."""

import json
import re
from pathlib import Path
from typing import Any

from data_agent.domain.frozen import Frozen
from data_agent.errors import CatalogInvalid
from data_agent.exchange.result import NotCarried

KNOWN = (*range(4, 13), 20)  # 20 is what Fusion writes
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


def of_manifest(path: Path) -> Project:
    """What a manifest, or a semantic manifest, holds.

    Raises:
        CatalogInvalid: it is none.
    """
    plain = _json(path)
    if "nodes" not in plain and ("semantic_models" in plain or "metrics" in plain):
        return Project(
            name=path.parent.name,
            semantic_models=values(plain.get("semantic_models")),
            metrics=values(plain.get("metrics")),
        )
    version = _version(plain, path)
    notes = []
    if version not in KNOWN:
        why = f"known are v{KNOWN[0]} to v{KNOWN[-2]} and v{KNOWN[-1]}; read as far as it is like them"
        notes.append(NotCarried(what=f"manifest v{version}", why=why))
    nodes = list(values(plain.get("nodes")))
    kinds = {"model", "seed", "snapshot"}
    return Project(
        name=str(plain.get("metadata", {}).get("project_name") or path.parent.name),
        models=tuple(node for node in nodes if node.get("resource_type") in kinds),
        tests=tuple(test for node in nodes if (test := _test(node, plain["nodes"]))),
        semantic_models=values(plain.get("semantic_models")),
        metrics=values(plain.get("metrics")),
        left_out=tuple(notes),
    )


def with_semantics(project: Project, path: Path) -> Project:
    """Semantic models of older versions stand in a file of their own."""
    if project.semantic_models or not path.is_file():
        return project
    more = of_manifest(path)
    metrics = more.metrics or project.metrics
    return project.model_copy(update={"semantic_models": more.semantic_models, "metrics": metrics})


def _version(plain: Plain, path: Path) -> int:
    told = plain.get("metadata")
    found = re.search(r"/manifest/v(\d+)", str(told.get("dbt_schema_version", "")) if isinstance(told, dict) else "")
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


def values(found: Any) -> tuple[Plain, ...]:
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


def columns_of(model: Plain) -> tuple[Plain, ...]:
    """The columns of a model, whether a mapping or a list."""
    return values(model.get("columns"))
