"""The verifier against the rewriter: everything it writes is proven, and no mutant of it is."""

import random
from collections.abc import Iterator
from functools import lru_cache

import pytest
from sqlglot import exp, parse_one
from sqlglot.errors import ParseError

from data_agent.domain.policy import Policy
from data_agent.errors import UnsafeSql
from data_agent.options import Limits
from data_agent.policy.rights import Rights
from data_agent.sql.admit import admit
from data_agent.verify.shapes import conjuncts
from data_agent.verify.verify import verify
from tests.cases.policy_queries import Maker
from tests.cases.policy_star import CALLER, POLICY, star

STAR = star()
RIGHTS = Rights.of(STAR, POLICY, CALLER)
DIALECTS = ["mysql", "duckdb"]
STATEMENTS = [
    "SELECT SUM(o.amount) AS s FROM orders AS o",
    "SELECT c.name, c.phone, c.born, c.level FROM customers AS c ORDER BY c.phone",
    "SELECT i.price, i.qty FROM items AS i WHERE i.order_id IN (SELECT order_id FROM orders)",
    "SELECT o.note, o.created FROM orders AS o UNION SELECT c.name, c.born FROM customers AS c",
    "WITH orders AS (SELECT order_id, customer_id FROM orders) SELECT * FROM orders JOIN customers USING (customer_id)",
    "SELECT p.price, (SELECT MAX(i.price) FROM items AS i WHERE i.product_id = p.product_id) AS m FROM products AS p",
]


def written(sql: str, dialect: str) -> str:
    return admit(sql, catalog=RIGHTS.view, dialect=dialect, limits=Limits(), rewrite=RIGHTS.rewriting(dialect)).sql


def proven(sql: str, dialect: str, policy: Policy = POLICY) -> bool:
    try:
        verify(sql, dialect=dialect, catalog=STAR, policy=policy, caller=CALLER)
    except UnsafeSql as refusal:
        assert refusal.reason_code == "policy_not_proven"
        return False
    return True


@pytest.mark.parametrize("dialect", DIALECTS)
def test_whatever_the_rewriter_makes_of_random_queries_is_proven(dialect: str) -> None:
    maker, count = Maker(random.Random(20260701)), 0
    for _ in range(60):
        try:
            sql = written(maker.statement(), dialect)
        except UnsafeSql:
            continue
        assert proven(sql, dialect), sql
        count += 1
    assert count > 40


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_same_statements_are_refused_when_nobody_rewrote_them(dialect: str) -> None:
    for sql in STATEMENTS:
        plain = admit(sql, catalog=RIGHTS.view, dialect=dialect, limits=Limits()).sql
        assert not proven(plain, dialect), plain


def guarded(tree: exp.Expr) -> list[exp.Select]:
    """The queries that the rewriter put around base tables."""
    names = {table.name for table in STAR.tables}
    found = [s for s in tree.find_all(exp.Select) if (f := s.args.get("from_")) and f.this.name in names]
    return [select for select in found if isinstance(select.parent, exp.Subquery) and not select.args.get("joins")]


def pieces(tree: exp.Expr) -> list[exp.Expr]:
    """Every node of a filter or a mask."""
    wheres = [where for select in guarded(tree) if (where := select.args.get("where"))]
    masks = [
        item for select in guarded(tree) for item in select.expressions if not isinstance(item.unalias(), exp.Column)
    ]
    return [node for part in (*wheres, *masks) for node in part.walk()]


def changes(node: exp.Expr) -> Iterator[exp.Expr | None]:
    """What could stand in place of a node; None takes it away."""
    if isinstance(node, exp.Where):
        yield None
        yield exp.Where(this=exp.Or(this=exp.paren(node.this.copy()), expression=exp.true()))
    if isinstance(node, exp.Where | exp.From | exp.Alias | exp.Identifier | exp.TableAlias | exp.Query | exp.Table):
        return
    if isinstance(node, exp.Literal):
        yield exp.Literal(this=node.name + "1", is_string=node.is_string)
        return
    if isinstance(node, exp.Column):
        yield exp.column("customer_id" if node.name != "customer_id" else "region_id", table=node.table or None)
        return
    if isinstance(node, exp.Predicate | exp.Connector) and not isinstance(node.parent, exp.EQ):
        yield exp.Not(this=exp.paren(node.copy()))
        yield exp.Or(this=exp.paren(node.copy()), expression=exp.true())
        yield exp.true()
    swapped: dict[type[exp.Expr], type[exp.Expr]] = {
        exp.And: exp.Or,
        exp.Or: exp.And,
        exp.EQ: exp.NEQ,
        exp.GT: exp.GTE,
        exp.Sub: exp.Add,
        exp.Add: exp.Sub,
    }
    if (other := swapped.get(type(node))) and not isinstance(node.this, exp.Literal):
        yield other(this=node.this.copy(), expression=node.expression.copy())
    yield from (child.copy() for child in node.iter_expressions() if isinstance(child, exp.Condition))


