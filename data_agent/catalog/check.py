"""Do the references of a catalog hold? Columns, joins, formulas and cycles, each mistake with its place."""

import difflib
from collections.abc import Iterable, Iterator

from data_agent.catalog.assemble import Draft
from data_agent.catalog.formula import parts_of, read_formula
from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Table


def check(draft: Draft) -> tuple[list[str], list[str]]:
    """All problems and all warnings of a draft."""
    problems = [*draft.problems, *_table_problems(draft), *_link_problems(draft), *_metric_problems(draft)]
    return problems, [*draft.warnings, *_warnings(draft)]


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean x?`, or nothing."""
    folded = {name.casefold(): name for name in known}
    match = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=0.5)
    return f"; did you mean `{folded[match[0]]}`?" if match else ""


def _table_problems(draft: Draft) -> Iterator[str]:
    if not draft.catalog.tables:
        yield f"{_any_file(draft)}:1: tables: a catalog needs at least one table"
    for table in draft.catalog.tables:
        place = draft.places[f"table:{table.name.casefold()}"]
        names = [column.name for column in table.columns]
        wanted = [("primary_key", name) for name in table.primary_key]
        wanted += [(field, name) for field in ("label_column", "time_column") if (name := getattr(table, field))]
        for field, name in wanted:
            if table.column(name) is None:
                yield place.say(field, f"`{table.name}` has no column `{name}`{nearest(name, names)}")
        if problem := _domain_problem(draft.catalog, table.domain):
            yield place.say("domain", problem)


def _any_file(draft: Draft) -> str:
    return next((place.source.file for place in draft.places.values()), "catalog")


def _domain_problem(catalog: Catalog, name: str | None) -> str:
    names = [domain.name for domain in catalog.domains]
    return f"there is no domain `{name}`{nearest(name, names)}" if name and name not in names else ""


def _column_problem(catalog: Catalog, column_id: str) -> str:
    """Why `table.column` does not exist, or nothing."""
    table_name, _, name = column_id.rpartition(".")
    if not table_name:
        return f"`{column_id}` needs its table: write `table.{column_id}`"
    table = catalog.table(table_name)
    if table is None:
        return f"there is no table `{table_name}`{nearest(table_name, (t.name for t in catalog.tables))}"
    if table.column(name) is None:
        return f"`{table.name}` has no column `{name}`{nearest(name, (c.name for c in table.columns))}"
    return ""


def _link_problems(draft: Draft) -> Iterator[str]:
    for index, link in enumerate(draft.catalog.relationships):
        place = draft.places[f"relationship:#{index}"]
        sides = (("from", link.from_table, link.from_columns), ("to", link.to_table, link.to_columns))
        for field, table, columns in sides:
            for column in columns:
                if table and (problem := _column_problem(draft.catalog, f"{table}.{column}")):
                    yield place.say(field, problem)


def _metric_problems(draft: Draft) -> Iterator[str]:
    for metric in draft.catalog.metrics:
        place = draft.places[f"metric:{metric.name.casefold()}"]
        for field, problem in _of_metric(draft.catalog, metric):
            yield place.say(field, problem)


def _of_metric(catalog: Catalog, metric: Metric) -> Iterator[tuple[str, str]]:
    names = [other.name for other in catalog.metrics]
    if metric.table and catalog.table(metric.table) is None:
        yield "table", f"there is no table `{metric.table}`{nearest(metric.table, (t.name for t in catalog.tables))}"
    if problem := _domain_problem(catalog, metric.domain):
        yield "domain", problem
    if metric.finer and (metric.finer not in names or metric.finer == metric.name):
        yield "finer", f"`{metric.finer}` is no other metric{nearest(metric.finer, set(names) - {metric.name})}"
    if metric.time_column and (problem := _column_problem(catalog, metric.time_column)):
        yield "time_column", problem
    yield from _derived_problems(catalog, metric) if metric.derived else _expression_problems(catalog, metric)
    used = {c for text in (metric.expression, *metric.filters) if text for c in read_formula(text).columns}
    for column in metric.relevant_columns:
        problem = "" if column in used or metric.derived else _column_problem(catalog, column)
        if problem and column != metric.time_column:
            yield "relevant_columns", problem


def _expression_problems(catalog: Catalog, metric: Metric) -> Iterator[tuple[str, str]]:
    if metric.expression:
        formula = read_formula(metric.expression)
        if formula.complaint:
            yield "expression", formula.complaint
        elif not formula.aggregates:
            yield "expression", "needs an aggregate such as SUM(…) around its columns"
        elif metric.table is None:
            yield "table", "is missing: the expression does not name exactly one table"
        yield from (("expression", p) for c in formula.columns if (p := _column_problem(catalog, c)))
    yield from _filter_problems(catalog, metric)


def _filter_problems(catalog: Catalog, metric: Metric) -> Iterator[tuple[str, str]]:
    for text in metric.filters:
        formula = read_formula(text)
        if formula.complaint or formula.aggregates:
            yield "filters", f"`{text}`: {formula.complaint or 'a filter must not aggregate'}"
        for column in formula.columns:
            problem = _column_problem(catalog, column)
            if not problem and metric.table and not _reachable(catalog, metric.table, column.rpartition(".")[0]):
                problem = f"`{column}` cannot be joined to `{metric.table}` without repeating its rows"
            if problem:
                yield "filters", f"`{text}`: {problem}"


def _reachable(catalog: Catalog, start: str, goal: str) -> bool:
    """Whether `goal` hangs on `start` by links that never repeat a row of `start`."""
    links = [*catalog.relationships, *(link.reversed() for link in catalog.relationships)]
    seen, queue = {start.casefold()}, [start.casefold()]
    for table in queue:
        for link in links:
            target = link.to_table.casefold()
            if link.from_table.casefold() == table and not link.multiplies and target not in seen:
                seen.add(target)
                queue.append(target)
    return goal.casefold() in seen


def _derived_problems(catalog: Catalog, metric: Metric) -> Iterator[tuple[str, str]]:
    names = [other.name for other in catalog.metrics]
    formula = read_formula(metric.expression)
    if formula.complaint:
        yield "expression", formula.complaint
    elif formula.columns or formula.aggregates:
        yield "expression", "arithmetic over metrics must name metrics only, each in braces"
    for name in parts_of(metric.expression):
        if name not in names:
            yield "expression", f"there is no metric `{name}`{nearest(name, names)}"
    if metric.filters:
        yield "filters", "a derived metric takes the filters of its parts; give them there"
    if cycle := _cycle(catalog, metric.name, ()):
        yield "expression", f"goes round in a circle: {' → '.join(cycle)}"


def _cycle(catalog: Catalog, name: str, trail: tuple[str, ...]) -> tuple[str, ...]:
    """The way from a metric back to itself, if there is one."""
    if name in trail:
        return (*trail, name) if name == trail[0] else ()
    metric = catalog.metric(name)
    parts = parts_of(metric.expression) if metric else ()
    return next((found for part in parts if (found := _cycle(catalog, part, (*trail, name)))), ())


def _warnings(draft: Draft) -> Iterator[str]:
    catalog = draft.catalog
    yield from _shared_aliases(draft)
    for metric in catalog.metrics:
        if not metric.expression:
            place = draft.places[f"metric:{metric.name.casefold()}"]
            yield place.say("", "no expression: it can be found and explained, and only a model can compute it")
    if len(catalog.tables) > 1 and not catalog.relationships:
        yield f"{_any_file(draft)}:1: relationships: none, so questions cannot join tables; write `from`/`to` pairs"
    for table in catalog.tables:
        yield from _table_warnings(draft, table)


def _table_warnings(draft: Draft, table: Table) -> Iterator[str]:
    place = draft.places[f"table:{table.name.casefold()}"]
    dated = (t.name for t in draft.catalog.tables if t.time_column)
    if table.role in {"fact", "snapshot"} and not any(_reachable(draft.catalog, table.name, name) for name in dated):
        yield place.say("", "no time_column: questions about a period need one")


def _shared_aliases(draft: Draft) -> Iterator[str]:
    """A word that means two metrics makes every question with it ambiguous."""
    owner: dict[str, str] = {}
    for metric in draft.catalog.metrics:
        for word in dict.fromkeys(w.casefold() for w in (metric.name, *metric.aliases)):
            first = owner.setdefault(word, metric.name)
            if first != metric.name:
                place = draft.places[f"metric:{metric.name.casefold()}"]
                yield place.say("aliases", f"`{word}` also means `{first}`; a question with it will be asked back")
