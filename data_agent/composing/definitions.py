"""A metric's own conditions in words, so that nobody has to guess what a number leaves out."""

from sqlglot import exp

from data_agent.composing.measures import Value
from data_agent.composing.scope import Scope
from data_agent.composing.tree import parsed
from data_agent.domain.schema import Column


def tell_filters(scope: Scope, values: tuple[Value, ...]) -> None:
    """Note the conditions that always apply, once for each metric."""
    for value in values:
        for measure in value.measures:
            if measure.filters:
                said = [_said(scope, text) for text in measure.filters]
                joint = "，" if scope.reading.language == "zh" else ", "
                scope.note("filters", metric=measure.label, filters=joint.join(said))


def _said(scope: Scope, text: str) -> str:
    """The condition with columns and codes as people call them; what has no such words stays SQL."""
    tree = parsed(text)
    subject = tree.this.this if isinstance(tree.this, exp.Coalesce) else tree.this
    if not isinstance(tree, exp.EQ | exp.In) or not isinstance(subject, exp.Column):
        return text
    found = scope.catalog.column(f"{subject.table}.{subject.name}")
    codes = tree.expressions if isinstance(tree, exp.In) else [tree.expression]
    if found is None or not codes or not all(isinstance(code, exp.Literal) for code in codes):
        return text
    joint = "、" if scope.reading.language == "zh" else " / "
    return f"{found.label(scope.reading.language)} = {joint.join(_name(found, code.name) for code in codes)}"


def _name(found: Column, code: str) -> str:
    return found.labels.get(code, code)
