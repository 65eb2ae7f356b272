"""The report to look at: one page of HTML with nothing to load; everything from outside is escaped."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from data_agent.evaluation.answers import Outcome

STYLE = """
:root { color-scheme: light dark; --line: #8884; --right: #2f6f62; --wrong: #a4332a; --quiet: #8a5a00 }
body { font: 15px/1.5 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif;
 max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
td, th { padding: .2rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
details { border-bottom: 1px solid var(--line); padding: .4rem 0 }
summary { cursor: pointer } pre { white-space: pre-wrap; background: #8881; padding: .5rem; border-radius: 4px }
b.right { color: var(--right) } b.wrong { color: var(--wrong) } b.quiet { color: var(--quiet) }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem } small { opacity: .7 }
"""
SHOWN = ("questions", "answered", "right", "coverage", "precision", "accuracy", "unanswerable", "on_purpose", "seconds")
FIRST = {"wrong": 0, "should not have answered": 1, "no gold": 2, "unanswered": 3}


def page(report: Mapping[str, Any], outcomes: Sequence[Outcome], title: str) -> str:
    """Figures first, then every question, the wrong ones on top."""
    ordered = sorted(outcomes, key=lambda each: FIRST.get(each.verdict, 9))
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
        f"<h1>{escape(title)}</h1>{_figures(report)}{''.join(map(_question, ordered))}</html>"
    )


def _figures(report: Mapping[str, Any]) -> str:
    rows = [("all", "", report), *((row["source"], row["lang"], row) for row in report["results"])]
    head = _row("th", ["source", "lang", *SHOWN])
    return f"<table>{head}{''.join(_row('td', [a, b, *(row[key] for key in SHOWN)]) for a, b, row in rows)}</table>"


def _question(each: Outcome) -> str:
    kind = "right" if each.verdict == "right" else "wrong" if each.answered else "quiet"
    parts = [
        f"<p>{_text(each.asked.words)}</p>" if each.asked.words else "",
        f"<p>{_text(each.note or each.asked.answer.summary)}</p>",
        _side("SQL", each.asked.answer.sql or "", each.rows),
        _side("gold", "\n\n".join(each.question.gold), each.gold_rows),
    ]
    return (
        f'<details><summary><b class="{kind}">{each.verdict}</b> {_text(each.question.question)} '
        f"<small>{_text(each.question.id)} {_text(each.question.database)}</small></summary>"
        f'{parts[0]}{parts[1]}<div class="sides">{parts[2]}{parts[3]}</div></details>'
    )


def _side(name: str, sql: str, rows: Iterable[Sequence[Any]]) -> str:
    body = "".join(_row("td", row) for row in rows)
    return f"<div><small>{name}</small><pre>{_text(sql)}</pre><table>{body}</table></div>"


def _row(tag: str, cells: Iterable[Any]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_text(cell)}</{tag}>' for cell in cells)}</tr>"


def _text(value: Any) -> str:
    return "∅" if value is None else escape(str(value))
