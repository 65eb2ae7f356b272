"""What every inspector promises, on real databases."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from uuid import uuid4

import duckdb
import pytest
from sqlalchemy import make_url

from api.inspection import write_catalog
from data_agent.catalog.load import load_catalog, places_of
from data_agent.errors import CatalogInvalid, WarehouseUnavailable
from data_agent.introspection.introspect import introspect
from data_agent.introspection.options import Introspected, IntrospectOptions
from data_agent.introspection.proving import Proof, ProofLimits
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


@pytest.fixture
def own_mariadb(mariadb_url) -> Iterator[str]:
    with own_database(mariadb_url) as url:
        yield url


SERVERS = [pytest.param(name, marks=pytest.mark.mysql) for name in ("mysql", "mariadb")]


@pytest.fixture(params=["duckdb", *SERVERS])
async def inspector(request, tmp_path) -> AsyncIterator[DuckDBInspector | MySQLInspector]:
    if request.param != "duckdb":
        url = request.getfixturevalue(f"own_{request.param}")
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


@pytest.fixture(params=SERVERS)
def server(request) -> str:
    return request.getfixturevalue(f"own_{request.param}")


async def seen(url: str) -> Introspected:
    found = MySQLInspector(url)
    try:
        return await introspect(found)
    finally:
        await found.close()


async def test_a_broken_view_is_named_and_the_rest_is_done(server):
    run_sql(server, CREATE + "CREATE TABLE t (x INT);\nCREATE VIEW v AS SELECT x FROM t;\nDROP TABLE t;\n")
    made = await seen(server)
    assert {table.name for table in made.catalog.tables} == {"big_orders", "customers", "orders"}
    assert [each.what for each in made.skipped] == ["v"]


async def test_a_table_without_the_right_to_read_it_is_named_and_the_rest_is_done(server):
    run_sql(server, CREATE)
    address = make_url(server)
    user = f"u{uuid4().hex[:12]}"
    grants = [f"SELECT ON {address.database}.customers", f"INSERT ON {address.database}.orders"]
    run_sql(server, f"CREATE USER {user}@'%' IDENTIFIED BY 'x'")
    try:
        run_sql(server, ";\n".join(f"GRANT {grant} TO {user}@'%'" for grant in grants))
        made = await seen(address.set(username=user, password="x").render_as_string(hide_password=False))
    finally:
        run_sql(server, f"DROP USER {user}@'%'")
    assert [table.name for table in made.catalog.tables] == ["customers"]
    (skipped,) = made.skipped
    assert (skipped.what, skipped.left_out) == ("orders", True)
    assert "does not let" in skipped.why
    assert "x" not in skipped.why.split()


async def test_an_empty_database_is_said_so(server, tmp_path):
    with pytest.raises(CatalogInvalid, match="holds no table"):
        await seen(server)
    file = tmp_path / "empty.duckdb"
    duckdb.connect(file).close()
    inspector = DuckDBInspector(file)
    with pytest.raises(CatalogInvalid, match="holds no table"):
        await introspect(inspector)
    await inspector.close()


async def test_odd_types_are_kept_as_text_or_left_unsampled(server, request):
    kinds = "g GEOMETRY, b BIT(3), e ENUM('a','b'), s SET('x','y'), y YEAR, t TIME, j JSON, u BIGINT UNSIGNED"
    maria = "mariadb" in request.node.name
    extra = ", i INET6" if maria else ""
    run_sql(server, f"CREATE TABLE odd (id INT PRIMARY KEY, {kinds}{extra})")
    run_sql(server, "INSERT INTO odd (id, e, y, u) VALUES (1, 'a', 2026, 18446744073709551615), (2, 'b', 1999, 0)")
    made = await seen(server)
    columns = {column.name: column.type for column in made.catalog.tables[0].columns}
    known = {"g": "bytes", "b": "bytes", "e": "text", "s": "text", "y": "integer", "t": "time", "u": "integer"}
    assert known.items() <= columns.items()
    told = {each.what: each.why for each in made.skipped}
    assert ("odd.i" in told) == maria
    assert not maria or "inet6" in told["odd.i"]


async def test_names_with_spaces_reserved_words_and_chinese_load_again(server, tmp_path):
    run_sql(
        server,
        """CREATE TABLE `order` (`group` INT PRIMARY KEY, `net amount` DECIMAL(9,2), `下单时间` DATETIME);
INSERT INTO `order` VALUES (1, 2.5, '2026-01-01'), (2, 3.5, '2026-01-02');
CREATE TABLE `客户 信息` (`编号` INT PRIMARY KEY, `状态` INT COMMENT '状态 0 停用 1 启用');
INSERT INTO `客户 信息` VALUES (1, 0), (2, 1)
""",
    )
    made = (await seen(server)).catalog
    path = tmp_path / "c.yaml"
    write_catalog(made, path)
    loaded, _ = load_catalog(path)
    assert loaded.column("客户 信息.状态").labels == {"0": "停用", "1": "启用"}
    inspector = MySQLInspector(server)
    proof = Proof(loaded, places_of(path), inspector, datetime(2026, 7, 1, tzinfo=UTC), ProofLimits())
    assert [finding async for finding in proof.findings()] == []
    await inspector.close()
    assert {metric.expression for metric in loaded.metrics} >= {"SUM(`order`.`net amount`)"}
