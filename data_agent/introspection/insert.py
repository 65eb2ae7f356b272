"""Add to a catalog file without touching what a person wrote: new lines only, comments and layout stay."""

from collections.abc import Sequence
from typing import Any

import yaml

from data_agent.catalog.dump import dump_catalog
from data_agent.domain.catalog import Catalog
from data_agent.introspection.merge import Merge


class Unplaced(ValueError):
    """A list is written in brackets, so lines cannot be added to it."""


def inserted(text: str, additions: Merge) -> str:
    """The file with the additions in it. Items go behind the last one of their list.

    Raises:
        Unplaced: a list of the file is written in brackets.
    """
    sections = _plain(additions)
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    places: list[tuple[int, str]] = []
    tables = _value(root, "tables")
    for table in tables.value if isinstance(tables, yaml.SequenceNode) else ():
        named = _value(table, "name")
        own = [plain for name, plain in _columns(additions) if named and name == named.value]
        if own:
            places.append(_placed(_value(table, "columns"), own, "columns", text))
    for section in ("tables", "relationships", "metrics"):
        if sections[section]:
            places.append(_placed(_value(root, section), sections[section], section, text))
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    # from the end, so that lines above stay where they are; of one place the inner list comes first
    for line, block in sorted(places, key=lambda place: place[0])[::-1]:
        lines.insert(line, block)
    return "".join(lines)


def _plain(additions: Merge) -> dict[str, Any]:
    catalog = Catalog(
        name="x",
        version="",
        tables=additions.tables,
        relationships=additions.relationships,
        metrics=additions.metrics,
    )
    found: dict[str, Any] = yaml.safe_load(dump_catalog(catalog))
    return found


def _columns(additions: Merge) -> list[tuple[str, Any]]:
    """New columns of known tables, each with its table."""
    found = []
    for column in additions.columns:
        plain = column.model_dump(mode="json", exclude_defaults=True, exclude={"table"})
        found.append((column.table, {"name": column.name, "role": column.role, **plain}))
    return found


def _value(node: yaml.Node | None, key: str) -> Any:
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for name, value in node.value if name.value == key), None)


def _placed(node: yaml.Node | None, items: Sequence[Any], section: str, text: str) -> tuple[int, str]:
    """The line to insert at, and what."""
    if node is None and section != "columns":
        block = yaml.safe_dump({section: list(items)}, sort_keys=False, allow_unicode=True, width=120)
        return text.count("\n") + 1, block
    if not isinstance(node, yaml.SequenceNode) or node.flow_style or not node.value:
        raise Unplaced(section)
    block = yaml.safe_dump(list(items), sort_keys=False, allow_unicode=True, width=120)
    indent = " " * node.start_mark.column
    return _end(node.value[-1]), "".join(f"{indent}{line}\n" for line in block.splitlines())


def _end(node: yaml.Node) -> int:
    """The line after the last one of a node."""
    while isinstance(node, yaml.MappingNode | yaml.SequenceNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    mark = node.end_mark
    return int(mark.line) + (1 if mark.column else 0)
