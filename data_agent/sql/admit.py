"""The guard: the only maker of AdmittedSql. What it cannot fully examine it refuses."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlglot import exp
from sqlglot.errors import SqlglotError

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.catalog import Catalog
from data_agent.errors import DataAgentError
from data_agent.options import Limits
from data_agent.sql import grammar, parsing, shape
from data_agent.sql.dialects import facts_for
from data_agent.sql.joined import unjoined
from data_agent.sql.limits import cap
from data_agent.sql.reasons import refuse
from data_agent.sql.resolve import Resolver

Rewrite = Callable[[exp.Expression], exp.Expression]


@contextmanager
def refusing(dialect: str) -> Iterator[None]:
    """Turn whatever goes wrong inside into a refusal: a guard that breaks must never let pass.

    Raises:
        UnsafeSql: anything was raised that is not one of our own errors.
    """
    try:
        yield
    except DataAgentError:
        raise
    except RecursionError:
        raise refuse("too_deep", most=parsing.MAX_DEPTH) from None
    except SqlglotError as error:
        raise refuse(
            "unsupported", dialect=dialect, what=str(error)[:200].replace("WarehouseMySQL", "MySQL")
        ) from error
    except Exception as error:
        raise refuse("guard_failed", what=type(error).__name__) from error


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

    `catalog` is what the caller may see; an empty one together with `allowed_tables` leaves columns unchecked. Of
    `limits` only `max_rows` counts here. `version` is the server's, empty when not known. `rewrite` is the caller's
    policy: it gets the resolved tree and gives back the tree to run.

    Raises:
        UnsafeSql: the statement is not admitted, for whatever reason.
        DataAgentError: what `rewrite` itself raised.
    """
    with refusing(dialect):
        facts = facts_for(dialect, version)
        if facts is None:
            raise refuse("dialect", what=dialect)
        tree, repairs = shape.read(sql, facts, version)
        resolver = Resolver(catalog, facts, allowed_tables)
        resolver.statement(tree)
        apart = unjoined(tree)
        capped = cap(rewrite(tree) if rewrite else tree, limits.max_rows)
        rendered = parsing.checked(grammar.render(capped.tree, facts.grammar), facts)
        return AdmittedSql(
            sql=rendered,
            dialect=dialect,
            tables=tuple(resolver.bases.tables),
            columns=tuple(resolver.columns),
            limit=capped.limit,
            capped=capped.ours,
            repairs=tuple(dict.fromkeys(repairs)),
            unjoined=apart,
        )
