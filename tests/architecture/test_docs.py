"""Generated pages are current, and links between pages lead somewhere."""

import re

import pytest

from docs.generate import pages
from tests.architecture.test_shape import ROOT, name_of

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def test_generated_pages_are_written_from_this_very_code() -> None:
    stale = [page.name for page, text in pages().items() if text != page.read_text(encoding="utf-8")]
    assert not stale, "run `make docs`"


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_every_link_to_a_file_leads_somewhere(path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_readme_shows_both_commands(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "make demo" in text and "make test" in text
