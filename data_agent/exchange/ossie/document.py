"""An Ossie document as plain parts, whichever draft wrote it; what has the wrong form is told with file and line."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from data_agent.catalog.source import Route, Source, read_source
from data_agent.errors import CatalogInvalid
from data_agent.exchange.result import NotCarried

KNOWN = ("0.1", "0.2")
VENDOR = "DATA_AGENT"
HINT = "an Ossie core document has `version` and `semantic_model` (datasets, relationships, metrics)"
DIALECTS = {
    "MYSQL": "mysql",
    "ANSI_SQL": "",
    "OSI_SQL_2026": "",
    "DUCKDB": "duckdb",
    "SNOWFLAKE": "snowflake",
    "DATABRICKS": "databricks",
    "BIGQUERY": "bigquery",
}
"""Dialects that can be read, best first, and what the parser calls them."""
Plain = dict[str, Any]
Model = TypeVar("Model", bound=BaseModel)


class Written(NamedTuple):
    """One expression: its text, and the parser's name of its dialect."""

    text: str
    dialect: str


class Document(NamedTuple):
    """One semantic model of a file; `place` finds the line of a part, `left_out` what of the file is not in it."""

    model: Plain
    source: Source
    route: Route
    left_out: tuple[NotCarried, ...]

    def parts(self, name: str) -> Iterator[tuple[str, Plain]]:
        """The mappings of one list of the model, each with where it stands."""
        for index, part in enumerate(listed(self.model, name)):
            yield self.at(name, index), part

    def at(self, *steps: str | int) -> str:
        """`file:line` of a part of the model."""
        return f"{self.source.file}:{self.source.line((*self.route, *steps))}"


def read_document(path: Path, name: str = "") -> Document:
    """The model of that name, else the first one of the file.

    Raises:
        CatalogInvalid: it is no Ossie document; each problem with file and line.
    """
    try:
        source = read_source(path)
    except CatalogInvalid as error:
        told = [problem.replace("a catalog", "an Ossie document") for problem in error.problems]
        raise CatalogInvalid(told, hint=HINT) from error
    if source.problems:
        raise CatalogInvalid(source.problems, hint=HINT)
    models = source.data.get("semantic_model")
    flat = models is None and "datasets" in source.data  # a later draft has the one model at the top
    if flat:
        return Document(source.data, source, (), tuple(_notes(source.data)))
    if not isinstance(models, list) or not models or not all(isinstance(each, dict) for each in models):
        raise CatalogInvalid([f"{source.file}:1: no Ossie document: `semantic_model` is missing"], hint=HINT)
    at = next((at for at, each in enumerate(models) if each.get("name") == name), 0)
    others = [
        NotCarried(
            what=f"model {each.get('name')}", why="a catalog holds one model; import it with --name and its name"
        )
        for each in models
        if each is not models[at]
    ]
    return Document(models[at], source, ("semantic_model", at), (*_notes(source.data), *others))


def _notes(data: Plain) -> Iterator[NotCarried]:
    version = str(data.get("version") or data.get("osi_version") or "")
    if not version.startswith(KNOWN):
        known = ", ".join(f"{each}.x" for each in KNOWN)
        yield NotCarried(
            what=f"version {version or '(none)'}", why=f"known are {known}; read as far as it is like them"
        )
    if data.get("ontology") or data.get("ontologies"):
        yield NotCarried(what="ontology", why="a catalog describes tables and numbers, not concepts")


def listed(plain: Mapping[str, Any], name: str) -> list[Plain]:
    """The mappings of a list; anything else in it is no part."""
    found = plain.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def texts(plain: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """The texts of a list."""
    found = plain.get(name)
    return tuple(str(each) for each in found if not isinstance(each, dict | list)) if isinstance(found, list) else ()


def expression(plain: Mapping[str, Any]) -> Written | None:
    """The expression in the dialect we read best, None when there is none: a bare text is ANSI SQL."""
    given = plain.get("expression")
    if isinstance(given, str):
        return Written(given, "")
    found = {
        str(each.get("dialect", "ANSI_SQL")).upper(): str(each.get("expression") or "")
        for each in listed(given if isinstance(given, dict) else {}, "dialects")
    }
    best = next((name for name in DIALECTS if found.get(name)), None)
    return Written(found[best], DIALECTS[best]) if best else None


def synonyms(plain: Mapping[str, Any]) -> tuple[str, ...]:
    """The other names in `ai_context`: its `synonyms`, or a text that is nothing but a list of short phrases."""
    context = plain.get("ai_context")
    if isinstance(context, dict):
        return texts(context, "synonyms")
    parts = [part.strip() for part in str(context or "").split(",")]
    return tuple(parts) if all(0 < len(part.split()) <= 4 and len(part) <= 40 for part in parts) else ()


def unread_context(plain: Mapping[str, Any]) -> str:
    """What of `ai_context` has no place in a catalog; empty when nothing."""
    context = plain.get("ai_context")
    if isinstance(context, dict):
        return ", ".join(key for key in context if key != "synonyms")
    return "instructions" if context and not synonyms(plain) else ""


def unread(what: str, plain: Plain, at: str) -> Iterator[NotCarried]:
    """Instructions and extensions that no place in a catalog is for."""
    if parts := unread_context(plain):
        why = f"{parts}: a catalog has no place for them; use `description`"
        yield NotCarried(what=f"{at}: ai_context of {what}", why=why)
    for each in listed(plain, "custom_extensions"):
        if str(each.get("vendor_name")).upper() != VENDOR:
            yield NotCarried(what=f"{at}: extension of {what}", why=f"`{each.get('vendor_name')}` is another tool's")


def extension(plain: Plain) -> Plain:
    """What our own export added to a part; nothing when there is none, or it cannot be read."""
    for each in listed(plain, "custom_extensions"):
        if str(each.get("vendor_name")).upper() == VENDOR:
            try:
                found = json.loads(str(each.get("data")))
            except json.JSONDecodeError:
                return {}
            return found if isinstance(found, dict) else {}
    return {}


def extended(model: type[Model], base: Plain, own: Plain, fixed: Plain, left_out: list[NotCarried]) -> Model:
    """A part with what our own export added to it (`own`); what does not fit is left out and told. `fixed` wins."""
    try:
        return model.model_validate({**base, **own, **fixed})
    except ValidationError as error:
        wrong = ", ".join(dict.fromkeys(str(each["loc"][0]) for each in error.errors()))
        what = f"our extension of {fixed.get('name') or base.get('name')}"
        left_out.append(NotCarried(what=what, why=f"cannot be read: {wrong}"))
        return model.model_validate({**base, **fixed})
