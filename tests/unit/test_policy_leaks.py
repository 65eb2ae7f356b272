"""What the policy hides is told nowhere: recall, choices, errors, notes, the database's own words."""

import re
from dataclasses import dataclass, replace

import pytest

from data_agent.context import DataAgentContext
from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Document
from data_agent.domain.metric import Metric
from data_agent.domain.policy import Budget, Mask, Policy, Role, RowFilter
from data_agent.domain.schema import Column
from data_agent.domain.value import Value
from data_agent.errors import CorrectionsExhausted, NotPermitted, NotUnderstood, StatementFailed
from data_agent.indexing.index import index
from data_agent.nodes.classify_intent import IntentReply
from data_agent.options import Limits, Options
from data_agent.policy.rights import Rights
from data_agent.policy.view import view
from data_agent.reading.lexicon import Lexicon
from data_agent.reading.mentions import mentions
from tests.cases.shop import CATALOG as SHOP
from tests.fakes.metadata import FakeMetadata
from tests.fakes.run import World
from tests.fakes.warehouse import FakeWarehouse, Told

COST = Metric(name="unit_costs", aliases=("成本总额",), table="products", expression="SUM(products.cost)")
MARGIN = Metric(name="margin", aliases=("毛利",), expression="{paid} - {unit_costs}")
PAYDAY = Document(title="工资政策", text="employees.score 决定奖金。", source="docs/pay.md")
OPEN = Document(title="渠道说明", text="渠道是下单的地方。", source="docs/channels.md")


def with_costs():
    tables = tuple(
        t.model_copy(
            update={
                "columns": (
                    *t.columns,
                    Column(table="products", name="cost", type="decimal", aliases=("进价",), examples=("3.5",)),
                ),
                "description": "商品，含进价",
            }
        )
        if t.name == "products"
        else t
        for t in SHOP.tables
    )
    return SHOP.model_copy(
        update={
            "tables": tables,
            "metrics": (*SHOP.metrics, COST, MARGIN),
            "documents": (PAYDAY, OPEN),
            "synonyms": {"赚头": ("毛利",), "门店": ("渠道",)},
        }
    )


CATALOG = with_costs()
ROLE = Role(
    name="sales",
    allow=("*",),
    deny=("employees", "departments", "products.cost", "customers.is_test"),
    filters=(RowFilter(table="customers", where="region = :caller.region", says="本大区"),),
    masks=(Mask(column="orders.order_no", kind="partial", keep_last=2),),
    budget=Budget(max_rows=50, seconds=5),
)
POLICY = Policy(roles=(ROLE,))
CALLER = Caller(name="li", role="sales", attributes={"region": "华东"})
RIGHTS = Rights.of(CATALOG, POLICY, CALLER)
HIDDEN = re.compile(r"employees|departments|部门|cost|进价|成本|毛利|margin|is_test|score|dept_id|manager_id")


def flat(sql: str) -> str:
    """On one line, however it is laid out."""
    return re.sub(r"(?<=\() | (?=\))", "", " ".join(sql.split()))


@dataclass
class Restricted(World):
    """The same world, asked by a caller under the policy; the indexes hold everything."""

    rights: Rights = RIGHTS

    async def context(self) -> DataAgentContext:
        whole = await super().context()
        return replace(
            whole, catalog=self.rights.view, lexicon=Lexicon.of(self.rights.view), rights=self.rights, caller=CALLER
        )

    async def indexed(self) -> "Restricted":
        await index(
            CATALOG,
            warehouse=FakeWarehouse(otherwise=Told(names=("v",), rows=())),
            embedder=self.embedder,
            column_index=self.column_index,
            metric_index=self.metric_index,
            value_index=self.value_index,
            metadata=FakeMetadata(),
        )
        return self


class KnowsValues:
    """A value index built from every row."""

    def __init__(self, *values: Value) -> None:
        self.values = list(values)

    async def search(self, words: object, limit: int) -> list[Value]:
        return self.values

    async def stamp(self) -> None:
        return None

    async def parts(self) -> dict[str, object]:
        return {}

    async def replace(self, stamp: object, values: object, **_: object) -> int:
        return 0


async def test_the_view_holds_nothing_that_is_hidden():
    seen = RIGHTS.view
    assert not HIDDEN.search(seen.model_dump_json())
    assert {t.name for t in CATALOG.tables} - {t.name for t in seen.tables} == {"employees", "departments"}
    assert "paid" not in {m.name for m in seen.metrics} or "is_test" not in seen.metric("paid").model_dump_json()
    assert [d.title for d in seen.documents] == ["渠道说明"]
    assert seen.synonyms == {"门店": ("渠道",)}


def test_relationships_and_keys_that_need_hidden_columns_are_gone():
    role = ROLE.model_copy(update={"deny": ("orders.customer_id", "orders.id", "orders.created_at")})
    seen = view(CATALOG, POLICY, role)
    assert not [r for r in seen.relationships if {"orders.customer_id", "orders.id"} & _ends(r)]
    assert seen.table("orders").primary_key == () and seen.table("orders").time_column is None


