"""The guard: the only maker of AdmittedSql. What it cannot fully examine it refuses."""

from collections.abc import Callable

from sqlglot import exp
from sqlglot.errors import SqlglotError

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.catalog import Catalog
from data_agent.errors import DataAgentError
from data_agent.options import Limits
from data_agent.sql import grammar, shape
from data_agent.sql.dialects import facts_for
from data_agent.sql.limits import cap
from data_agent.sql.reasons import refuse
from data_agent.sql.resolve import Resolver

Rewrite = Callable[[exp.Expression], exp.Expression]


def admit(
    sql: str,
    *,
    catalog: Catalog,
    dialect: str,
    limits: Limits,
    version: str = "",
    allowed_tables: frozenset[str] | None = None,
    rewrite: Rewrite | None = None,
) -> AdmittedSql:
    """Let one read-only query through, re-rendered, with every name found in the catalog and a row cap.

    Args:
        sql: the text as it came.
        catalog: what the caller may see; an empty one together with `allowed_tables` leaves columns unchecked.
        dialect: `mysql`, `mariadb` or `duckdb`.
        limits: only `max_rows` is used here.
        version: the server's version; empty when not known.
        allowed_tables: when given, only these tables of the catalog.
        rewrite: the caller's policy; gets the resolved tree and gives back the tree to run.

    Raises:
        UnsafeSql: the statement is not admitted, for whatever reason.
        DataAgentError: what `rewrite` itself raised.
    """
    try:
        return _admit(sql, catalog, dialect, limits, version, allowed_tables, rewrite)
    except DataAgentError:
        raise
    except RecursionError:
        raise refuse("too_deep", most=shape.MAX_DEPTH) from None
    except SqlglotError as error:
        raise refuse("unsupported", dialect=dialect, what=str(error)[:200]) from error
    except Exception as error:  # noqa: BLE001 - a guard that raises must refuse, never pass
        raise refuse("guard_failed", what=type(error).__name__) from error


def _admit(
    sql: str,
    catalog: Catalog,
    dialect: str,
    limits: Limits,
    version: str,
    allowed: frozenset[str] | None,
    rewrite: Rewrite | None,
) -> AdmittedSql:
    facts = facts_for(dialect, version)
    if facts is None:
        raise refuse("dialect", what=dialect)
    tree, repairs = shape.read(sql, facts, version)
    resolver = Resolver(catalog, facts, allowed)
    resolver.query(tree, None, {})
    if rewrite:
        tree = rewrite(tree)
    tree, limit, ours = cap(tree, limits.max_rows)
    rendered = grammar.render(tree, facts.grammar)
    shape.check_rendered(rendered, facts)
    return AdmittedSql(
        sql=rendered,
        dialect=dialect,
        tables=tuple(resolver.tables),
        columns=tuple(resolver.columns),
        limit=limit,
        capped=ours,
        repairs=tuple(dict.fromkeys(repairs)),
    )
