"""The house rules that a machine can count."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("data_agent", "repositories", "api", "scripts", "demo")
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
TWELVE = [
    *("extract_keywords", "recall_column", "recall_value", "recall_metric", "merge_retrieved_info", "filter_table"),
    *("filter_metric", "add_extra_context", "generate_sql", "validate_sql", "correct_sql", "execute_sql"),
]
VAGUE = ("utils", "helper", "common", "manager", "misc", "process", "handle")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_is_short_and_so_are_its_functions(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 300
    long = [f.name for f in functions(ast.parse(text)) if (f.end_lineno or 0) - f.lineno + 1 > 40]
    assert not long


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_name_says_something(path: Path) -> None:
    words = set(re.split(r"[_/.]", name_of(path)))
    assert not words & set(VAGUE)


def test_the_twelve_nodes_have_a_file_and_a_function_each() -> None:
    for name in TWELVE:
        tree = ast.parse((ROOT / "data_agent/nodes" / f"{name}.py").read_text(encoding="utf-8"))
        assert name in {function.name for function in functions(tree)}


@pytest.mark.parametrize("path", sorted((ROOT / "data_agent/nodes").glob("[a-z]*.py")), ids=name_of)
def test_a_node_is_announced_in_chinese(path: Path) -> None:
    if path.stem == "__init__":
        return
    text = path.read_text(encoding="utf-8")
    labels = re.findall(r'@step\("([^"]+)"\)', text)
    assert len(labels) == 1
    assert re.fullmatch(r"[\u4e00-\u9fff]{4,6}", labels[0])


def calls_of(name: str) -> set[str]:
    found = set()
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
        if any(getattr(func, "id", getattr(func, "attr", "")) == name for func in names):
            found.add(name_of(path))
    return found


def test_only_the_guard_makes_admitted_sql() -> None:
    assert calls_of("AdmittedSql") == {"data_agent/sql/admit.py"}


def test_no_model_is_built_past_validation() -> None:
    assert not calls_of("model_construct")


def test_every_prompt_exists_in_both_languages() -> None:
    names = {path.name.split(".")[0] for path in (ROOT / "prompts").glob("*.md")}
    for name in names:
        assert (ROOT / "prompts" / f"{name}.zh.md").exists()
        assert (ROOT / "prompts" / f"{name}.en.md").exists()


def test_every_dependency_has_its_reason() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    reasons = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    missing = {re.split(r"[\[><=]", one)[0] for one in named if not one.startswith("data-agent")}
    assert {name for name in missing if f"`{name}`" not in reasons} == set()


def test_no_file_names_a_package_registry_or_a_machine_path() -> None:
    here = "|".join(re.escape(place) for place in (str(ROOT), str(ROOT.parent / "shared"), f"{Path.home()}/"))
    pattern = re.compile(rf"index-url\s|https?://[^ \"]*(?:pypi|pythonhosted|npmjs|maven\.org)|/root/|{here}")
    suffixes = {".py", ".md", ".toml", ".lock", ".yaml", ".yml", ".sh", ".js", ".html", ".xml", ".cfg"}
    me = Path(__file__)
    folders = (*ROOMS, "docs", "tests", "services", "benchmarks", "prompts")
    files = [
        path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in suffixes and path != me
    ]
    found = [
        name_of(p)
        for p in [*files, *ROOT.glob("*.*")]
        if p.is_file() and p.suffix in suffixes and pattern.search(p.read_text("utf-8"))
    ]
    assert not found
