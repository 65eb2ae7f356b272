"""Write the generated pages: `python -m docs.generate`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from api.settings import Settings
from data_agent.graphs import assistant, nl2sql
from data_agent.state import DataAgentState

HERE = Path(__file__).parent
START, END = "<!-- generated: start -->", "<!-- generated: end -->"


def picture(graph: Any) -> str:
    """The graph as Mermaid."""
    lines = ["```mermaid", "flowchart TD"]
    for edge in graph.get_graph().edges:
        arrow = "-.->" if edge.conditional else "-->"
        lines.append(f"    {plain(edge.source)} {arrow} {plain(edge.target)}")
    return "\n".join([*lines, "```"])


def plain(name: str) -> str:
    """A node name that Mermaid takes (`end` is a word of its own there)."""
    return {"__start__": "start((start))", "__end__": "stop((end))"}.get(name, name)


def node_rows(graph: Any) -> Iterator[str]:
    """A table row per node: name, label, what it does."""
    yield from ("| node | label | what it does |", "| --- | --- | --- |")
    for name, node in graph.nodes.items():
        function = getattr(node.bound, "afunc", None)
        if label := getattr(function, "label", None):
            does = (sys.modules[function.__module__].__doc__ or "").strip().splitlines()[0]
            yield f"| `{name}` | {label} | {does} |"


def graphs() -> str:
    """Both graphs, drawn and told."""
    question, front = nl2sql.build(), assistant.build()
    keys = ", ".join(f"`{key}`" for key in DataAgentState.__annotations__)
    parts = ["### The twelve nodes", "", picture(question), "", *node_rows(question), ""]
    parts += ["### The front door", "", picture(front), "", *node_rows(front), ""]
    return "\n".join(
        [*parts, f"The state: {keys}. The comment beside each key in `data_agent/state.py` names its writers."]
    )


def setting_rows(model: type[BaseModel], path: str = "") -> Iterator[str]:
    """A table per section, sections inside sections behind it."""
    inner: list[tuple[str, type[BaseModel]]] = []
    if path:
        yield from (f"## {path}", "", " ".join((model.__doc__ or "").split()), "")
    yield from ("| key | type | default |", "| --- | --- | --- |")
    for name, field in model.model_fields.items():
        kind = field.annotation
        named = next((part for part in get_args(kind) if isinstance(part, type) and issubclass(part, BaseModel)), None)
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            inner.append((f"{path}.{name}".lstrip("."), kind))
        elif named and get_origin(kind) is dict:
            inner.append((f"{name}.NAME", named))
        else:
            yield f"| `{name}` | {kind_of(kind)} | {default_of(field)} |"
    yield ""
    for where, section in inner:
        if where != "options.calendar":  # a section of its own
            yield from setting_rows(section, where)


def kind_of(kind: Any) -> str:
    """A type as people write it: no wrappers, no module names."""
    return f"`{bare(kind)}`"


def bare(kind: Any) -> str:
    """The name of a type, with those it is made of."""
    parts = [bare(part) for part in get_args(kind) if part is not type(None)]
    origin = get_origin(kind)
    if origin is Annotated:
        return parts[0]
    if origin is Literal:
        return " or ".join(map(str, get_args(kind)))
    if origin in {Union, UnionType}:
        return " or ".join(parts)
    if parts:
        return f"{origin.__name__}[{', '.join(part for part in parts if part != 'Ellipsis')}]"
    return {SecretStr: "secret text", Any: "any", ...: "Ellipsis"}.get(kind, getattr(kind, "__name__", str(kind)))


def default_of(field: FieldInfo) -> str:
    """The default, or that it must be set."""
    if field.is_required():
        return "must be set"
    value = field.get_default(call_default_factory=True)
    return "-" if value in (None, "", (), {}) else f"`{value}`"


def between(page: Path, generated: str) -> str:
    """A page with its generated part replaced."""
    text = page.read_text(encoding="utf-8")
    return f"{text[: text.index(START)]}{START}\n\n{generated}\n\n{text[text.index(END) :]}"


def pages() -> dict[Path, str]:
    """Every generated page and what it should hold."""
    parts = {"architecture.md": graphs(), "settings.md": "\n".join(setting_rows(Settings)).rstrip()}
    return {HERE / name: between(HERE / name, text) for name, text in parts.items()}


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(text, encoding="utf-8")