def _ends(link):
    near = {f"{link.from_table}.{name}" for name in link.from_columns}
    return near | {f"{link.to_table}.{name}" for name in link.to_columns}


def test_examples_of_rows_that_may_be_hidden_are_gone():
    columns = {"customers.region": ("华北",), "orders.order_no": ("A1",), "products.brand": ("苹果",)}
    tables = tuple(
        t.model_copy(
            update={"columns": tuple(c.model_copy(update={"examples": columns.get(c.id, ())}) for c in t.columns)}
        )
        for t in CATALOG.tables
    )
    seen = view(CATALOG.model_copy(update={"tables": tables}), POLICY, ROLE)
    assert [c for c in columns if seen.column(c).examples] == ["products.brand"]


def test_a_metric_that_reads_a_masked_column_is_gone():
    counted = Metric(name="numbers", table="orders", expression="COUNT(DISTINCT orders.order_no)")
    seen = view(CATALOG.model_copy(update={"metrics": (counted,)}), POLICY, ROLE)
    assert not seen.metrics


def test_views_of_two_roles_and_two_policies_have_their_own_versions():
    other = ROLE.model_copy(update={"name": "other"})
    stricter = ROLE.model_copy(update={"deny": (*ROLE.deny, "orders.rank")})
    assert len({view(CATALOG, POLICY, role).version for role in (ROLE, other, stricter)} | {CATALOG.version}) == 4


async def test_recall_gives_no_hidden_column_metric_or_table():
    world = await Restricted(["```sql\nSELECT COUNT(*) FROM orders\n```"]).indexed()
    state = await world.ask("员工的部门、进价、成本总额和毛利是多少")
    assert state["recalled_columns"] is not None
    assert all(RIGHTS.view.table(hit.table) for hit in state["recalled_columns"])
    assert all(RIGHTS.view.column(f"{h.table}.{h.column}") for h in state["recalled_columns"] if h.column)
    assert all(RIGHTS.view.metric(hit.metric) for hit in state["recalled_metrics"])
    shown = [t.model_dump_json() for t in state["tables"]] + [m.model_dump_json() for m in state["metrics"]]
    assert not [text for text in shown if HIDDEN.search(text)]
    asked = world.llm.prompts[0].replace("员工的部门、进价、成本总额和毛利是多少", "")
    assert not re.search(r"employees|departments|products\.cost|unit_costs|is_test|dept_id", asked)


async def test_a_search_of_the_catalog_by_words_finds_nothing_hidden():
    lexicon = Lexicon.of(RIGHTS.view)
    assert not list(mentions("部门 employees 毛利 成本总额 进价 margin", lexicon))


async def test_recalled_values_of_hidden_rows_and_columns_are_dropped():
    values = KnowsValues(
        Value(table="customers", column="region", text="华东", word="华东"),
        Value(table="customers", column="region", text="华北", word="华北"),
        Value(table="products", column="brand", text="苹果", word="苹果"),
        Value(table="orders", column="order_no", text="A100", word="A100"),
        Value(table="departments", column="name", text="财务", word="财务"),
    )
    warehouse = FakeWarehouse(otherwise=Told(names=("region",), rows=(("华东",),)))
    world = Restricted(["```sql\nSELECT COUNT(*) FROM orders\n```"], warehouse=warehouse, value_index=values)
    state = await world.ask("华东华北财务A100苹果")
    assert [value.text for value in state["recalled_values"]] == ["华东", "苹果"]
    looked_up = flat(warehouse.fetched[0])
    assert "WHERE (`customers`.region = '华东')" in looked_up and "IN ('华东', '华北')" in looked_up


async def test_when_the_warehouse_cannot_say_the_values_in_question_are_dropped():
    values = KnowsValues(Value(table="customers", column="region", text="华东", word="华东"))
    world = await Restricted(value_index=values, warehouse=FakeWarehouse()).indexed()
    with pytest.raises(NotUnderstood):
        await world.ask("华东的销售员")
    assert world.heard("reasoning")[0].reading.filters == ()


async def test_a_clarification_offers_no_hidden_choice():
    values = KnowsValues(
        Value(table="products", column="brand", text="苹果", word="苹果"),
        Value(table="products", column="category", text="苹果", word="苹果"),
        Value(table="departments", column="name", text="苹果", word="苹果"),
        Value(table="customers", column="name", text="苹果", word="苹果"),
    )
    warehouse = FakeWarehouse(otherwise=Told(names=("name",), rows=()))
    world = await Restricted(warehouse=warehouse, value_index=values).indexed()
    await world.ask("苹果的订单数")
    (ambiguity,) = world.heard("reasoning")[0].reading.ambiguities
    assert {choice.detail for choice in ambiguity.choices} == {"products.brand", "products.category"}


