"""Copies of trees that are quick to copy again."""

from typing import TypeVar

from sqlglot import exp

Node = TypeVar("Node", bound=exp.Expr)


def bare(node: Node) -> Node:
    """A copy without comments and without the places its words had in a text, which is most of what a copy costs."""
    made = {name: _bare(value) for name, value in node.args.items()}
    return type(node)(**made)


def _bare(value: object) -> object:
    if isinstance(value, exp.Expr):
        return bare(value)
    return [_bare(each) for each in value] if isinstance(value, list) else value
