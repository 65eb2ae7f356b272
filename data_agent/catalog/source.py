"""Read YAML keeping the place of everything, so that a mistake can be pointed at: file, line and field."""

from pathlib import Path
from typing import Any, NamedTuple

import yaml

from data_agent.errors import CatalogInvalid

Step = str | int
Route = tuple[Step, ...]

MAX_BYTES = 4_000_000
MAX_NODES = 400_000
MAX_DEPTH = 40
NULLS = frozenset({"", "~", "null", "Null", "NULL"})
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Source(NamedTuple):
    """One parsed file: plain `data`, the `lines` (from 1) of every route into it, and what was wrong on the way."""

    file: str
    data: dict[str, Any]
    lines: dict[Route, int]
    problems: list[str]

    def line(self, route: Route) -> int:
        """The line of `route`, or of its nearest ancestor that is written down."""
        while route and route not in self.lines:
            route = route[:-1]
        return self.lines.get(route, 1)

    def field(self, route: Route) -> str:
        """The route for eyes: items of lists by their name (`tables.orders.columns.status`) or number."""
        node: Any = self.data
        parts = []
        for step in route:
            node = _down(node, step)
            name = node.get("name") if isinstance(step, int) and isinstance(node, dict) else None
            parts.append(str(step) if not isinstance(step, int) else str(name or f"[{step + 1}]"))
        return ".".join(parts)

    def say(self, route: Route, message: str) -> str:
        """One problem as one line of text."""
        where = f"{self.file}:{self.line(route)}"
        return f"{where}: {self.field(route)}: {message}" if route else f"{where}: {message}"


def _down(node: Any, step: Step) -> Any:
    if isinstance(node, dict):
        return node.get(step)
    return node[step] if isinstance(node, list) and isinstance(step, int) and step < len(node) else None


def read_source(path: Path, shown: str = "") -> Source:
    """Parse one file. Scalars stay text as written (`01`, `no`, dates): the models decide what they are.

    Raises:
        CatalogInvalid: it cannot be read as YAML at all.
    """
    file = shown or path.name
    text = _decode(_bytes(path, file), file)
    try:
        root = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError as error:
        raise CatalogInvalid([_yaml_problem(error, text, file)]) from error
    except RecursionError as error:
        raise CatalogInvalid([f"{file}:1: nested too deeply to be a catalog"]) from error
    if root is None:
        raise CatalogInvalid([f"{file}:1: the file is empty; a catalog needs at least `tables:`"])
    if not isinstance(root, yaml.MappingNode):
        raise CatalogInvalid([f"{file}:1: a catalog is a mapping with `tables:`, not a list or a plain text"])
    builder = _Builder(file)
    data = builder.build(root, ())
    return Source(file, data, builder.lines, builder.problems)


def _bytes(path: Path, file: str) -> bytes:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise CatalogInvalid(
                [f"{file}: {size:,} bytes are more than a catalog file may hold ({MAX_BYTES:,})"],
                hint="Split it into several files of one folder.",
            )
        return path.read_bytes()
    except OSError as error:
        raise CatalogInvalid([f"{file}: cannot be read: {error.strerror}"]) from error


def _decode(raw: bytes, file: str) -> str:
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        problem = f"{file}:{line}: not UTF-8 (byte 0x{raw[error.start]:02x}); save the file as UTF-8{_looks_gbk(raw)}"
        raise CatalogInvalid([problem]) from error


def _looks_gbk(raw: bytes) -> str:
    try:
        raw.decode("gb18030")
    except UnicodeDecodeError:
        return ""
    return " (it looks like GBK/GB18030)"


def _yaml_problem(error: yaml.YAMLError, text: str, file: str) -> str:
    if isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, int(error.position)) + 1
        return f"{file}:{line}: a control character (code {error.character!r}) stands in the file; remove it"
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line = mark.line + 1 if mark else 1
    rows = text.splitlines()
    written = rows[line - 1] if line <= len(rows) else ""
    if "\t" in written[: len(written) - len(written.lstrip())]:
        return f"{file}:{line}: a tab indents this line; YAML wants spaces"
    detail = getattr(error, "problem", None) or str(error).splitlines()[0]
    context = getattr(error, "context", None)
    return f"{file}:{line}: not valid YAML: {context + ', ' if context else ''}{detail}"


class _Builder:
    """Turns YAML nodes into plain values, noting lines and duplicate keys; stops at bombs and loops."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: dict[Route, int] = {}
        self.problems: list[str] = []
        self.nodes = 0

    def build(self, node: yaml.Node, route: Route) -> Any:
        """The value of `node`, which stands at `route`."""
        self.nodes += 1
        if self.nodes > MAX_NODES or len(route) > MAX_DEPTH:
            where = f"{self.file}:{node.start_mark.line + 1}"
            raise CatalogInvalid([f"{where}: anchors (`&`/`*`) or nesting blow this file up; write it out"])
        self.lines.setdefault(route, node.start_mark.line + 1)
        if isinstance(node, yaml.ScalarNode):
            return None if node.style is None and node.value in NULLS else node.value
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item, (*route, index)) for index, item in enumerate(node.value)]
        return self._mapping(node, route)

    def _mapping(self, node: yaml.Node, route: Route) -> dict[str, Any]:
        """An empty value (`aliases:` with nothing behind it) counts as not written."""
        found: dict[str, Any] = {}
        seen: dict[str, int] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                self.problems.append(f"{self.file}:{line}: a key must be plain text")
            elif key.value in seen:
                where = ".".join(map(str, (*route, key.value)))
                self.problems.append(f"{self.file}:{line}: {where}: written twice (first on line {seen[key.value]})")
            else:
                seen[key.value] = self.lines[(*route, key.value)] = line
                found[key.value] = self.build(value, (*route, key.value))
        return {key: value for key, value in found.items() if value is not None}