@pytest.mark.parametrize(
    "sql", ["SELECT cost FROM products", "SELECT p.costs FROM products p", "SELECT * FROM employee"]
)
async def test_the_error_for_an_unknown_name_suggests_no_hidden_one(sql):
    replies = [f"```sql\n{sql} WHERE {n} = {n}\n```" for n in range(4)]
    world = await Restricted(replies, options=Options(max_corrections=1)).indexed()
    with pytest.raises(CorrectionsExhausted) as failed:
        await world.ask("哪些渠道的表现让老板满意")
    told = failed.value.message.replace(sql, "")
    assert not re.search(r"departments|employees|is_test|products\.cost\b.*(?:Nearest|is in)", told)
    assert "Nearest: cost" not in told and "Tables: employees" not in told


async def test_what_is_not_understood_is_told_without_hidden_names():
    world = await Restricted().indexed()
    with pytest.raises(NotUnderstood) as failed:
        await world.ask("各部们的成夲总额")
    assert not HIDDEN.search(failed.value.message)


COMPLAINTS = [
    "Unknown column 'customers.is_test' in 'where clause'",
    'Referenced column "chanel" not found in FROM clause!\nCandidate bindings: "cost", "is_test"',
    "Conversion Error: Could not convert string '13812345678' to INT32",
    "Truncated incorrect DOUBLE value: '华北'",
    "You have an error near 'customers.region = '华东'' at line 1",
    "BIGINT value is out of range in '(`shop`.`employees`.`id` - 9)'",
    'Binder Error: something\n\nLINE 1: SELECT x FROM (SELECT "customers"."region" ...',
    "Division by zero in row 4711",
]


@pytest.mark.parametrize("complaint", COMPLAINTS)
def test_the_database_tells_nothing_of_columns_values_or_filters(complaint):
    told = RIGHTS.told(complaint, "SELECT chanel FROM orders")
    assert not re.search(r"is_test|cost|138|华|employees|region|4711", told)


def test_a_complaint_about_the_caller_s_own_words_is_told():
    complaint = "Unknown column 'chanel' in 'field list'"
    assert "field list" not in RIGHTS.told(complaint, "SELECT 1")
    assert RIGHTS.told("Unknown column 'chanel'", "SELECT chanel FROM orders") == "Unknown column 'chanel'"


async def test_an_explain_complaint_goes_through_the_same_sieve():
    warehouse = FakeWarehouse(otherwise=Told(complaint="Unknown column 'customers.is_test' in 'where clause'"))
    replies = [f"```sql\nSELECT name FROM customers WHERE {n} = {n}\n```" for n in range(4)]
    world = await Restricted(replies, warehouse=warehouse, options=Options(max_corrections=1)).indexed()
    with pytest.raises(CorrectionsExhausted) as failed:
        await world.ask("哪些渠道的表现让老板满意")
    assert "is_test" not in failed.value.message + "".join(world.llm.prompts)


async def test_a_failure_while_running_tells_no_value():
    failing = Told(
        error=StatementFailed("Could not convert string '13812345678' to INT32 (Conversion)", hint="rephrase")
    )
    failing_warehouse = FakeWarehouse(otherwise=failing)
    world = await Restricted(["```sql\nSELECT name FROM customers\n```"], warehouse=failing_warehouse).indexed()
    with pytest.raises(StatementFailed) as failed:
        await world.ask("哪些渠道的表现让老板满意")
    assert "138" not in failed.value.message


async def test_the_answer_shows_the_statement_without_the_filter_and_says_that_there_is_one():
    intent = IntentReply(intent="data_query", confidence=0.9)
    joined = "SELECT order_no, name FROM orders JOIN customers ON customers.id = orders.customer_id"
    world = await Restricted([intent, f"```sql\n{joined}\n```"]).indexed()
    state = await world.ask("哪些渠道的表现让老板满意", front=True)
    answer = state["answer"]
    (asked,) = [sql for sql in world.warehouse.fetched if "order_no" in sql]
    assert "region = '华东'" in asked and "****" in asked
    assert flat(answer.sql).startswith(f"{joined} LIMIT ")
    notes = " ".join(answer.warnings)
    assert "本大区" in notes and "脱敏" in notes and "华东" not in notes


async def test_the_composed_path_is_cut_as_well():
    world = await Restricted().indexed()
    state = await world.ask("各大区的客户数", front=True)
    assert state["written_by"] == "reading"
    assert "WHERE (`customers`.region = '华东')" in flat(world.warehouse.fetched[-1])
    assert "华东" not in state["answer"].sql and "本大区" in " ".join(state["answer"].warnings)


def test_a_budget_lowers_limits_and_never_raises_one():
    assert RIGHTS.lowered(Limits()) == Limits(max_rows=50, seconds=5)
    assert RIGHTS.lowered(Limits(max_rows=10, seconds=1)) == Limits(max_rows=10, seconds=1)


def test_a_role_that_is_not_in_the_policy_sees_nothing():
    with pytest.raises(NotPermitted, match="guest"):
        Rights.of(CATALOG, POLICY, Caller(role="guest"))
