"""Write proposals into a catalog file beside what they are about; every other character stays as it is."""

import json
from collections.abc import Iterator

import yaml

from data_agent.domain.schema import Column, Proposal, Table


def annotated(text: str, table: Table) -> str:
    """The file with the proposals of one table in it; what has a `proposed` already, and what is not there, stays."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _items(root, "tables"):
        if _scalar(node, "name") == table.name:
            edits = [*_columns(node, table, starts), *_edit(node, table, starts)]
            for at, new in sorted(edits, reverse=True):
                text = text[:at] + new + text[at:]
    return text


def _columns(node: yaml.MappingNode, table: Table, starts: list[int]) -> Iterator[tuple[int, str]]:
    for item in _items(node, "columns"):
        column = table.column(_scalar(item, "name"))
        if column is not None:
            yield from _edit(item, column, starts)


def _edit(node: yaml.MappingNode, part: Table | Column, starts: list[int]) -> Iterator[tuple[int, str]]:
    """Behind the name, on lines of its own, or inside the braces."""
    name = _value(node, "name")
    if part.proposed is None or name is None or _value(node, "proposed") is not None:
        return
    plain = _plain(part.proposed)
    if node.flow_style:
        yield name.end_mark.index, f", proposed: {json.dumps(plain, ensure_ascii=False)}"
    else:
        block = yaml.safe_dump(
            {"proposed": plain}, allow_unicode=True, default_flow_style=None, sort_keys=False, width=10_000
        )
        indent = " " * node.start_mark.column
        yield starts[name.end_mark.line + 1], "".join(f"{indent}{line}\n" for line in block.splitlines())


def _plain(proposal: Proposal) -> dict[str, object]:
    found: dict[str, object] = proposal.model_dump(mode="json", exclude_defaults=True)
    return found


def _items(node: yaml.Node | None, key: str) -> list[yaml.MappingNode]:
    found = _value(node, key)
    items = found.value if isinstance(found, yaml.SequenceNode) else []
    return [item for item in items if isinstance(item, yaml.MappingNode)]


def _value(node: yaml.Node | None, key: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for name, value in node.value if name.value == key), None)


def _scalar(node: yaml.MappingNode, key: str) -> str:
    found = _value(node, key)
    return str(found.value) if isinstance(found, yaml.ScalarNode) else ""
