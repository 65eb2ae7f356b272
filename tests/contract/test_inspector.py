"""What every inspector promises, on real databases."""

from collections.abc import AsyncIterator, Iterator

import duckdb
import pytest

from data_agent.errors import WarehouseUnavailable
from data_agent.introspection.introspect import introspect
from data_agent.introspection.options import IntrospectOptions
from repositories.embedded.inspector import DuckDBInspector
from repositories.sql.inspector import MySQLInspector
from tests.servers import own_database, run_sql

CREATE = """CREATE TABLE customers (customer_id INT PRIMARY KEY, name VARCHAR(20) NOT NULL);
CREATE TABLE orders (order_id INT PRIMARY KEY, customer_id INT, `group` VARCHAR(5), pay_amount DECIMAL(12,2),
 created_at DATETIME, FOREIGN KEY (customer_id) REFERENCES customers (customer_id));
INSERT INTO customers VALUES (1, '张三'), (2, '李四'), (3, '王五');
INSERT INTO orders VALUES (1, 1, 'a', 9.5, '2026-01-01 08:00:00'), (2, 1, 'b', 3, '2026-01-02 08:00:00'),
 (3, 2, 'a', NULL, '2026-01-03 08:00:00');
CREATE VIEW big_orders AS SELECT * FROM orders WHERE pay_amount > 5;
"""


@pytest.fixture
def own_mysql(mysql_url) -> Iterator[str]:
    with own_database(mysql_url) as url:
        yield url


@pytest.fixture(params=["duckdb", pytest.param("mysql", marks=pytest.mark.mysql)])
async def inspector(request, tmp_path) -> AsyncIterator[DuckDBInspector | MySQLInspector]:
    if request.param == "mysql":
        url = request.getfixturevalue("own_mysql")
        run_sql(url, CREATE)
        found = MySQLInspector(url)
    else:
        file = tmp_path / "shop.duckdb"
        with duckdb.connect(file) as database:
            database.execute(CREATE.replace("`group`", '"group"'))
        found = DuckDBInspector(file)
    yield found
    await found.close()


async def test_tells_tables_views_columns_keys_and_references(inspector):
    schema = await inspector.schema()
    tables = {table.name: table for table in schema.tables}
    assert list(tables) == ["big_orders", "customers", "orders"]
    assert tables["big_orders"].view
    assert tables["orders"].primary_key == ("order_id",)
    assert [column.name for column in tables["orders"].columns][2] == "group"
    assert not tables["customers"].columns[1].nullable
    (key,) = schema.foreign_keys
    assert (key.table, key.columns, key.to_table, key.to_columns) == (
        "orders",
        ("customer_id",),
        "customers",
        ("customer_id",),
    )


async def test_samples_are_bounded_and_say_whether_they_are_all(inspector):
    orders = next(table for table in (await inspector.schema()).tables if table.name == "orders")
    part = await inspector.sample(orders, ["order_id", "group"], 2, 5)
    whole = await inspector.sample(orders, ["order_id", "group"], 3, 5)
    assert (len(part.rows), part.complete) == (2, False)
    assert (len(whole.rows), whole.complete) == (3, True)


async def test_counts_and_looks_values_up(inspector):
    orders = next(table for table in (await inspector.schema()).tables if table.name == "orders")
    counts = await inspector.counts(orders, ["order_id", "customer_id"], 100, 5)
    assert (counts.rows, counts.distinct) == (3, {"order_id": 3, "customer_id": 2})
    assert await inspector.present(orders, "customer_id", [1, 2, 77], 5) == 2
    assert await inspector.present(orders, "group", ["a", "it's \\ no"], 5) == 1


@pytest.mark.parametrize("declared", [True, False])
async def test_a_catalog_comes_out_with_or_without_declared_references(inspector, declared):
    found = await introspect(inspector, IntrospectOptions(declared=declared))
    links = [link for link in found.catalog.relationships if link.from_table == "orders"]
    assert [(link.to_table, link.inferred) for link in links] == [("customers", not declared)]
    orders = found.catalog.table("orders")
    assert (orders.role, orders.time_column) == ("fact", "created_at")
    assert found.catalog.table("customers").label_column == "name"


async def test_a_file_that_is_not_there_is_an_outage(tmp_path):
    nowhere = DuckDBInspector(tmp_path / "none.duckdb")
    with pytest.raises(WarehouseUnavailable):
        await nowhere.schema()
    await nowhere.close()


@pytest.mark.mysql
async def test_a_broken_view_is_named_and_the_rest_is_done(own_mysql):
    run_sql(own_mysql, CREATE + "CREATE TABLE t (x INT);\nCREATE VIEW v AS SELECT x FROM t;\nDROP TABLE t;\n")
    found = MySQLInspector(own_mysql)
    try:
        made = await introspect(found)
    finally:
        await found.close()
    assert {table.name for table in made.catalog.tables} == {"big_orders", "customers", "orders"}
    assert [each.what for each in made.skipped] == ["v"]
