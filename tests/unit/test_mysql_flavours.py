"""Servers of MySQL's protocol differ in a few words, told apart by what they say of themselves."""

import pymysql.err
import pytest

from data_agent.errors import WarehouseTimeout, WarehouseUnavailable
from repositories.sql.engine import driver_url, fixed_offset
from repositories.sql.errors import outage, unreachable
from repositories.sql.flavours import DORIS, MARIADB, MYSQL, STARROCKS, TIDB, flavour_of


@pytest.mark.parametrize(
    ("version", "comment", "name"),
    [
        ("9.7.4-2", "(Debian)", "MySQL"),
        ("8.0.36", "MySQL Community Server - GPL", "MySQL"),
        ("10.11.6-MariaDB-0+deb12u1", "Debian 12", "MariaDB"),
        ("8.0.11-TiDB-v7.5.0", "TiDB Server (Apache License 2.0)", "TiDB"),
        ("8.0.33", "StarRocks version 3.3.5-6d81f75", "StarRocks"),
        ("5.7.99", "Doris version doris-2.1.7-rc03", "Doris"),
    ],
)
def test_a_server_is_known_by_its_version_and_comment(version: str, comment: str, name: str) -> None:
    assert flavour_of(version, comment).name == name


def test_each_server_is_limited_in_its_own_words() -> None:
    assert MYSQL.time_limit(1.5) == "SET SESSION max_execution_time = 1500"
    assert MARIADB.time_limit(1.5) == "SET SESSION max_statement_time = 1.5"
    assert STARROCKS.time_limit(1.5) == "SET SESSION query_timeout = 2"


def test_no_time_limit_rounds_down_to_none_at_all() -> None:
    # zero means unlimited on every one of them
    for flavour in (MYSQL, MARIADB, TIDB, STARROCKS, DORIS):
        assert not flavour.time_limit(0.0001).endswith((" 0", " 0.0"))


def test_tables_joined_without_a_condition_multiply() -> None:
    plan = [{"id": 1, "select_type": "SIMPLE", "rows": 1000, "filtered": 100.0} for _ in range(3)]
    assert MYSQL.estimate(plan) == 10**9


def test_a_lookup_by_key_costs_one_row_each() -> None:
    plan = [
        {"id": 1, "select_type": "SIMPLE", "rows": 1000, "filtered": 10.0},
        {"id": 1, "select_type": "SIMPLE", "rows": 1, "filtered": 100.0},
    ]
    assert MYSQL.estimate(plan) == 1000


def test_parts_of_a_union_add_up() -> None:
    plan = [
        {"id": 1, "select_type": "PRIMARY", "rows": 10, "filtered": 100.0},
        {"id": 2, "select_type": "UNION", "rows": 20, "filtered": 100.0},
        {"id": 3, "select_type": "UNION RESULT", "rows": None, "filtered": None},
    ]
    assert MYSQL.estimate(plan) == 30


def test_a_dependent_subquery_runs_once_per_row() -> None:
    plan = [
        {"id": 1, "select_type": "PRIMARY", "rows": 1000, "filtered": 100.0},
        {"id": 2, "select_type": "DEPENDENT SUBQUERY", "rows": 500, "filtered": 100.0},
    ]
    assert MYSQL.estimate(plan) == 1000 + 500_000


def test_the_other_servers_plans_are_read_too() -> None:
    assert TIDB.estimate([{"id": "a", "estRows": "10.00"}, {"id": "b", "estRows": "12500.00"}]) == 12500
    assert (
        STARROCKS.estimate([{"Explain String": "  cardinality: 5"}, {"Explain String": " cardinality=1,200"}]) == 1200
    )
    assert DORIS.estimate([{"Explain String": "PLAN FRAGMENT 0"}]) is None


@pytest.mark.parametrize("scheme", ["mysql", "mysql+pymysql", "mariadb", "starrocks", "doris", "tidb"])
def test_every_scheme_of_the_protocol_means_the_same_driver(scheme: str) -> None:
    assert driver_url(f"{scheme}://reader@host:9030/shop").drivername == "mysql+pymysql"


def test_only_a_zone_without_summer_time_has_an_offset() -> None:
    assert fixed_offset("Asia/Shanghai") == "+08:00"
    assert fixed_offset("America/New_York") is None
    assert fixed_offset("Mars/Olympus") is None


@pytest.mark.parametrize("code", [1054, 1146, 1055, 1064, 1111, 1052, 1049, 1242, 1292, 1305, 1365, 1792, 3636])
def test_a_fault_of_the_statement_is_no_outage(code: int) -> None:
    assert outage(pymysql.err.OperationalError(code, "reason"), "shop") is None


@pytest.mark.parametrize("code", [0, 1040, 1045, 1053, 1142, 1203, 1317, 2003, 2006, 2013, 2055, 4031])
def test_a_fault_of_the_server_is_never_told_to_the_model(code: int) -> None:
    told = outage(pymysql.err.OperationalError(code, "for 'reader'@'10.0.0.7' (using password: YES)"), "shop")
    assert isinstance(told, WarehouseUnavailable)
    assert str(code) in told.message
    assert told.hint
    assert "10.0.0.7" not in told.message + told.hint


@pytest.mark.parametrize("code", [3024, 1969])
def test_a_time_limit_is_a_time_out_in_either_words(code: int) -> None:
    assert isinstance(outage(pymysql.err.OperationalError(code, ""), "shop", 30), WarehouseTimeout)


def test_whatever_stops_a_connection_from_being_made_is_an_outage() -> None:
    for code in (1049, 1044, 1064, 9999):
        assert isinstance(unreachable(pymysql.err.OperationalError(code, "reason"), "shop"), WarehouseUnavailable)
