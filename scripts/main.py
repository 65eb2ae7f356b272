"""`data-agent <verb>`: one file per verb, loaded only when its verb is called, so that help comes at once."""

import ast
import logging
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import Any

VERBS = (
    *("ask", "demo", "serve", "index", "doctor", "query", "admit", "dates"),
    *("eval-answers", "eval-linking"),
    *("introspect", "catalog", "import", "export"),
)
USAGE, UNEXPECTED, INTERRUPTED = 64, 70, 130


def main() -> None:
    """Run one verb and leave with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """The exit code of one call; a wrong call is 64 and one line, never a traceback."""
    words = list(arguments)
    debug = "--debug" in words
    verb, rest = (words[0], [word for word in words[1:] if word != "--debug"]) if words else ("--help", [])
    if verb in {"--help", "-h", "help"}:
        print(overview())  # noqa: T201
        return 0
    if verb == "--version":
        from importlib.metadata import version

        print(f"data-agent {version('data-agent')}")  # noqa: T201
        return 0
    if verb == "eval":
        verb, rest = "-".join([verb, *rest[:1]]), rest[1:]
    if verb not in VERBS:
        return _complain(f"no such command: {verb}; see `data-agent --help` · 没有这个命令", USAGE)
    return _guarded(verb, rest, debug)


def overview() -> str:
    """What can be called, read from the files without importing them."""
    lines = [f"  {verb.replace('eval-', 'eval '):<16}{_summary(verb)}" for verb in VERBS if _file(verb).exists()]
    return "\n".join(
        [
            "data-agent: ask your database in Chinese or English · 用中文或英文提问，得到可核对的 SQL 与答案",
            "",
            "usage: data-agent <command> [options]     (data-agent <command> --help)",
            "",
            *lines,
            "",
            "  --debug       show the traceback of an unexpected error",
            "  --version",
        ]
    )


def _guarded(verb: str, rest: list[str], debug: bool) -> int:
    """Call a verb; foreign errors become one line unless debugging."""
    from data_agent.errors import DataAgentError

    if not debug:
        logging.getLogger().addHandler(logging.NullHandler())
    try:
        return _called(verb, rest)
    except DataAgentError as error:
        if debug:
            raise
        return _complain(f"{error.message}\n{error.hint}".rstrip(), error.exit_code)
    except KeyboardInterrupt:
        return _complain("stopped · 已停止", INTERRUPTED)
    except BrokenPipeError:
        return 0
    except Exception as error:
        if debug:
            raise
        if isinstance(error, OSError) and error.filename is not None:
            reason = (error.strerror or type(error).__name__).lower()
            return _complain(f"{error.filename}: {reason} · 无法读写该文件\ncheck the path and its permissions", USAGE)
        return _complain(
            f"unexpected {type(error).__name__}: run again with --debug and report what it shows"
            " · 意外错误，请加 --debug 重试并反馈输出",
            UNEXPECTED,
        )


def _called(verb: str, rest: list[str]) -> int:
    import typer
    from typer.core import TyperCommand
    from typer.exceptions import TyperException

    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name=verb)(_function(verb))
    command = typer.main.get_command(app)
    assert isinstance(command, TyperCommand)  # noqa: S101  one verb is one command
    try:
        result = command.main(rest, prog_name=f"data-agent {verb}", standalone_mode=False)
    except TyperException as error:
        return _complain(f"{error.format_message()} (see `data-agent {verb} --help`)", USAGE)
    return result if isinstance(result, int) else 0


def _function(verb: str) -> Callable[..., Any]:
    name = _file(verb).stem
    found: Callable[..., Any] = getattr(import_module(f"scripts.{name}"), name)
    return found


def _file(verb: str) -> Path:
    name = verb.replace("-", "_")
    return Path(__file__).with_name(f"{name}_.py" if iskeyword(name) else f"{name}.py")


def _summary(verb: str) -> str:
    text = ast.get_docstring(ast.parse(_file(verb).read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0].rstrip(".")


def _complain(message: str, code: int) -> int:
    print(message, file=sys.stderr)  # noqa: T201
    return code


if __name__ == "__main__":
    main()
