"""Load and render the prompts: one file per model call and language, `prompts/<node>.<language>.md`."""

from functools import cache
from importlib.resources import files
from string import Template

from data_agent.domain.language import Language


@cache
def load(name: str, language: Language) -> Template:
    """The prompt file as a template; a missing one is a mistake of ours and raises FileNotFoundError."""
    return Template(files("prompts").joinpath(f"{name}.{language}.md").read_text(encoding="utf-8"))


def render(name: str, language: Language, **slots: object) -> str:
    """Fill the `$slots` of a prompt; a slot without a value raises KeyError."""
    return load(name, language).substitute({key: str(value) for key, value in slots.items()})
