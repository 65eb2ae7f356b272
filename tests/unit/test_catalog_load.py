"""The loader: what it accepts, and how exactly it points at mistakes."""

from pathlib import Path
from textwrap import dedent

import pytest

from data_agent.catalog.load import load_catalog
from data_agent.domain.catalog import Catalog
from data_agent.errors import CatalogInvalid

SHOP = """
name: shop
tables:
  - name: orders
    role: fact
    time_column: created_at
    columns:
      - {name: id, type: bigint, role: primary_key}
      - {name: user_id, type: bigint, role: foreign_key}
      - {name: amount, type: "decimal(10,2)", aliases: 金额}
      - {name: status, type: int, labels: {01: 待付款, no: 关闭}}
      - {name: created_at, type: datetime}
  - name: users
    columns:
      - {name: id, type: bigint, role: primary_key}
      - {name: is_test, type: bool}
relationships:
  - {from: orders.user_id, to: users.id}
metrics:
  - {name: sales, expression: SUM(orders.amount), filters: "users.is_test = 0", aliases: [销售额]}
  - {name: order_count, expression: COUNT(orders.id)}
  - {name: aov, expression: "{sales} / {order_count}"}
"""


@pytest.fixture
def load(tmp_path: Path):
    def loaded(text: str) -> tuple[Catalog, tuple[str, ...]]:
        path = tmp_path / "shop.yaml"
        path.write_text(dedent(text), encoding="utf-8")
        return load_catalog(path)

    return loaded


@pytest.fixture
def problems(load):
    def found(text: str) -> list[str]:
        with pytest.raises(CatalogInvalid) as caught:
            load(text)
        return caught.value.problems

    return found


def test_fills_in_what_may_be_left_out(load):
    catalog, warnings = load(SHOP)
    sales, aov = catalog.metric("sales"), catalog.metric("aov")
    assert warnings == ()
    assert (sales.table, sales.time_column, sales.additivity) == ("orders", "orders.created_at", "additive")
    assert sales.relevant_columns == ("orders.amount", "users.is_test", "orders.created_at")
    assert (aov.table, aov.time_column, aov.additivity) == (None, None, "non_additive")
    assert set(aov.relevant_columns) == {*sales.relevant_columns, "orders.id"}
    assert catalog.table("orders").primary_key == ("id",)
    assert [column.role for column in catalog.table("orders").columns][2:] == ["measure", "dimension", "time"]
    assert [column.type for column in catalog.table("orders").columns][1:3] == ["integer", "decimal"]


def test_keeps_codes_and_words_as_they_are_written(load):
    catalog, _ = load(SHOP)
    assert catalog.column("orders.status").labels == {"01": "待付款", "no": "关闭"}
    assert catalog.column("orders.amount").aliases == ("金额",)


