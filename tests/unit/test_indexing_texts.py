"""What is embedded and searched for each part of a catalog."""

from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.schema import Column, Table
from data_agent.indexing.marks import value_marks
from data_agent.indexing.plan import Rates, Survey
from data_agent.indexing.texts import MAX_CHARS, joined_names, metric_texts, texts_of
from data_agent.indexing.values import CAP
from data_agent.ports.changes import ColumnState
from data_agent.ports.recall import ValuePart

ORDERS = Table(
    name="orders",
    description="Every purchase",
    aliases=("订单",),
    columns=(
        Column(table="orders", name="payAmount", description="money paid", aliases=("支付金额",), examples=("12.5",)),
        Column(table="orders", name="phone", personal=True, examples=("13800000000",)),
        Column(table="orders", name="status", labels={"2": "已支付"}),
    ),
)
SALES = Metric(name="sales", aliases=("销售额", "GMV"), description="paid orders", table="orders")


def catalog(*tables: Table, version: str = "v1", metrics: tuple[Metric, ...] = (SALES,)) -> Catalog:
    return Catalog(name="shop", version=version, tables=tables or (ORDERS,), metrics=metrics)


def test_every_table_and_column_has_a_text() -> None:
    assert [text.id for text in texts_of(catalog())] == ["orders", "orders.payAmount", "orders.phone", "orders.status"]


def test_a_columns_text_joins_table_aliases_description_and_examples() -> None:
    text = texts_of(catalog())[1]
    assert text.text == "orders 订单 pay amount 支付金额 money paid 12.5"
    assert text.names == ("pay amount", "支付金额")
    assert joined_names(text) == "pay amount 支付金额"


def test_labels_of_codes_join_the_text() -> None:
    assert "已支付" in texts_of(catalog())[3].text


def test_examples_of_personal_columns_stay_out() -> None:
    assert all("13800000000" not in text.text for text in texts_of(catalog()))


def test_retired_tables_are_left_out() -> None:
    assert texts_of(catalog(ORDERS.model_copy(update={"retired": True}))) == []


def test_a_metrics_text_holds_aliases_and_description() -> None:
    assert metric_texts(catalog())[0].text == "sales 销售额 GMV paid orders"


def test_a_very_wide_table_keeps_to_the_limit() -> None:
    wide = Table(name="wide", columns=tuple(Column(table="wide", name=f"column_number_{i}") for i in range(500)))
    assert len(texts_of(catalog(wide))[0].text) == MAX_CHARS


def test_a_dotted_table_name_is_read_by_its_last_part() -> None:
    table = Table(name="db_1.orders", columns=(Column(table="db_1.orders", name="id"),))
    assert [text.text for text in texts_of(catalog(table))] == ["orders: id", "orders id"]


def test_the_plan_tells_what_comes_changes_and_goes() -> None:
    amount, _phone, status = ORDERS.columns
    told = amount.model_copy(update={"description": "money received"})
    new = Column(table="orders", name="channel", sync=True)
    after = catalog(ORDERS.model_copy(update={"columns": (told, status, new)}), version="v2", metrics=())
    planned = Survey(live=catalog()).plan(after)
    assert planned.columns.added == ("orders.channel",)
    assert planned.columns.changed == ("orders", "orders.payAmount")
    assert planned.columns.removed == ("orders.phone",)
    assert planned.metrics.removed == ("sales",)
    assert planned.value_columns == ("orders.channel",)
    assert not planned.nothing


def test_the_plan_of_the_same_catalog_is_nothing() -> None:
    states = {column.id: ColumnState(mark="same", rows=10) for column in catalog().tables[0].columns}
    held = {column: ValuePart(mark=mark, count=3) for column, mark in value_marks(catalog(), states, CAP).items()}
    same = Survey(live=catalog(), held=held, states=states).plan(catalog())
    assert same.nothing and same.kept == 3 * len(held)
    assert same.seconds(Rates()) == 0.0


def test_a_column_whose_warehouse_cannot_tell_is_planned_to_be_read() -> None:
    new = Column(table="orders", name="channel", sync=True)
    after = catalog(ORDERS.model_copy(update={"columns": (*ORDERS.columns, new)}))
    before = {"orders.channel": ValuePart(mark=""), "orders.gone": ValuePart(mark="x", count=7)}
    planned = Survey(held=before).plan(after)
    assert planned.values.changed == ("orders.channel",) and planned.values.removed == ("orders.gone",)
    assert planned.value_columns == ("orders.channel",) and planned.rows is None
    assert planned.seconds(Rates(texts=10.0)) is None
    assert planned.seconds(Rates(texts=10.0, columns=1.0)) == planned.texts / 10 + 1


def test_the_first_plan_adds_everything() -> None:
    planned = Survey().plan(catalog())
    assert planned.version_before is None and len(planned.columns.added) == 4
