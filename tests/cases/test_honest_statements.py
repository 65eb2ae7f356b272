"""Statements as analysts write them: none is refused, and on MySQL each gives the rows of the text that came in."""

from collections import Counter
from contextlib import closing
from pathlib import Path

import pymysql
import pytest
import yaml
from sqlalchemy import make_url

from data_agent.options import Limits
from data_agent.sql.admit import admit
from repositories.sql.flavours import MYSQL
from tests.cases.sql_shop import sql_shop

STATEMENTS = yaml.safe_load((Path(__file__).parent / "honest.yaml").read_text(encoding="utf-8"))
EACH = pytest.mark.parametrize("sql", [pytest.param(sql, id=name) for name, sql in STATEMENTS])


def admitted(sql: str) -> str:
    return admit(sql, catalog=sql_shop(), dialect="mysql", limits=Limits(), version="9.7.0").sql


def test_there_are_at_least_sixty_and_no_name_stands_twice() -> None:
    assert len(STATEMENTS) == len({name for name, _ in STATEMENTS}) >= 60


@EACH
def test_an_honest_statement_is_admitted_and_admitted_again_as_itself(sql: str) -> None:
    assert admitted(admitted(sql)) == admitted(sql)


@pytest.mark.mysql
@EACH
def test_it_gives_the_rows_of_the_text_that_came_in(fixture_database: str, sql: str) -> None:
    at = make_url(fixture_database)
    connection = pymysql.connect(
        host=at.host, port=at.port or 3306, user=at.username, password=at.password or "", database=at.database
    )
    with closing(connection), connection.cursor() as cursor:
        for statement in MYSQL.session:
            cursor.execute(statement)
        found = []
        for text in (sql.replace("shop.", ""), admitted(sql)):
            cursor.execute(text)
            found.append(Counter(map(str, cursor.fetchall())))
    assert found[0] == found[1]