def test_the_version_follows_the_content_and_not_the_layout(load):
    first = load(SHOP)[0].version
    assert load(SHOP.replace("  - {name: order_count", "\n  # counted\n  - {name: order_count"))[0].version == first
    assert load(SHOP.replace("销售额", "成交额"))[0].version != first


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("SUM(orders.amount)", "SUM(orders.amonut)", ":20: metrics.sales.expression: `orders` has no column `amonut`"),
        ("SUM(orders.amount)", "SUM(order.amount)", "there is no table `order`; did you mean `orders`?"),
        ("SUM(orders.amount)", "SUM(amount)", "`amount` needs its table"),
        ("SUM(orders.amount)", "SUM(orders.amount", ":20: metrics.sales.expression: not valid SQL"),
        ("SUM(orders.amount)", "orders.amount", "needs an aggregate"),
        ("SUM(orders.amount)", "DROP TABLE orders", "not valid SQL"),
        ("SUM(orders.amount)", '"SUM(orders.amount) FROM orders"', "must be one expression"),
        ("SUM(orders.amount)", '"(SELECT SUM(orders.amount) FROM orders)"', "must not hold a subquery"),
        ("users.is_test = 0", "users.is_tset = 0", "metrics.sales.filters: `users.is_tset = 0`: `users` has no column"),
        ("users.is_test = 0", "SUM(orders.amount) > 1", "a filter must not aggregate"),
        ("from: orders.user_id", "from: orders.uid", ":18: relationships.[1].from: `orders` has no column `uid`"),
        ("from: orders.user_id", "from: user_id", "write `table.column`"),
        ("to: users.id}", "to: users.id, cardinality: one_to_many}", "without repeating its rows"),
        ("{sales} / {order_count}", "{sale} / {order_count}", "there is no metric `sale`; did you mean `sales`?"),
        ("{sales} / {order_count}", "{sales} / {aov}", "goes round in a circle: aov → aov"),
        ("{sales} / {order_count}", "{sales} / orders.amount", "metrics only"),
        ("time_column: created_at", "time_column: created", ":6: tables.orders.time_column: `orders` has no column"),
        ("type: datetime", "type: dattime", ":12: tables.orders.columns.created_at.type: 'dattime' is not one of"),
        ("role: fact", "rol: fact", ":5: tables.orders.rol: unknown field; did you mean `role`?"),
        ("role: fact", "role: facts", "'facts' is not one of"),
        ("name: users\n", "description: users\n", "tables.[2].name: is missing"),
        (
            "name: users\n",
            "name: orders\n",
            ":13: tables.orders.name: `orders` is written twice (first at shop.yaml:4)",
        ),
        ("{name: is_test,", "{name: id,", "columns.id.name: `id` is written twice"),
        ("name: shop\n", "name: shop\nname: again\n", ":3: name: written twice (first on line 2)"),
        ("aliases: [销售额]", "finer: order_cuont", "`order_cuont` is no other metric; did you mean `order_count`?"),
        ("aliases: [销售额]", "domain: sales", "there is no domain `sales`"),
        ("aliases: [销售额]", "time_column: orders.paid_at", "metrics.sales.time_column: `orders` has no column"),
        ("aliases: [销售额]", "relevant_columns: [users.level]", "relevant_columns: `users` has no column `level`"),
        ("aliases: [销售额]", "table: {name: orders}", "should be a valid string, not a mapping"),
    ],
)
def test_every_mistake_is_told_with_file_line_and_field(problems, old, new, expected):
    assert old in SHOP
    found = problems(SHOP.replace(old, new))
    assert any(expected in problem for problem in found), found
    assert all(problem.startswith("shop.yaml:") for problem in found)


def test_all_mistakes_are_told_at_once(problems):
    text = SHOP.replace("orders.amount)", "orders.amonut)").replace("users.id}", "users.uid}").replace("{sales}", "{s}")
    assert len(problems(text)) >= 3


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", "shop.yaml:1: the file is empty"),
        (b"# nothing but a comment\n", "the file is empty"),
        (b"- a\n- b\n", "a catalog is a mapping"),
        (b"hello", "a catalog is a mapping"),
        (b"name: shop\n", "needs at least one table"),
        (b"tables:\n  - name: a\n\trole: fact\n", "shop.yaml:3: a tab indents this line"),
        (b"name: [shop\ntables: []\n", "not valid YAML"),
        (b"name: shop: again\n", "shop.yaml:1: not valid YAML"),
        ("name: 商店\n".encode("gb18030"), "not UTF-8 (byte 0xc9); save the file as UTF-8 (it looks like GBK/GB18030)"),
        (b"name: shop\ntables: \xff\n", "shop.yaml:2: not UTF-8"),
        (b"name: sh\x00op\n", "a control character"),
        (b"name: sh\x1bop\n", "a control character"),
        (b"? [a, b]\n: c\n", "a key must be plain text"),
        (b"name: !!python/object/apply:os.system [ls]\n", "should be a valid string"),
        (b"[" * 100_000, "shop.yaml:1: "),
        (b"a: &a [*a]\n", "nesting"),
        (b"name: *unknown\n", "not valid YAML"),
        (b"x" * 5_000_000, "more than a catalog file may hold"),
        (b"a: 1\n---\nb: 2\n", "not valid YAML"),
    ],
)
def test_files_that_are_no_catalog_are_refused_in_words(tmp_path, raw, expected):
    path = tmp_path / "shop.yaml"
    path.write_bytes(raw)
    with pytest.raises(CatalogInvalid) as caught:
        load_catalog(path)
    assert any(expected in problem for problem in caught.value.problems), caught.value.problems


