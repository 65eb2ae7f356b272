"""A catalog as canonical YAML: equal catalogs give equal text, and loading the text gives the catalog back."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import yaml
from pydantic import BaseModel

from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Relationship


def dump_catalog(catalog: Catalog) -> str:
    """Canonical YAML; what equals its default is left out."""
    return _yaml(_plain(catalog))


def _yaml(plain: Any) -> str:
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=120)


def dump_parts(catalog: Catalog, most: int) -> dict[str, str]:
    """The same as a folder of files by name, each of about `most` bytes at most; together they are the catalog."""
    plain = _plain(catalog)
    files = {"catalog.yaml": _yaml({"name": plain["name"], "synonyms": plain["synonyms"]})}
    for section in ("domains", "documents", "tables", "metrics", "relationships"):
        for number, items in enumerate(_packed(plain[section], most), 1):
            files[f"{section}-{number:03}.yaml"] = f"{section}:\n{items}"
    return files


def _packed(items: list[Any], most: int) -> Iterator[str]:
    """Items in order as YAML, as many together as fit."""
    pack: list[str] = []
    size = 0
    for item in items:
        text = _yaml([item])
        length = len(text.encode())
        if pack and size + length > most:
            yield "".join(pack)
            pack, size = [], 0
        pack.append(text)
        size += length
    if pack:
        yield "".join(pack)


def content_hash(catalog: Catalog) -> str:
    """The version of a catalog: 16 hex digits over its canonical content."""
    return hashlib.sha256(json.dumps(_plain(catalog), ensure_ascii=False).encode()).hexdigest()[:16]


def _plain(catalog: Catalog) -> dict[str, Any]:
    return {
        "name": catalog.name,
        "tables": [_table(table.model_dump(mode="json", exclude_defaults=True)) for table in catalog.tables],
        "metrics": [_with(metric, "additivity") for metric in catalog.metrics],
        "relationships": [_relationship(link) for link in catalog.relationships],
        "domains": _all(catalog.domains),
        "documents": _all(catalog.documents),
        "synonyms": {word: list(others) for word, others in catalog.synonyms.items()},
    }


def _all(models: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [model.model_dump(mode="json", exclude_defaults=True) for model in models]


def _with(model: BaseModel, *always: str) -> dict[str, Any]:
    """Fields in `always` are written even at their default, because the loader would infer them otherwise."""
    plain = model.model_dump(mode="json")
    defaults = model.model_dump(mode="json", exclude_defaults=True)
    return {key: value for key, value in plain.items() if key in defaults or key in always}


def _table(plain: dict[str, Any]) -> dict[str, Any]:
    columns = [
        {"name": column["name"], "role": column.get("role", "dimension"), **_without(column, "table")}
        for column in plain.get("columns", ())
    ]
    return {**_without(plain, "columns"), **({"columns": columns} if columns else {})}


def _without(plain: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in plain.items() if name != key}


def _relationship(link: Relationship) -> dict[str, Any]:
    return {
        **({"name": link.name} if link.name else {}),
        **({"aliases": list(link.aliases)} if link.aliases else {}),
        "from": [f"{link.from_table}.{column}" for column in link.from_columns],
        "to": [f"{link.to_table}.{column}" for column in link.to_columns],
        "cardinality": link.cardinality,
        **({"inferred": True} if link.inferred else {}),
        **({"evidence": link.evidence} if link.evidence else {}),
    }
