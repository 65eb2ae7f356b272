"""The door of the verifier: a text, the whole catalog, a policy and a caller go in; nothing comes out, or a refusal."""

from sqlglot import exp

from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Catalog
from data_agent.domain.policy import Policy
from data_agent.verify.rights import Rights
from data_agent.verify.text import parse
from data_agent.verify.unproven import Unproven
from data_agent.verify.walk import Walk


def verify(sql: str, *, dialect: str, catalog: Catalog, policy: Policy, caller: Caller) -> None:
    """Prove that the final text of a statement keeps to the caller's role; it is read anew, nothing is taken on trust.

    `catalog` is the whole one, not the caller's view: what is hidden has to be known to be missed.

    Raises:
        UnsafeSql: it could not be proven, for whatever reason (`reason_code` is "policy_not_proven").
    """
    try:
        rights = Rights.of(catalog, policy, caller, dialect)
        tree, count = parse(sql, dialect)
        Walk(rights, implicit=dialect == "duckdb").statement(tree, count)
        _let_go(tree)
    except Unproven as reason:
        raise reason.refusal() from None
    except Exception as error:
        raise Unproven("failed").refusal() from error


def _let_go(tree: exp.Expr) -> None:
    """Untie the tree's knots, so that it is gone at once: thousands of them make the collector stop everything."""
    for node in tree.walk():
        node.parent = None