def test_a_bomb_of_aliases_is_refused(problems):
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    assert "blow this file up" in problems("\n".join(lines))[0]


def test_utf_16_and_a_byte_order_mark_are_read(tmp_path):
    for encoding in ("utf-16", "utf-8-sig"):
        path = tmp_path / f"{encoding}.yaml"
        path.write_text(SHOP, encoding=encoding)
        assert load_catalog(path)[0].name == "shop"


def test_a_folder_is_one_catalog_and_its_files_are_named(tmp_path):
    head, metrics = SHOP.split("metrics:")
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "a.yaml").write_text(head, encoding="utf-8")
    (tmp_path / "metrics.yml").write_text(f"metrics:{metrics}", encoding="utf-8")
    assert [metric.name for metric in load_catalog(tmp_path)[0].metrics] == ["sales", "order_count", "aov"]
    (tmp_path / "metrics.yml").write_text(f"metrics:{metrics.replace('amount', 'amonut')}", encoding="utf-8")
    with pytest.raises(CatalogInvalid, match=r"^metrics.yml:2: metrics.sales.expression"):
        load_catalog(tmp_path)


def test_a_path_that_is_not_there_is_said(tmp_path):
    with pytest.raises(CatalogInvalid, match="no such catalog"):
        load_catalog(tmp_path / "none.yaml")
    with pytest.raises(CatalogInvalid, match="holds no"):
        load_catalog(tmp_path)


def test_one_word_for_two_metrics_is_a_warning(load):
    _, warnings = load(SHOP.replace("expression: COUNT", "aliases: [销售额], expression: COUNT"))
    assert warnings == (
        "shop.yaml:21: metrics.order_count.aliases: `销售额` also means `sales`; a question with it will be asked back",
    )


def test_personal_columns_are_never_synced(load):
    catalog, warnings = load(SHOP.replace("type: bool", "type: text, personal: true, sync: true"))
    assert catalog.column("users.is_test").sync is False
    assert any("personal" in warning for warning in warnings)


LEGACY = """
tables:
  - name: fact_order
    role: fact
    description: 订单事实表
    columns:
      - name: order_id
        role: primary_key
        description: 订单编号
        alias: [订单号]
        sync: false
      - name: region_id
        role: foreign_key
        description: 地区编号
        alias: []
        sync: false
      - name: order_amount
        role: measure
        description: 订单金额
        alias: [销售额, 金额]
        sync: false
  - name: dim_region
    role: dim
    description: 地区维度
    columns:
      - name: region_name
        role: dimension
        description: 地区名称
        alias:
          - 大区
        sync: true
metrics:
  - name: GMV
    description: 所有订单的成交总额
    relevant_columns:
      - fact_order.order_amount
    alias: [成交总额, 交易额]
"""


def test_the_older_form_loads_unchanged_and_says_what_it_cannot_express(load):
    catalog, warnings = load(LEGACY)
    metric = catalog.metric("GMV")
    assert (catalog.name, metric.aliases, metric.expression) == ("shop", ("成交总额", "交易额"), "")
    assert metric.relevant_columns == ("fact_order.order_amount",)
    assert catalog.column("dim_region.region_name").sync is True
    text = "\n".join(warnings)
    for expected in ("name: not given", "GMV: no expression", "relationships: none", "fact_order: no time_column"):
        assert expected in text
