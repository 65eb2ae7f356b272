"""What describes single rows is listed row by row; what names classes is listed once. A catalog of tennis players."""

from datetime import UTC, datetime

import pytest

from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.reading import Reading
from data_agent.domain.schema import Column, Relationship, Table
from data_agent.domain.time import CalendarSettings
from data_agent.reading.lexicon import Lexicon
from data_agent.reading.read import read

PLAYERS = Table(
    name="players",
    aliases=("球员", "player"),
    label_column="name",
    primary_key=("id",),
    columns=(
        Column(table="players", name="id", type="int", role="primary_key"),
        Column(table="players", name="name", aliases=("姓名", "name")),
        Column(table="players", name="born", type="date", role="time", aliases=("生日", "birth date")),
        Column(table="players", name="country", aliases=("国籍", "country")),
        Column(table="players", name="hand", aliases=("惯用手", "hand")),
    ),
)
MATCHES = Table(
    name="matches",
    role="fact",
    aliases=("比赛", "match"),
    primary_key=("id",),
    columns=(
        Column(table="matches", name="id", type="int", role="primary_key"),
        Column(table="matches", name="player_id", type="int", role="foreign_key"),
    ),
)
CATALOG = Catalog(
    name="tennis",
    version="1",
    tables=(PLAYERS, MATCHES),
    metrics=(
        Metric(name="wins", aliases=("胜场", "wins"), table="matches", expression="COUNT(*)"),
        Metric(name="aces", aliases=("发球得分", "aces"), table="matches", expression="COUNT(*)"),
    ),
    relationships=(
        Relationship(from_table="matches", from_columns=("player_id",), to_table="players", to_columns=("id",)),
    ),
)
LEXICON = Lexicon.of(CATALOG)


def ask(question: str) -> Reading:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    calendar = CalendarSettings()
    return read(question, catalog=CATALOG, lexicon=LEXICON, values=[], now=now, calendar=calendar, margin=0.08)


@pytest.mark.parametrize(
    "question",
    ["What are the names and birth dates of the players?", "list the names of players", "列出球员的姓名和生日"],
)
def test_what_describes_a_row_is_listed_for_each_row(question):
    found = ask(question)
    assert found.complete, found.unplaced
    assert found.rows


@pytest.mark.parametrize(
    "question", ["list the countries of players", "list the different names of players", "球员的国籍有哪些"]
)
def test_classes_are_listed_once(question):
    found = ask(question)
    assert found.complete, found.unplaced
    assert not found.rows


def test_names_with_a_condition_on_a_count_are_not_given_the_count_besides():
    found = ask("Show the names of players that have more than one match")
    assert found.complete
    assert [metric.hidden for metric in found.metrics] == [True]
    assert [(place.column, place.hidden) for place in found.dimensions] == [
        ("players.id", True),
        ("players.name", False),
    ]
    assert ask("players with more than one match").complete


@pytest.mark.parametrize("question", ["how many people live in each country", "number of people by hand"])
def test_people_are_not_silently_something_else(question):
    assert not ask(question).complete


def test_two_metrics_grown_together_are_a_name_nobody_knows():
    assert not ask("各国籍的胜场发球得分").complete
    assert ask("各国籍的胜场和发球得分").complete


def test_the_best_one_in_an_order_may_mean_all_of_them():
    question = "which players have the highest wins"
    assert ask(question).complete
    assert not ask(f"{question}, ordered by wins in descending order").complete
