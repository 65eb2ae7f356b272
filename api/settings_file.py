"""Read a settings file so that every mistake in it can be shown with its line."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from data_agent.errors import InvalidSettings

Place = tuple[str | int, ...]


@dataclass(frozen=True)
class SettingsFile:
    """The values of one file and the line of each; a file without a name stands for built-in values."""

    path: Path
    values: dict[str, Any]
    lines: dict[Place, int] = field(default_factory=dict)

    def line(self, place: Place) -> int | None:
        """The line of a field, or of the nearest section around it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place)


def read_settings(path: Path) -> SettingsFile:
    """Read and anchor a settings file.

    Raises:
        InvalidSettings: it cannot be read, is not YAML, or says a key twice.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise InvalidSettings(f"{path}: cannot be read: {reason} · 无法读取", hint="check --settings") from None
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        values = yaml.safe_load(text) or {}
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InvalidSettings(f"{path}:{line}: not valid YAML: {error.problem} · YAML 格式错误") from None
    if not isinstance(values, dict):
        raise InvalidSettings(f"{path}:1: must be a mapping of sections · 顶层应为键值结构")
    lines = dict(_places(node, (), path)) if node else {}
    return SettingsFile(path=path, values=_anchored(values, path.resolve().parent), lines=lines)


def _places(node: yaml.Node, place: Place, path: Path) -> Iterator[tuple[Place, int]]:
    yield place, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name, line = str(key.value), key.start_mark.line + 1
            if name in seen:
                raise InvalidSettings(f"{path}:{line}: {'.'.join(map(str, (*place, name)))}: said twice · 重复的键")
            seen.add(name)
            yield from _places(value, (*place, name), path)
            yield (*place, name), line
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield from _places(item, (*place, index), path)


def _anchored(values: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Make relative paths start at the file's folder, wherever the command is called from."""
    anchored = _files(values, folder)
    stores = values.get("stores")
    if isinstance(stores, dict) and isinstance(stores.get("path"), str):
        anchored["stores"] = {**stores, "path": folder / stores["path"]}
    if isinstance(values.get("warehouse"), dict):
        anchored["warehouse"] = _files(values["warehouse"], folder)
    several = values.get("warehouses")
    if isinstance(several, dict):
        anchored["warehouses"] = {
            name: _files(one, folder) if isinstance(one, dict) else one for name, one in several.items()
        }
    return anchored


def _files(section: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A section with its files anchored: catalog, policy, and the database where it is one."""
    anchored = dict(section)
    for key in ("catalog", "policy"):
        if isinstance(section.get(key), str):
            anchored[key] = folder / section[key]
    if str(section.get("url", "")).startswith("duckdb:///"):
        anchored["url"] = f"duckdb:///{folder / str(section['url']).removeprefix('duckdb:///')}"
    return anchored
