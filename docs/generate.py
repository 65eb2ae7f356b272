"""Write the generated pages: `python -m docs.generate` (`--check` only compares)."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from data_agent.graphs import assistant, nl2sql
from data_agent.state import DataAgentState

PAGE = Path(__file__).with_name("architecture.md")
START, END = "<!-- generated: start -->", "<!-- generated: end -->"


def picture(graph: Any) -> str:
    """The graph as Mermaid."""
    drawn = graph.get_graph()
    lines = ["```mermaid", "flowchart TD"]
    for edge in drawn.edges:
        arrow = "-.->" if edge.conditional else "-->"
        lines.append(f"    {plain(edge.source)} {arrow} {plain(edge.target)}")
    return "\n".join([*lines, "```"])


def plain(name: str) -> str:
    """A node name that Mermaid takes (`end` is a word of its own there)."""
    return {"__start__": "start((start))", "__end__": "stop((end))"}.get(name, name)


def rows(graph: Any) -> Iterator[str]:
    """A table row per node: name, label, what it does."""
    for name, node in graph.nodes.items():
        function = getattr(node.bound, "afunc", None)
        if label := getattr(function, "label", None):
            does = (sys.modules[function.__module__].__doc__ or "").strip().splitlines()[0]
            yield f"| `{name}` | {label} | {does} |"


def generated() -> str:
    """Everything between the markers."""
    question, front = nl2sql.build(), assistant.build()
    keys = ", ".join(f"`{key}`" for key in DataAgentState.__annotations__)
    return "\n".join(
        [
            START,
            "",
            "### The twelve nodes",
            "",
            picture(question),
            "",
            "| node | label | what it does |",
            "| --- | --- | --- |",
            *rows(question),
            "",
            "### The front door",
            "",
            picture(front),
            "",
            "| node | label | what it does |",
            "| --- | --- | --- |",
            *rows(front),
            "",
            f"The state: {keys}. The comment beside each key in `data_agent/state.py` names who writes it.",
            "",
            END,
        ]
    )


def page() -> str:
    """The whole page with a fresh generated part."""
    text = PAGE.read_text(encoding="utf-8")
    return text[: text.index(START)] + generated() + text[text.index(END) + len(END) :]


if __name__ == "__main__":
    fresh = page()
    if "--check" in sys.argv and fresh != PAGE.read_text(encoding="utf-8"):
        sys.exit("docs/architecture.md is stale: run `make docs`")
    PAGE.write_text(fresh, encoding="utf-8")