def mutants(sql: str, dialect: str) -> Iterator[str]:
    """The statement with one node of one filter or mask changed."""
    tree = parse_one(sql, dialect=dialect)
    for at, node in enumerate(pieces(tree)):
        for number, _ in enumerate(list(changes(node))):
            copy = tree.copy()
            target = pieces(copy)[at]
            new = list(changes(target))[number]
            target.pop() if new is None else target.replace(new)
            yield copy.sql(dialect=dialect)


def bare(node: exp.Expr) -> str:
    """A piece without its brackets, told in full."""
    copy = node.copy()
    while paren := next((p for p in copy.find_all(exp.Paren) if p is not copy), None):
        paren.replace(paren.this)
    return repr(copy.this if isinstance(copy, exp.Paren) else copy)


def reads_more(item: exp.Expr) -> bool:
    """Whether an item reads a column that the role gets masked or not at all."""
    (role,) = POLICY.roles
    columns = item.find_all(exp.Column)
    return any(role.mask_of(c.table, c.name) or not role.sees(c.table, c.name) for c in columns)


@lru_cache(maxsize=32)
def told(sql: str, dialect: str) -> tuple[list[str], list[str]]:
    """The conditions of every guarding query, and what its list reads."""
    selects = guarded(parse_one(sql, dialect=dialect))
    wheres = [conjuncts(where.this) if (where := select.args.get("where")) else [] for select in selects]
    conditions = [
        each.expression if isinstance(each, exp.EQ) and each.this.name == "1" else each for w in wheres for each in w
    ]
    items = [item for select in selects for item in select.expressions if reads_more(item)]
    return [bare(each) for each in conditions], [bare(item) for item in items]


def same(mutant: str, sql: str, dialect: str) -> bool:
    """Mutants that give nothing away: only brackets changed, `1 = (x)` became x, or a mask has nothing to hide now."""
    try:
        (conditions, items), (were, had) = told(mutant, dialect), told(sql, dialect)
    except ParseError:
        return True
    return conditions == were and set(items) <= set(had)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_no_filter_and_no_mask_can_lose_or_change_a_node(statement: str, dialect: str) -> None:
    sql = written(statement, dialect)
    assert proven(sql, dialect)
    tried = [mutant for mutant in dict.fromkeys(mutants(sql, dialect)) if not same(mutant, sql, dialect)]
    assert len(tried) >= 6
    assert [mutant for mutant in tried if proven(mutant, dialect)] == []


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_no_guarding_query_can_become_the_bare_table(statement: str, dialect: str) -> None:
    tree = parse_one(written(statement, dialect), dialect=dialect)
    for at in range(len(guarded(tree))):
        copy = tree.copy()
        select = guarded(copy)[at]
        table = select.args["from_"].this
        around = select.parent
        assert around is not None
        if alias := around.args.get("alias"):
            table.set("alias", alias.copy())
        around.replace(table.copy())
        assert not proven(copy.sql(dialect=dialect), dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_policy_in_force_is_the_one_that_counts(dialect: str) -> None:
    """A statement written under one policy is refused under a stricter one, or for another salt."""
    sql = written("SELECT c.name FROM customers AS c", dialect)
    assert not proven(sql, dialect, POLICY.model_copy(update={"salt": "another salt that is long enough"}))
    (role,) = POLICY.roles
    stricter = role.model_copy(update={"deny": (*role.deny, "customers")})
    assert not proven(sql, dialect, POLICY.model_copy(update={"roles": (stricter,)}))
